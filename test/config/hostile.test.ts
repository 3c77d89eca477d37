import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import { errors } from './given-config.ts'

interface Case {
  readonly id: string
  readonly kind: string
  readonly file: string
  readonly expect: {
    readonly outcome: 'accept' | 'reject'
    readonly or?: readonly string[]
    readonly names?: readonly (readonly string[])[]
    readonly yields?: Readonly<Record<string, unknown>>
    readonly invariants?: readonly string[]
    readonly max_ms?: number
  }
}

/** The files of this corpus that decide most, kept with the project; `wanted` is the error, or nothing for none. */
const kept: Readonly<Record<string, string>> = {
  'alias-benign': '',
  'alias-laughs': 'config-alias-limit',
  'alias-quadratic': 'config-alias-limit',
  'alias-redefined': '',
  'alias-self-cycle': 'config-alias-cycle',
  'alias-unresolved': 'nowhere',
  'bad-utf8': 'config-encoding',
  bom: '',
  'bool-string-false': 'config-type sandbox.allow_host_bash',
  'bool-yes': 'config-type sandbox.allow_host_bash',
  'cmd-substitution': '',
  'complex-key': 'config-type',
  'constructor-key': 'config-unknown-key constructor',
  crlf: '',
  'deep-block': 'config-too-deep',
  'deep-flow': 'config-too-deep',
  'deep-ok': '',
  'deny-string': 'config-type deny_tools',
  'dup-quoted': 'config-duplicate-key sandbox.allow_host_bash',
  empty: 'config-empty',
  'group-constructor': '',
  'many-keys': '',
  'merge-key': '',
  'multi-doc': 'config-multi-document',
  nul: 'config-encoding',
  'proto-key': '__proto__',
  tabs: 'tab',
  'tag-js': 'config-tag',
  utf16le: 'config-encoding',
  'yaml11-directive': 'config-version',
}

const load = (path: string): Promise<LoadedConfig> => loadConfig(path, { environment: { HOME: '/home/ann' } })
const words = ({ findings }: LoadedConfig): string =>
  errors(findings)
    .map(({ code, subject, message }) => `${code} ${subject} ${message}`)
    .join('\n')

describe('hostile files kept with the project [Q3]', () => {
  const folder = 'test/fixtures/config'

  it.each(Object.entries(kept))('%s: %s', async (name, wanted) => {
    const result = await load(join(folder, `${name}.yaml`))
    if (wanted === '') expect(words(result)).toBe('')
    else for (const word of wanted.split(' ')) expect(words(result)).toContain(word)
    expect(result.config === undefined).toBe(wanted !== '')
  })

  it('are the files in the folder', () => {
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(kept)
        .map((name) => `${name}.yaml`)
        .sort(),
    )
  })
})

describe('the whole hostile corpus, config-yaml [Q3]', () => {
  const folder = '../shared/data/hostile'
  const manifest = join(folder, 'manifest.json')
  if (!existsSync(manifest)) {
    it(`is absent: ${manifest}`, () => expect(existsSync(manifest)).toBe(false))
    return
  }
  const { cases } = JSON.parse(readFileSync(manifest, 'utf8')) as { cases: readonly Case[] }

  it.each(cases.filter(({ kind }) => kind === 'config-yaml').map((one) => [one.id, one] as const))(
    '%s',
    async (_, one) => {
      const start = performance.now()
      const result = await load(join(folder, one.file))
      const took = performance.now() - start
      const { outcome, or = [], names = [], yields = {}, invariants = [], max_ms: most = 2000 } = one.expect
      const said = words(result).toLowerCase()
      if (outcome === 'reject' && !(said === '' && or.includes('accept'))) {
        expect(said).not.toBe('')
        for (const any of names)
          expect(
            any.some((word) => said.includes(word.toLowerCase())),
            said,
          ).toBe(true)
      } else {
        expect(said).toBe('')
        expect(result.config).toBeDefined()
        for (const [key, value] of Object.entries(yields)) yielded(key, value, result)
      }
      // `secrets` holds them by its nature: it feeds the redactor.
      expect(JSON.stringify({ ...result, config: { ...result.config, secrets: [] } })).not.toContain('CANARY')
      for (const { message } of result.findings) expect(message).toMatch(/^[^\p{Cc}]{1,300}$/u)
      if (invariants.includes('others-kept')) expect(result.config?.tools).toMatchObject([{ name: 'echo' }])
      if (invariants.includes('fail-closed') && result.config !== undefined)
        expect(result.config.sandbox.allowHostBash).toBe(false)
      expect(({} as { allow_host_bash?: unknown }).allow_host_bash).toBeUndefined()
      expect(took).toBeLessThan(most * 2)
    },
  )
})

function yielded(key: string, value: unknown, { config, findings }: LoadedConfig) {
  const [, server, setting] = key.split('.')
  const built = config?.mcpServers.find(({ name }) => name === server)
  const own: Partial<Record<string, unknown>> = { timeout_ms: built?.callTimeoutMs, command: built?.command }
  switch (key) {
    case 'kept':
      // Both entries stay: which one stands is settled by the gate for unique names, which says so.
      expect(config?.tools.map(({ name }) => name)).toEqual(['echo', 'echo'])
      break
    case 'finding':
      expect(findings.map(({ code }) => code)).toContain(value)
      break
    case 'exposed':
      expect(rulesOf(config)).toEqual(['deny *'])
      break
    case 'exposed_from_config':
      expect(config?.toolGroups).toEqual(['constructor'])
      break
    default:
      expect(own[setting ?? '']).toBe(value)
  }
}

const rulesOf = (config: Config | undefined): string[] =>
  (config?.permissions.rules ?? []).map(({ effect, text }) => `${effect} ${text}`)
