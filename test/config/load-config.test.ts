// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the forms of variables under test

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { bounds } from '../../src/config/bounds.ts'
import { findConfig } from '../../src/config/find-config.ts'
import { configFromText, type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import { decodeText } from '../../src/config/read-text.ts'
import { errorCodes } from '../../src/errors.ts'
import { errors, loaded } from './given-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolgate-load-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('loadConfig', () => {
  it('names the file as the user did', async () => {
    writeFileSync(join(folder, 'a.yaml'), 'version: 1\nmcp_servers: {s: {command: a}}')
    const { config, findings } = await loadConfig(join(folder, 'a.yaml'), { environment: {} })
    expect(findings).toEqual([])
    expect(config).toMatchObject({
      file: join(folder, 'a.yaml'),
      folder,
      mcpServers: [{ origin: { in: join(folder, 'a.yaml') } }],
    })
  })

  it.each([
    ['toolgate.json', 2],
    ['toolgate.JSONC', 0],
  ])('reads JSON by its ending: %s', async (name, warnings) => {
    const { config, findings } = await loaded({ [name]: '{"tools": [], // none\n}' })
    expect(config?.tools).toEqual([])
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      Array(warnings).fill('warning config-syntax'),
    )
  })

  it.each([
    ['a file that is not there', join(folder, 'none.yaml'), 'config-not-found'],
    ['a folder', folder, 'config-unreadable'],
    ['a NUL in the path', 'a\u0000', 'config-unreadable'],
  ])('gives a finding for %s', async (_, path, code) => {
    const { config, findings } = await loadConfig(path, { environment: {} })
    expect(config).toBeUndefined()
    expect(findings).toMatchObject([{ code, severity: 'error' }])
  })

  it('makes no more of findings than people read', async () => {
    const text = `tools: [${'{},'.repeat(3000)}]`
    const { config, findings } = await loaded({ 'toolgate.yaml': text })
    expect(config?.tools).toEqual([])
    expect(findings).toHaveLength(bounds.findings + 1)
    expect(findings.at(-1)?.message).toBe(`${6000 - bounds.findings} more findings are not shown`)
  })
})

describe('findConfig', () => {
  it('looks in the folder alone, for one name', async () => {
    expect(await findConfig(folder)).toBeUndefined()
    writeFileSync(join(folder, 'toolgate.yml'), 'version: 1')
    expect(await findConfig(folder)).toBeUndefined()
    writeFileSync(join(folder, 'toolgate.yaml'), 'version: 1')
    expect(await findConfig(folder)).toBe(join(folder, 'toolgate.yaml'))
    expect(await findConfig(join(folder, 'below'))).toBeUndefined()
  })
})

// ── P27: any bytes give a configuration or findings, never an exception, in bounded time ──

async function read(bytes: Uint8Array, name = 'toolgate.yaml'): Promise<LoadedConfig> {
  const text = decodeText(bytes, name)
  if ('fault' in text) return { findings: [text.fault] }
  // The function without the catch-all of `loadConfig`: an exception fails the test.
  return configFromText(text.text, `/desk/${name}`, { environment: { HOME: '/home/ann', EMPTY: '' } })
}

