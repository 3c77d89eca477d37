import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { capturedIn, capturedRun } from '../../bench/savings/captured-run.ts'
import { serverNames, wholeName } from '../../bench/savings/server-names.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', resolve(import.meta.dirname, '../../bench/savings.ts'), ...args], {
    encoding: 'utf8',
  })

/** A tool whose definition is some words longer than `words`. */
const tool = (name: string, words: number) => ({
  name,
  description: `${'word '.repeat(words)}end`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
})
const write = (file: string, tools: unknown): void => writeFileSync(join(folder, file), JSON.stringify({ tools }))

describe('the savings of deferral [D7]', () => {
  it('are told by server, with the reason where they are small, and end with 1 where they are in all', () => {
    write('@acme__mcp.json', [tool('read_file', 2000), tool('write_file', 2000)])
    write('tiny-server.json', [tool('do', 0)])
    writeFileSync(join(folder, 'index.json'), '{"servers": []}')
    const { stdout, status } = bench('--data', folder, '--json')
    const { total, servers, ratios, answers } = JSON.parse(stdout)
    expect(status).toBe(0)
    expect(servers).toEqual([
      { server: 'acme', tools: 2, schemas: expect.any(Number), names: expect.any(Number), saved: expect.any(Number) },
      expect.objectContaining({
        server: 'tiny',
        tools: 1,
        because: expect.stringMatching(/^a definition takes \d+ tokens/),
      }),
    ])
    // Each description is 2,000 times "word " and a little more; each name is one line of a few tokens.
    expect(servers[0].schemas).toBeGreaterThan(4000)
    expect(servers[0].schemas).toBeLessThan(4200)
    expect(servers[0].names).toBeLessThan(20)
    expect(total).toMatchObject({ tools: 3, schemas: servers[0].schemas + servers[1].schemas })
    expect(total.saved).toBeCloseTo(1 - total.names / total.schemas, 10)
    expect(total.saved).toBeGreaterThan(0.99)
    expect(ratios[0]).toMatchObject({ value: total.names, peerValue: total.schemas, most: 0.05 })
    expect(answers).toHaveLength(20)
  })

  it('that are too small end it with 1', () => {
    write('tiny-server.json', [tool('do', 0)])
    expect(bench('--data', folder).status).toBe(1)
  })

  it('are not measured, and it says so, where there is nothing to measure', () => {
    const { stdout, status } = bench('--data', join(folder, 'nowhere'))
    expect(stdout).toMatch(/^nothing is measured: there are no catalogues in ".*nowhere" \(--data DIR\)\n$/)
    expect(status).toBe(0)
  })

  it('end with 2 for a catalogue that is no JSON', () => {
    writeFileSync(join(folder, 'broken.json'), '{')
    const { stderr, status } = bench('--data', folder)
    expect(stderr).toContain('broken.json')
    expect(status).toBe(2)
  })
})

describe('a run over captured catalogues', () => {
  it('defers every tool and starts nothing', async () => {
    write('@acme__mcp.json', [tool('read_file', 1), tool('write_file', 1)])
    const captured = capturedIn(folder) ?? []
    expect(captured.map((one) => one.package)).toEqual(['@acme/mcp'])
    const { surface } = await capturedRun(captured, ['files'])
    expect(surface.withOutcome('deferred').map(({ name }) => name)).toEqual(['files__read_file', 'files__write_file'])
  })
})

describe('names of servers', () => {
  it('are the package without what every server has', () => {
    const packages = [
      '@modelcontextprotocol/server-github',
      '@brightdata/mcp',
      '@executeautomation/playwright-mcp-server',
      '@playwright/mcp',
      'exa-mcp-server',
      'mcp-server',
    ]
    expect(serverNames(packages)).toEqual(['github', 'brightdata', 'playwright', 'playwright-mcp', 'exa', 'mcp-server'])
    expect(packages.map(wholeName)[0]).toBe('modelcontextprotocol-server-github')
  })
})
