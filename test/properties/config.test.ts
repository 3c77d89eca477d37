// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the forms of variables are told and tested as they are written
// The reader of configurations is total: whatever the bytes, it gives a configuration or says why not, in good time.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configFromText, loadConfig } from '../../src/config/load-config.ts'

const environment = { HOME: '/home/a', TOKEN: 'secret' }

/** Parts of a sound file. */
const sound = [
  'version: 1',
  'tools:\n  - { name: a, use: "./a.mjs:b" }',
  'mcp_servers:\n  files: { command: npx, args: [x] }',
  'agents:\n  main: { groups: [], tools: [a] }',
  'permissions:\n  deny: [a*, "b(c:d)"]',
  'skills: { paths: [x] }',
  'tool_search: { enabled: auto, budget: 2 }',
  'models:\n  - { name: m, can: [tools] }',
  'x-free: [1, {a: b}]',
  'deny_tools: [bash]',
]
/** Lines that have broken readers. */
const unsound = [
  'version: 2',
  '  - { name: a, group: 7 }',
  '  web: { url: https://example.com/mcp }',
  '  allow: ["*"]',
  'sandbox: { allow_host_bash: "false" }',
  'deny_tools: bash',
  'tool_groups: ~',
  '&a [*a]',
  '<<: *b',
  '? [a]\n: b',
  '!!js/function x',
  '---',
  '...',
  '\t- a',
  '__proto__: { polluted: true }',
  'constructor: { prototype: { polluted: true } }',
  'a: ${NOPE}',
  'a: ${TOKEN}',
  '{',
  '[',
  '"',
]
const wild = fc.oneof(
  fc.constantFrom(...sound, ...unsound),
  fc.constantFrom(...sound),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
)
const fileText = fc
  .oneof(fc.subarray(sound, { minLength: 1 }), fc.array(wild, { maxLength: 14 }))
  .map((lines) => lines.join('\n'))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolgate-total-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('any text as a configuration [Q3]', () => {
  it('[P27] gives a configuration or an error with a place and a code, and never throws', async () => {
    let good = 0
    let bad = 0
    await fc.assert(
      fc.asyncProperty(
        fileText,
        fc.constantFrom('toolgate.yaml', 'toolgate.json', 'toolgate.jsonc'),
        async (text, name) => {
          const { config, findings } = await configFromText(text, join(folder, name), { environment })
          if (config === undefined) bad += 1
          else good += 1
          if (config === undefined) expect(findings.some(({ severity }) => severity === 'error')).toBe(true)
          for (const { code, message, origin } of findings) {
            expect(code).toMatch(/^[a-z][a-z-]+$/)
            expect(message).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
            expect(origin).toBeDefined()
          }
          expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
        },
      ),
      { numRuns: 3000 },
    )
    expect(good).toBeGreaterThan(200)
    expect(bad).toBeGreaterThan(200)
  })

  it('[P27] of any bytes in a file never throws', async () => {
    const path = join(folder, 'toolgate.yaml')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await writeFile(path, bytes)
        const { config, findings } = await loadConfig(path, { environment })
        expect(config !== undefined || findings.some(({ severity }) => severity === 'error')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  const big: readonly (readonly [string, string])[] = [
    ['keys', Array.from({ length: 70_000 }, (_, at) => `k${at}: 1`).join('\n')],
    ['deep lists', '['.repeat(500_000)],
    ['deep mappings', Array.from({ length: 900 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['aliases', `a: &a [x]\n${'b: [*a, *a, *a, *a]\n'.repeat(40_000)}`],
    ['one scalar', `a: ${'x'.repeat(1_000_000)}`],
    ['quotes', `a: ${'"'.repeat(1_000_000)}`],
    ['spaces', ' '.repeat(1_000_000)],
    ['colons', ': '.repeat(500_000)],
    ['digits', `a: ${'9'.repeat(1_000_000)}`],
    ['tools', `tools:\n${'  - { name: a, use: "./a.mjs:b" }\n'.repeat(25_000)}`],
    ['rules', `permissions: { deny: [${'"a*b*c*d?",'.repeat(80_000)}] }`],
  ]

  it.each(big)('[P27] of nearly a MiB of %s is answered within a second', async (_, text) => {
    const { cpu, result } = await timed(() =>
      configFromText(text.slice(0, 1_048_000), join(folder, 'toolgate.yaml'), { environment }),
    )
    expect(result.findings.length + (result.config === undefined ? 0 : 1)).toBeGreaterThan(0)
    expect(cpu).toBeLessThan(1000)
  })
})

/** Processor time of this process in milliseconds: a loaded machine does not make a reader slow. */
async function timed<T>(work: () => Promise<T>): Promise<{ cpu: number; result: T }> {
  const start = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(start)
  return { cpu: (user + system) / 1000, result }
}
