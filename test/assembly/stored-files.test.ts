// Files that a run rests on and that anybody may have touched: inventories, approved definitions, the decision log.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { advised } from '../../src/assembly/advised.ts'
import { appendDecisionLog } from '../../src/assembly/decision-log.ts'
import { readInventory } from '../../src/assembly/inventory.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import { readPins } from '../../src/assembly/read-pins.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import { errorCodes } from '../../src/errors.ts'
import { aCandidate, someFacts } from '../../src/testing/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolgate-stored-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stored = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const candidates = [aCandidate({ originalName: 'read_file' }), aCandidate({ server: 'files', originalName: 'move' })]
const document = (facts: unknown) => ({
  schema: 'toolgate.snapshot/1',
  takenAt: '2026-01-01T00:00:00Z',
  preset: 'deerflow',
  facts,
  servers: [],
  findings: [],
  candidates,
})

describe('a stored inventory [S6]', () => {
  it('brings its candidates, its facts and its preset', async () => {
    const facts = someFacts({ agent: { groups: ['papers'] }, pins: [] })
    const inventory = await readInventory(stored('whole.json', document(facts)))
    expect(inventory).toMatchObject({ preset: 'deerflow', facts })
    expect(inventory.candidates.map(({ id }) => id)).toEqual(['config:read_file', 'mcp:files/move'])
  })

  it('is read with the default preset when it names one that is not known', async () => {
    const inventory = await readInventory(stored('future.json', { ...document(someFacts()), preset: 'of-tomorrow' }))
    expect(inventory.preset).toBe('default')
  })

  const { permissions: _, ...withoutRules } = someFacts()
  const with_ = (part: object): object => ({ ...someFacts(), ...part })
  it.each<{ readonly what: string; readonly facts: unknown; readonly at: string }>([
    { what: 'no rules at all', facts: withoutRules, at: 'facts.permissions' },
    {
      what: 'a text for a list of groups',
      facts: with_({ agent: { name: 'main', groups: 'papers', origins: {} } }),
      at: 'facts.agent.groups',
    },
    {
      what: 'a rule of an unknown effect',
      facts: with_({
        permissions: {
          rules: [{ effect: 'permit', text: 'x', scope: 'config', origin: { in: 'x' } }],
          otherwise: 'allow',
        },
      }),
      at: 'facts.permissions.rules[0].effect',
    },
    {
      what: 'a text for a switch',
      facts: with_({ sandbox: { kind: 'none', allowHostBash: 'true' } }),
      at: 'facts.sandbox.allowHostBash',
    },
    {
      what: 'an unknown answer for the rest',
      facts: with_({ permissions: { rules: [], otherwise: 'yes' } }),
      at: 'facts.permissions.otherwise',
    },
    {
      what: 'a skill whose list is none',
      facts: with_({
        skills: {
          mode: 'active',
          alwaysReachable: [],
          list: [{ name: 'a', enabled: true, active: true, allowedTools: 'all', origin: { in: 'x' } }],
        },
      }),
      at: 'facts.skills.list[0].allowedTools',
    },
    { what: 'a number for all facts', facts: 7, at: 'facts' },
  ])('is refused when its facts hold $what, and says where', async ({ facts, at }) => {
    const path = stored('broken.json', document(facts))
    await expect(readInventory(path)).rejects.toMatchObject({
      finding: { code: 'snapshot-format', origin: { in: path, key: at }, hint: expect.any(String) },
    })
  })
})

describe('approved definitions [G12]', () => {
  const pin = { id: 'config:a', definitionHash: 'f'.repeat(64), approvedAt: '2026-01-01T00:00:00Z' }

  it('are what the file holds', async () => {
    stored('pins.json', { schema: 'toolgate.pins/1', pins: [pin] })
    expect(await readPins(folder)).toEqual({ pins: [pin], findings: [] })
  })

  it.each([
    { what: 'no file', text: undefined },
    { what: 'no JSON', text: '{' },
    { what: 'another schema', text: '{"schema":"toolgate.pins/9","pins":[]}' },
    { what: 'no list', text: '{"schema":"toolgate.pins/1","pins":{}}' },
    { what: 'a number', text: '7' },
    { what: 'null', text: 'null' },
  ])('are none when there is $what, and that is told', async ({ text }) => {
    rmSync(join(folder, 'pins.json'), { force: true })
    if (text !== undefined) stored('pins.json', text)
    const { pins, findings } = await readPins(folder)
    expect(pins).toEqual([])
    expect(findings).toMatchObject([
      { code: 'pins-missing', severity: 'error', hint: expect.stringContaining('lock --pins') },
    ])
  })

  it('do not include an entry that is none', async () => {
    stored('pins.json', { schema: 'toolgate.pins/1', pins: [{ ...pin, definitionHash: true }, pin, null] })
    expect((await readPins(folder)).pins).toEqual([pin])
  })
})

describe('the decision log [D6]', () => {
  const runWith = (facts: RunFacts) =>
    prepareRun({ inventory: { candidates, servers: [], findings: [], facts, preset: 'default' } })

  it('numbers runs on, and writes a catalog only once', async () => {
    const file = join(folder, 'runs.jsonl')
    await appendDecisionLog(file, await runWith(someFacts()), '2026-01-01T00:00:00Z')
    await appendDecisionLog(file, await runWith(someFacts({ mcp: { on: false } })), '2026-01-02T00:00:00Z')
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; seq?: number })
    expect(lines.map(({ type, seq }) => `${type} ${seq ?? ''}`.trim())).toEqual([
      'catalog',
      'run 1',
      'decision 1',
      'decision 1',
      'run 2',
      'decision 2',
      'decision 2',
    ])
  })

  it('that cannot be written is an error that names the file and the flag', async () => {
    await expect(appendDecisionLog(folder, await runWith(someFacts()), '2026-01-01T00:00:00Z')).rejects.toMatchObject({
      finding: { code: 'log-unwritable', subject: folder, origin: { in: 'command line', key: '--log' } },
    })
  })
})

describe('advice', () => {
  it('is the hint of a finding, else what the catalogue says', () => {
    const found = { code: 'config-not-found', severity: 'error', message: 'it is not there' } as const
    expect(advised({ ...found, hint: 'look there' }).hint).toBe('look there')
    const remedy = errorCodes['config-not-found'].remedy
    expect(advised(found).hint).toBe(`${remedy.charAt(0).toLowerCase()}${remedy.slice(1, -1)}`)
    expect(advised({ ...found, code: 'toString' })).toEqual({ ...found, code: 'toString' })
  })
})
