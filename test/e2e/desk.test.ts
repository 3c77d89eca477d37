// The example project as a newcomer meets it: two agents, three real MCP servers, and the mistakes that it holds on
// purpose. Names and outcomes are pinned, figures are not: the servers are other people's programs.

import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Explanation } from '../../src/report/explain.ts'
import type { DecisionReport, ToolsReport } from '../../src/report/tools-report.ts'
import { ensureBuilt, root } from './built.ts'
import { leftRunning } from './processes.ts'
import { documentOf, freshFolder, outcomes } from './project.ts'
import { run, runProgram } from './run.ts'

/** A copy, so that nothing is stored from earlier runs and its servers can be told from those of other tests. */
const home = freshFolder()
const desk = join(home, 'examples/desk')
const here = { cwd: desk }
let clerk: ToolsReport
let reader: ToolsReport

const toolsOf = async (words: readonly string[]): Promise<ToolsReport> =>
  documentOf<ToolsReport>(await run(['tools', '--json', ...words], here))
const whyOf = async (name: string, words: readonly string[] = []): Promise<Explanation> =>
  documentOf<Explanation>(await run(['why', name, '--json', ...words], here))
const decisionOf = (report: ToolsReport, id: string): DecisionReport | undefined =>
  report.decisions.find((decision) => decision.id === id)
const lineOf = (text: string): number =>
  readFileSync(join(desk, 'toolgate.yaml'), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1

beforeAll(async () => {
  cpSync(join(root, 'examples/desk'), desk, {
    recursive: true,
    filter: (file) => !file.includes('.toolgate') && !file.includes('node_modules'),
  })
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'junction')
  clerk = await toolsOf([])
  reader = await toolsOf(['--agent', 'reader'])
})

const files = (names: string): string[] => names.split(' ').map((name) => `files__${name}`)

describe('the surface of the clerk [S1, S3, S4, G2, G6, G9]', () => {
  it('is this, with these outcomes', () => {
    expect(outcomes(clerk)).toEqual([
      'read_file eager',
      'write_file eager',
      'bash excluded',
      'search_notes eager',
      'echo eager',
      'ask_clarification eager',
      'present_files eager',
      'view_image eager',
      'task eager',
      'tool_search eager',
      'files__read_file eager',
      'files__read_text_file eager',
      'files__read_media_file eager',
      'files__read_multiple_files eager',
      'files__write_file excluded',
      'files__edit_file deferred ask',
      'files__create_directory eager',
      'files__list_directory eager',
      'files__list_directory_with_sizes eager',
      'files__directory_tree eager',
      'files__move_file excluded',
      'files__search_files deferred',
      'files__get_file_info eager',
      'files__list_allowed_directories eager',
      'memory__create_entities eager',
      'memory__create_relations eager',
      'memory__add_observations eager',
      'memory__delete_entities excluded',
      'memory__delete_observations excluded',
      'memory__delete_relations excluded',
      'memory__read_graph eager',
      'memory__search_nodes eager',
      'memory__open_nodes eager',
      'echo excluded',
      'get-annotated-message eager',
      'get-env eager',
      'get-resource-links eager',
      'get-resource-reference eager',
      'get-structured-content eager',
      'get-sum eager',
      'get-tiny-image eager',
      'gzip-file-as-resource deferred',
      'toggle-simulated-logging eager',
      'toggle-subscriber-updates eager',
      'trigger-long-running-operation eager',
      'simulate-research-query eager',
      'calendar__* excluded',
      'tickets__* excluded',
    ])
  })

  it('loses each excluded tool to one gate, and the counts add up', () => {
    expect(clerk.totals.byGate).toEqual({
      'host-shell': { 'host-shell-closed': 1 },
      permissions: { denied: 4 },
      availability: { disabled: 2, 'failed-to-start': 1 },
      'unique-name': { 'duplicate-name': 1 },
    })
    const { candidates, eager, deferred, excluded } = clerk.totals
    expect({ candidates, excluded }).toEqual({ candidates: 48, excluded: 9 })
    expect(eager + deferred + excluded).toBe(candidates)
  })

  it('tells what became of each server', () => {
    expect(clerk.servers.map(({ name, state, tools }) => [name, state, tools])).toEqual([
      ['files', 'available', 14],
      ['memory', 'available', 9],
      ['demo', 'available', 13],
      ['calendar', 'failed-to-start', 0],
      ['tickets', 'disabled', 0],
    ])
  })

  it.each([
    { mistake: 'the shadowed name', id: 'mcp:demo/echo', code: 'duplicate-name', line: 'notes.mjs:echo' },
    { mistake: 'the denied tool', id: 'mcp:files/write_file', code: 'denied', line: 'deny: [' },
    {
      mistake: 'the program that is not installed',
      id: 'mcp:calendar/*',
      code: 'failed-to-start',
      line: 'calendar-mcp-server',
    },
    { mistake: 'the server that is switched off', id: 'mcp:tickets/*', code: 'disabled', line: '    enabled: false' },
    { mistake: 'the tool that is switched off', id: 'mcp:files/move_file', code: 'disabled', line: 'move_file: {' },
  ])('names $mistake with its code and line', ({ id, code, line }) => {
    const decision = decisionOf(clerk, id)
    expect(decision).toMatchObject({ outcome: 'excluded', code })
    const step = decision?.steps.at(-1)
    expect(step?.origin?.line ?? decision?.origin.line).toBe(lineOf(line))
    expect(decision?.hint).toBeTruthy()
  })
})

