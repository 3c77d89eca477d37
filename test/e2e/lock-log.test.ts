// Surfaces that are kept: the lock that a pipeline compares with, requirements that are checked before a run, approved
// definitions, the decision log and what it answers later, and the stored inventory.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Drift } from '../../src/report/drift.ts'
import type { Replay } from '../../src/report/replay.ts'
import { listed, offering, type Project, project, scriptedProgram } from './project.ts'

const plan = (...tools: readonly unknown[]): string => JSON.stringify(offering(...tools))

/** A project whose server can be changed between two runs. */
const shelf = (more = ''): Project =>
  project({
    'plan.json': plan('find', 'fetch'),
    'toolgate.yaml': `version: 1
models:
  - { name: sighted, can: [tools, vision] }
tools:
  - { name: read_file, use: "toolgate/tools:readFile" }
mcp_servers:
  shelf: { command: "${process.execPath}", args: ["${scriptedProgram}", "@plan.json"] }
${more}`,
  })

describe('the lock [D9]', () => {
  const lab = shelf()

  it('is written for review, and nothing has drifted at first', async () => {
    const { code, stdout } = await lab.run(['lock'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^toolgate\.lock\.json: 6 tools, surface [0-9a-f]{12}$/m)
    const lock = JSON.parse(lab.read('toolgate.lock.json')) as { schema: string; tools: { name: string }[] }
    expect(lock.schema).toBe('toolgate.lock/1')
    expect(lock.tools.map(({ name }) => name)).toEqual([
      'ask_clarification',
      'present_files',
      'read_file',
      'shelf__fetch',
      'shelf__find',
      'view_image',
    ])
    expect((await lab.run(['diff', '--locked'])).code).toBe(0)
  })

  it('is the same file, byte for byte, when it is written again', async () => {
    const before = lab.read('toolgate.lock.json')
    await lab.run(['lock', '--out', 'again.json'])
    expect(lab.read('again.json')).toBe(before)
  })

  it('fails a pipeline when a server says another thing of a tool, gains one or loses one', async () => {
    lab.write('plan.json', plan(listed('find', { description: 'Finds, and sends a copy elsewhere.' }), 'delete'))
    const { code, stdout } = await lab.run(['diff', '--locked', '--json'])
    expect(code).toBe(1)
    const { same, differences } = JSON.parse(stdout) as Drift
    expect(same).toBe(false)
    expect(differences.map((one) => `${one.code} ${one.name}`)).toEqual([
      'tool-gained shelf__delete',
      'tool-lost shelf__fetch',
      'definition-changed shelf__find',
    ])
    const told = await lab.run(['diff', '--locked'])
    expect(told.stdout).toMatch(/^definition-changed {2}shelf__find: .*[0-9a-f]{12} → [0-9a-f]{12}$/m)
    expect(told.stderr).toMatch(
      /^error surface-drift .*\n {2}at toolgate\.lock\.json\n {2}do review the difference; run `toolgate lock` to accept it$/m,
    )
  })

  it('fails for a rule that was added as well, and names it', async () => {
    lab.write('plan.json', plan('find', 'fetch'))
    const { code, stdout } = await lab.run(['diff', '--locked', '--deny-tool', 'read_file'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^tool-lost {2}read_file: .*--deny-tool read_file/m)
  })

  it('that somebody has edited is no lock any more', async () => {
    lab.write('edited.json', lab.read('toolgate.lock.json').replace('"free"', '"whatever"'))
    const { code, stderr } = await lab.run(['diff', '--locked', '--lock-file', 'edited.json'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/lock-format .*tools\[0\] is not a locked tool/)
  })
})

describe('what a run must have and must not have [D9]', () => {
  it('fails `check` with file and line, and the reason why it is so', async () => {
    const lab = shelf(`permissions: { deny: [read_file] }
require:
  - read_file
  - shelf/find
  - shelf/nothing
forbid:
  - shelf/fetch
  - bash
`)
    const { code, stdout } = await lab.run(['check', '--json'])
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string; origin?: object }[] }
    expect(findings.filter(({ code: found }) => found.startsWith('requirement-'))).toMatchObject([
      {
        code: 'requirement-missing',
        message: expect.stringMatching(/"read_file" is not on the surface: permissions: /),
        origin: { in: 'toolgate.yaml', line: 10 },
      },
      {
        code: 'requirement-missing',
        message: expect.stringMatching(/"shelf\/nothing" is not on the surface: nothing offers it/),
        origin: { line: 12 },
      },
      {
        code: 'requirement-forbidden',
        message: expect.stringMatching(/"shelf\/fetch" is on the surface: shelf__fetch/),
        origin: { line: 14 },
      },
    ])
  })
})

describe('approved definitions [G12]', () => {
  const lab = shelf('pins: { enabled: true }\n')

  it('are needed for every tool once pins are on', async () => {
    const { decisions } = await lab.why('shelf/find')
    expect(decisions).toMatchObject([{ outcome: 'excluded', settledBy: 'definition', code: 'definition-not-approved' }])
    const { stdout } = await lab.run(['check'])
    expect(stdout).toContain('pins-missing')
  })

  it('are stored by `lock --pins`, after which the tools are there', async () => {
    const { code, stdout } = await lab.run(['lock', '--pins'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/pins\.json: \d+ definitions approved/)
    expect((await lab.why('shelf/find')).decisions).toMatchObject([{ outcome: 'eager' }])
  })

  it('do not cover a definition that changed since: it is withheld, the rest is as it was', async () => {
    lab.write('plan.json', plan(listed('find', { description: 'Finds, and more.' }), 'fetch'))
    const { kind, decisions } = await lab.why('shelf/find')
    expect(kind).toBe('excluded')
    expect(decisions).toMatchObject([{ settledBy: 'definition', code: 'definition-changed' }])
    const { stdout } = await lab.run(['why', 'shelf/find'])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /its definition changed since it was approved \(sha256 [0-9a-f]{12} then, [0-9a-f]{12} now/,
    )
    expect(stdout).toMatch(/change it: read what changed, then approve the definition again/)
    expect((await lab.why('shelf/fetch')).kind).toBe('exposed')

    await lab.run(['lock', '--pins'])
    expect((await lab.why('shelf/find')).kind).toBe('exposed')
  })
})

describe('the decision log [D6]', () => {
  const lab = shelf('permissions: { ask: ["shelf/fetch"] }\n')
  const replayed = (words: readonly string[] = []): Promise<Replay> =>
    lab.json<Replay>(['replay', 'runs.jsonl', ...words])

  it('is appended to by each run, and each is made again bit for bit', async () => {
    expect((await lab.run(['tools', '--log', 'runs.jsonl'])).code).toBe(0)
    expect((await lab.run(['why', 'read_file', '--no-mcp', '--log', 'runs.jsonl'])).code).toBe(0)
    const { runs, findings } = await replayed()
    expect(findings).toEqual([])
    expect(runs.map(({ seq, equal }) => ({ seq, equal }))).toEqual([
      { seq: 1, equal: true },
      { seq: 2, equal: true },
    ])
    expect(runs[0]?.surface).not.toBe(runs[1]?.surface)
    const lines = lab
      .read('runs.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; steps?: object[] })
    expect(lines.filter(({ type }) => type === 'decision').every(({ steps }) => (steps?.length ?? 0) > 0)).toBe(true)
  })

  it('answers what would have been with another fact', async () => {
    const { runs } = await replayed(['--set', 'model.can=["tools"]'])
    expect(
      runs[0]?.whatIf?.changed.map(({ id, before, after }) => [id, before.outcome, after.outcome, after.settledBy]),
    ).toEqual([['builtin:view_image', 'eager', 'excluded', 'model-capability']])
    const { stdout } = await lab.run(['replay', 'runs.jsonl', '--set', 'model.can=["tools"]'])
    expect(stdout).toMatch(/view_image/)
  })

  it('answers what would have been with other policy flags', async () => {
    const { runs } = await replayed(['--no-mcp', '--deny-tool', 'read_file'])
    expect(
      runs.map(({ whatIf }) =>
        whatIf?.changed
          .filter(({ reasons }) => reasons.includes('outcome'))
          .map(({ id, after }) => `${id} ${after.settledBy}`),
      ),
    ).toEqual([
      ['config:read_file permissions', 'mcp:shelf/find mcp-switch', 'mcp:shelf/fetch mcp-switch'],
      ['config:read_file permissions'],
    ])
  })

  it.each([
    { words: ['--agent', 'main'], says: /--agent has no effect on a log/ },
    { words: ['--set', 'model.can'], says: /--set takes PATH=JSON/ },
    { words: ['--set', 'model.can=tools'], says: /is not JSON/ },
  ])('takes no question that means nothing to it: $words', async ({ words, says }) => {
    const { code, stderr } = await lab.run(['replay', 'runs.jsonl', ...words])
    expect(code).toBe(2)
    expect(stderr).toMatch(says)
  })

  it('that was altered fails, and says which run and where', async () => {
    const text = lab.read('runs.jsonl')
    lab.write('altered.jsonl', text.replace('"outcome":"eager"', '"outcome":"excluded"'))
    const { code, stdout } = await lab.run(['replay', 'altered.jsonl', '--json'])
    expect(code).toBe(1)
    const { runs } = JSON.parse(stdout) as Replay
    expect(runs[0]).toMatchObject({
      seq: 1,
      equal: false,
      difference: { field: 'outcome', recorded: '"excluded"', replayed: '"eager"' },
    })
    expect(runs[1]).toMatchObject({ seq: 2, equal: true })
  })
})

describe('the stored inventory [S6]', () => {
  it('gives the same surface, to the hash, without starting anything', async () => {
    const lab = shelf('permissions: { ask: ["shelf/fetch"], deny: ["shelf/find(text:rm *)"] }\n')
    const living = await lab.tools()
    expect((await lab.run(['snapshot', '--out', 'then.json'])).code).toBe(0)
    lab.write('plan.json', JSON.stringify({ exit: { at: 'start', code: 1 } }))

    const stored = await lab.tools(['--snapshot', 'then.json'])
    expect(stored.surface).toBe(living.surface)
    expect(stored.decisions.map(({ steps }) => steps)).toEqual(living.decisions.map(({ steps }) => steps))
    expect((await lab.tools(['--snapshot', 'then.json', '--config', 'toolgate.yaml'])).surface).toBe(living.surface)
    expect(readFileSync(lab.path('then.json'), 'utf8')).toContain('"schema":"toolgate.snapshot/1"')

    const { stdout } = await lab.run(['diff', 'snapshot:then.json', 'config:toolgate.yaml'])
    expect(stdout).toMatch(/shelf__find/)
  })
})