function judge({ config, findings }: LoadedConfig) {
  if (config === undefined) expect(errors(findings).length).toBeGreaterThan(0)
  expect(findings.length).toBeLessThanOrEqual(bounds.findings + 1)
  for (const found of findings) {
    expect(errorCodes).toHaveProperty(found.code)
    expect(found.code).not.toBe('internal-error')
    for (const text of [found.message, found.hint ?? '', found.subject ?? '', found.origin?.key ?? '']) {
      expect(text).toMatch(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{0,400}$/u)
    }
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

const seeds: readonly string[] = [
  'version: 1\nmodels: [{name: m, use: "a:B", args: {k: $HOME}, can: [tools], target: openai}]\n',
  'tools:\n  - {name: a, group: g, use: ./a.mjs:a, effects: [read]}\n  - name: b\n    use: p:x\n',
  'mcp_servers:\n  a: &a {command: node, args: ["-y"], env: {A: "${HOME}"}}\n  b: {<<: *a, enabled: false}\n  c: {url: "https://a.example", headers: {A: b}}\n',
  'agents: {main: {groups: [g], permissions: {deny: [a], ask: [], allow: ["b"]}, children: [main]}}\ntool_groups: []\n',
  'deny_tools: [a]\ndeny_prefixes: [git_]\npermissions: {deny: ["x/*"], otherwise: ask}\nsandbox: {kind: auto, allow_host_bash: false}\n',
  'limits: {call_timeout_ms: 5}\nx-a: [1, {b: 0x1F}]\nskills: {paths: [s], mode: active}\nstate: {url: "sqlite:a"}\n',
  '{"mcp_servers": {"a": {"type": "stdio", "command": "x", "transport": "stdio"}}, "acp_agents": {"b": {"command": "c"}}}',
]

/** Pieces that break parsers: put anywhere into a good file. */
const splinters = fc.constantFrom(
  '\n',
  '\t',
  ' ',
  ': ',
  '- ',
  '? ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '&a ',
  '*a',
  '!!js ',
  '|',
  '>',
  '#',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '<<: *a',
  '__proto__: {polluted: 1}\n',
  'constructor:',
  'null',
  '.inf',
  '1e999',
  '0x',
  '9'.repeat(450),
  '\u0000',
  '\u001b',
  '\ufeff',
  '\u2028',
  '\ud800',
  '${',
  '$A',
  '$$',
  '${HOME:-',
  'yes',
  '~',
  '[[[[[[[[',
  '\r',
  '\\',
  '\\ud800',
  '🙂',
  'x-',
  '../',
  'true',
  '[]',
  '{}',
)

describe('any bytes [P27]', () => {
  it('at random, as YAML and as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('toolgate.yaml', 'toolgate.json'),
        async (bytes, name) => {
          judge(await read(bytes, name))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('as any text', async () => {
    const unit = fc.oneof(
      splinters,
      fc.constantFrom('tools', 'mcp_servers', 'agents', 'a', 'name', 'use', 'command'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 40 }), async (parts) => {
        judge(await read(Buffer.from(parts.join(''), 'utf8')))
      }),
      { numRuns: 3000 },
    )
  })

  it('made from good files by cutting, doubling and putting in', async () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(20),
      put: fc.oneof(splinters, fc.string({ maxLength: 5 })),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...seeds), { minLength: 1, maxLength: 3 }),
        fc.array(edit, { maxLength: 4 }),
        async (files, edits) => {
          let text = files.join('')
          for (const { at, cut, put } of edits) {
            const from = Math.floor(at * text.length)
            text = text.slice(0, from) + put + text.slice(from + cut)
          }
          judge(await read(Buffer.from(text, 'utf8')))
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('as data of any shape under known keys', async () => {
    const word = fc.constantFrom(
      'command',
      'url',
      'env',
      'groups',
      'name',
      'use',
      'args',
      'tools',
      'timeouts',
      'enabled',
      'x-a',
      'a',
      '__proto__',
      'toString',
      'deny',
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, true, 'a', '', '$A', 1, -1, 1e300, 'https://a.example', '\u001b'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(word, tie('value'), { maxKeys: 4 }),
      ),
    }))
    const top = fc.constantFrom(
      'models',
      'tools',
      'mcp_servers',
      'acp_agents',
      'agents',
      'permissions',
      'skills',
      'limits',
      'state',
      'tool_search',
      'deny_tools',
      'version',
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(top, value, { maxKeys: 4 }), async (data) => {
        judge(await read(Buffer.from(JSON.stringify(data), 'utf8'), 'toolgate.json'))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['tools', `tools: [${'{name: a, use: "p:x"},'.repeat(7000)}]`],
    ['servers', `mcp_servers: {${Array.from({ length: 6000 }, (_, at) => `s${at}: {command: a}`).join(',')}}`],
    ['servers at fault', `mcp_servers: {${Array.from({ length: 8000 }, (_, at) => `s${at}: {cmmand: a}`).join(',')}}`],
    ['rules', `deny_tools: [${'a,'.repeat(40_000)}]`],
    ['rules at fault', `deny_tools: [${'1,'.repeat(40_000)}]`],
    ['unknown keys', Array.from({ length: 14_000 }, (_, at) => `k${at}: 1\n`).join('')],
    [
      'variables',
      `mcp_servers: {s: {command: a, args: [${'"$HOME",'.repeat(1000)}], env: {A: "${'$HOME '.repeat(10_000)}"}}}`,
    ],
    ['one long text', `x-a: "${'a'.repeat(1_000_000)}"`],
  ])('a file full of %s is done in time', async (_, text) => {
    const start = performance.now()
    judge(await read(Buffer.from(text, 'utf8')))
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('in a real file', async () => {
    for (const bytes of [Uint8Array.from([0xff, 0xfe, 0, 0]), new Uint8Array(5000), Buffer.from('a: [')]) {
      judge(await loaded({ 'toolgate.yaml': bytes }))
    }
  })
})

describe('the same bytes twice', () => {
  it('give the same configuration [P7]', async () => {
    const fixtures = 'test/fixtures/config'
    expect(existsSync(fixtures)).toBe(true)
    for (const name of readdirSync(fixtures).filter((file) => file.endsWith('.yaml'))) {
      const bytes = readFileSync(join(fixtures, name))
      expect(JSON.stringify(await read(bytes))).toBe(JSON.stringify(await read(bytes)))
    }
  })
})