describe('the surface of the reader [G3, G7]', () => {
  it('has these tools and no other', () => {
    expect(outcomes(reader).filter((line) => !line.includes(' excluded'))).toEqual([
      'read_file eager',
      'search_notes eager',
      'ask_clarification eager',
      'present_files eager',
      'files__read_text_file eager',
      'files__list_directory eager',
      'files__search_files eager',
      'memory__open_nodes eager',
    ])
  })

  it('loses the rest to these gates', () => {
    expect(reader.totals.byGate).toEqual({
      'host-shell': { 'host-shell-closed': 1 },
      'skill-tools': { 'no-skill-allows': 30 },
      'model-capability': { 'model-cannot': 1 },
      deferral: { 'catalog-empty': 1 },
      permissions: { denied: 4 },
      availability: { disabled: 2, 'failed-to-start': 1 },
    })
  })

  it('differs from that of the clerk by the gate that `diff` names for each line [D4]', async () => {
    const { stdout, code } = await run(['diff', 'clerk', 'reader'], here)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^- view_image +eager → excluded\n.*\n.*model-capability: it needs a model that can see/m)
    expect(stdout).toMatch(/^- memory__create_entities .*\n(?: +.*\n)*? +after +skill-tools: /m)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 gained, 31 lost, 1 changed; 3 otherwise settled; 13 the same')
  })
})

describe('why [D3]', () => {
  it.concurrent('answers for the tool that a server would shadow, with the winner', async () => {
    const { kind, decisions } = await whyOf('echo')
    expect(kind).toBe('exposed')
    expect(decisions.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['config:echo', 'eager'],
      ['mcp:demo/echo', 'excluded'],
    ])
    expect(decisions[1]?.relations).toMatchObject([{ kind: 'shadowed-by', others: ['config:echo'] }])
  })

  it.concurrent('answers for a server by its name', async () => {
    const { server, decisions } = await whyOf('calendar')
    expect(server).toMatchObject({ name: 'calendar', state: 'failed-to-start' })
    expect(decisions.map((decision) => decision.id)).toEqual(['mcp:calendar/*'])
  })

  it.concurrent('knows the declared name as well as the one that the model sees [S2]', async () => {
    const { decisions } = await whyOf('find_note')
    expect(decisions).toMatchObject([{ name: 'search_notes', declaredName: 'find_note', outcome: 'eager' }])
  })
})

describe('a second run', () => {
  it('gives the same surface over the stored listings, to the hash [D1]', async () => {
    expect((await toolsOf([])).surface).toBe(clerk.surface)
  })
})

describe('npm start', () => {
  it('prints the surface, three answers to why and a conversation, and ends well', async () => {
    ensureBuilt()
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
    const [program, ...words] = scripts.start.split(' ')
    expect(program).toBe('node')
    const { code, stdout, stderr } = await runProgram(process.execPath, words)
    expect(stderr).not.toMatch(/Error/)
    expect(code).toBe(0)
    for (const name of files('read_text_file write_file')) expect(stdout).toContain(name)
    expect(stdout).toMatch(/candidates +48 = \d+ eager \+ \d+ deferred \+ 9 excluded/)
    expect(stdout.match(/^\$ toolgate why \S+$/gm)).toEqual([
      '$ toolgate why bash',
      '$ toolgate why files__write_file',
      '$ toolgate why calendar',
    ])
    expect(stdout.match(/change it: /g)).toHaveLength(3)
    expect(stdout).toMatch(
      /^\$ toolgate run --config \S+toolgate\.yaml --model script:\S+conversation\.yaml --thread example$/m,
    )
    for (const line of [
      '+ loaded files__search_files',
      '✗ refused: denied',
      '? How long',
      'reader│',
      '⬇ /mnt/user-data/',
    ])
      expect(stdout).toContain(line)
    expect(stderr).toContain('All of the script was played.')
    expect(stdout).toContain('Try next')
  })
})

describe('afterwards', () => {
  it('no server is left running [S4]', async () => {
    expect(await leftRunning(home)).toEqual([])
  })
})
