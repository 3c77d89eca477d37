import { describe, expect, it } from 'vitest'
import type { Gate } from '../../src/core/gate.ts'
import { logLines, refusalLine } from '../../src/report/decision-log.ts'
import { replay } from '../../src/report/replay.ts'
import { replayText } from '../../src/report/replay-text.ts'
import type { Run } from '../../src/report/run.ts'
import { aCandidate, sha256 } from '../../src/testing/world.ts'
import { aDesk, deskGates } from './desk.ts'

const gatesFor = (preset: string): readonly Gate[] | undefined => (preset === 'default' ? deskGates : undefined)
const options = { gatesFor, sha256, lang: 'en' } as const
const at = '2026-11-30T12:00:00.000Z'

function log(...runs: readonly Run[]): string[] {
  const written = new Set<string>()
  return runs.flatMap((run, index) => {
    const { lines, catalog } = logLines(run, { seq: index + 1, at, sha256, written })
    written.add(catalog)
    return lines
  })
}

const desk = aDesk()
const reader = aDesk({ facts: { agent: { name: 'reader', groups: ['web'], origins: {} } } })

describe('the decision log [D6]', () => {
  it('writes a catalog once per distinct set, a run, and a decision for each candidate', () => {
    const types = log(desk, reader).map((line) => (JSON.parse(line) as { type: string }).type)
    expect(types.filter((type) => type === 'catalog')).toHaveLength(1)
    expect(types.filter((type) => type === 'run')).toHaveLength(2)
    expect(types.filter((type) => type === 'decision')).toHaveLength(18)
    expect(types.slice(0, 3)).toEqual(['catalog', 'run', 'decision'])
  })

  it('writes a record a line, each wholly JSON', () => {
    expect(log(desk).every((line) => !line.includes('\n'))).toBe(true)
  })

  it('cuts a big catalog into parts, so that no line grows without bound', () => {
    const description = 'x'.repeat(200_000)
    const candidates = Array.from({ length: 30 }, (_, index) =>
      aCandidate({ name: `tool_${index}`, definition: { description, inputSchema: { type: 'object' } } }),
    )
    const big = aDesk({ candidates })
    const lines = log(big)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2_000_000)
    expect(lines.filter((line) => line.startsWith('{"type":"catalog"')).length).toBeGreaterThan(4)
    expect(replay(lines, options).runs).toMatchObject([{ equal: true }])
  })

  it('keeps "refused when called" apart from "not in the list" [D8]', () => {
    const line = refusalLine({ at, code: 'not-promoted', name: 'mail__send_invoice', surface: desk.surface.hash })
    expect(JSON.parse(line)).toEqual({
      type: 'refusal',
      at,
      code: 'not-promoted',
      name: 'mail__send_invoice',
      surface: desk.surface.hash,
    })
    expect(replay([...log(desk), line], options)).toMatchObject({ refusals: 1, findings: [], runs: [{ equal: true }] })
  })
})

describe('replay [D6]', () => {
  it('makes every decision again, bit for bit', () => {
    const { runs, findings, schema } = replay(log(desk, reader), options)
    expect(schema).toBe('toolgate.replay/1')
    expect(findings).toEqual([])
    expect(runs.map(({ seq, agent, equal }) => [seq, agent, equal])).toEqual([
      [1, 'main', true],
      [2, 'reader', true],
    ])
  })

  it('reads runs whose lines are mixed, as two writers leave them', () => {
    const [catalog = '', ...rest] = log(desk, reader)
    const inOrder = (seq: number) => rest.filter((line) => (JSON.parse(line) as { seq: number }).seq === seq)
    const zipped = inOrder(1).flatMap((line, index) => [line, inOrder(2)[index] ?? ''])
    expect(zipped).toHaveLength(rest.length)
    expect(replay([catalog, ...zipped], options).runs.map(({ equal }) => equal)).toEqual([true, true])
  })

  it('names the first difference when a gate judges otherwise now', () => {
    const others = deskGates.filter(({ id }) => id !== 'tool-groups')
    const { runs } = replay(log(desk), { ...options, gatesFor: () => others })
    expect(runs[0]).toMatchObject({ equal: false, difference: { id: 'config:read_file', field: 'steps[1].gate' } })
  })

  it.each<[string, (line: string) => string, object]>([
    [
      'an outcome',
      (line) => line.replace('"outcome":"deferred"', '"outcome":"eager"'),
      { field: 'outcome', recorded: '"eager"', replayed: '"deferred"' },
    ],
    ['a code', (line) => line.replaceAll('group-asked', 'group-askd'), { field: 'steps[1].code' }],
    [
      'a name',
      (line) => line.replace('"name":"tool_search"', '"name":"tool_serch"'),
      { id: 'builtin:tool_search', field: 'name' },
    ],
    [
      'the hash',
      (line) => (line.startsWith('{"type":"run"') ? line.replace(desk.surface.hash, '0'.repeat(64)) : line),
      { field: 'surface' },
    ],
  ])('finds %s that somebody altered in the log', (_what, alter, difference) => {
    const lines = log(desk).map((line) => (line.startsWith('{"type":"catalog"') ? line : alter(line)))
    expect(replay(lines, options).runs[0]).toMatchObject({ equal: false, difference })
  })

  it('takes a log that breaks off for different, not for equal', () => {
    const { runs } = replay(log(desk).slice(0, -2), options)
    expect(runs[0]).toMatchObject({ equal: false, difference: { field: 'decision', recorded: 'missing' } })
  })

  it('says so when the preset is not known', () => {
    const { runs } = replay(log({ ...desk, preset: 'yours' }), options)
    expect(runs[0]).toMatchObject({ equal: false, difference: { field: 'preset', recorded: 'yours' } })
  })

  it('answers "what if" with the difference', () => {
    const changes = [{ on: 'facts', op: 'add', path: ['agent', 'groups'], value: 'web' }] as const
    const { runs } = replay(log(desk), { ...options, change: { changes } })
    expect(runs[0]?.equal).toBe(true)
    expect(runs[0]?.whatIf?.changed.map(({ id }) => id)).toEqual(['mcp:files/read_file', 'mcp:files/move_file'])
  })

  it('reports a change that leads nowhere, and goes on', () => {
    const changes = [{ on: 'facts', op: 'set', path: ['agent', 'name', 'x', 'y'], value: 1 }] as const
    const { runs, findings } = replay(log(desk), { ...options, change: { changes } })
    expect([runs.length, findings.length]).toEqual([0, 1])
  })

  it.each<[string, string]>([
    ['no JSON', '{"type":"run"'],
    ['a number', '7'],
    ['an unknown type', '{"type":"wish"}'],
    [
      'a run without facts',
      '{"type":"run","seq":1,"at":"","preset":"default","catalog":"","surface":"","decisions":0}',
    ],
    ['a decision without its run', '{"type":"decision","seq":99,"id":"x","name":"x","steps":[]}'],
    ['a refusal without a code', '{"type":"refusal","at":"","name":"x","surface":""}'],
    ['a second part of a catalog alone', '{"type":"catalog","hash":"h","part":2,"of":2,"candidates":[]}'],
    ['a catalog that is not what its hash says', '{"type":"catalog","hash":"h","part":1,"of":1,"candidates":[]}'],
    ['a candidate that is none', '{"type":"catalog","hash":"h","part":1,"of":1,"candidates":[{"id":1}]}'],
  ])('reports %s with the number of its line, and replays the others', (_what, bad) => {
    const { runs, findings } = replay([...log(desk), bad, ...log(reader).slice(1)], options)
    expect(runs.map(({ equal }) => equal)).toEqual([true, true])
    expect(findings).toMatchObject([
      { code: 'log-malformed', severity: 'error', origin: { in: 'decision log', line: 12 } },
    ])
  })

  it('reports a run whose catalog is missing, and does not judge it', () => {
    const { runs, findings } = replay(log(desk).slice(1), options)
    expect(runs).toEqual([])
    expect(findings[0]?.message).toBe('line 1 of the log: the catalog of this run is missing before it')
  })

  it('does not take the parts of a catalog for a whole one', () => {
    const [catalog = '', run = '', ...rest] = log(desk)
    const record = JSON.parse(catalog) as { hash: string }
    const half = JSON.stringify({ ...record, hash: 'h in parts', part: 1, of: 2 })
    const altered = run.replace(record.hash, 'h in parts')
    expect(replay([half, altered, ...rest], options).runs).toEqual([])
  })

  it('keeps the list of bad lines short', () => {
    expect(
      replay(
        Array.from({ length: 5_000 }, () => '{'),
        options,
      ).findings,
    ).toHaveLength(200)
  })

  it('reads so', () => {
    const changes = [{ on: 'facts', op: 'add', path: ['agent', 'groups'], value: 'web' }] as const
    const lines = [...log(desk, reader).slice(0, -1), 'oops']
    expect(
      replayText(replay(lines, { ...options, change: { changes } }), { lang: 'en', width: 100 }),
    ).toMatchInlineSnapshot(`
      "1  2026-11-30T12:00:00.000Z  main  245cebd57458  equal
          before  agent main · model small · target common · preset default · 4 of 9 tools
          after   agent main · model small · target common · preset default · 5 of 9 tools
          facts that differ: agent

          + files__move_file  excluded → deferred
              before  tool-groups: the agent does not ask for group "web" (toolgate.yaml:40
                      agents.main.groups)
              after   deferral: the schemas of servers cost more than 50 tokens (toolgate.yaml:60
                      tool_search.budget)

          1 gained, 0 lost, 0 changed; 1 otherwise settled; 7 the same

      2  2026-11-30T12:00:00.000Z  reader  927c8f274028  differs
          mcp:lab/* decision: missing → excluded
          no difference: both are surface 927c8f274028

      1 of 2 runs equal bit for bit
      line 21 of the log: it is not JSON"
    `)
  })
})
