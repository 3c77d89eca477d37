// `why` names the gate, the code, the file and the line, and a change; the change, made by hand in that very file or
// on the command line, alters the answer. That it does so for every code is shown in test/gates; here, for every
// gate, it is seen from the outside.

import { describe, expect, it } from 'vitest'
import { gateOrder } from '../../src/gates/order.ts'
import type { ExplainedDecision } from '../../src/report/explain.ts'
import { offering, type Project, project, scripted } from './project.ts'
import { whyCases } from './why-cases.ts'

async function decided(
  lab: Project,
  name: string,
  id: string | undefined,
  words: readonly string[],
): Promise<ExplainedDecision> {
  const { decisions } = await lab.why(name, words)
  const decision = id === undefined ? decisions[0] : decisions.find((one) => one.id === id)
  if (decision === undefined) throw new Error(`no decision on ${name}`)
  return decision
}

describe('the change that `why` names [D3]', () => {
  it.concurrent('is tried for every gate that can take a tool away', () => {
    const excluding = gateOrder.default.filter(({ reasons }) =>
      Object.values(reasons).some(({ effect }) => effect === 'exclude'),
    )
    expect([...new Set(whyCases.map(({ gate }) => gate))].sort()).toEqual(excluding.map(({ id }) => id).sort())
  })

  it.concurrent.each(whyCases)('alters $gate $code for $name', async (one) => {
    const {
      gate,
      code,
      name,
      id,
      files,
      words = [],
      at,
      flag,
      says,
      edit,
      wordsThen = words,
      outcome = 'excluded',
    } = one
    const lab = project(files)
    const before = await decided(lab, name, id, words)
    expect(before).toMatchObject({ outcome, settledBy: gate, code })
    expect(before.change.sentences[0]).toMatch(says)
    if (at !== undefined) {
      const line = lab.lineOf(at.in, at.line)
      expect(before.change.origin).toMatchObject({ in: at.in, line })
    }
    if (flag !== undefined) expect(before.change.origin).toEqual({ in: 'command line', key: flag })

    if (edit !== undefined) {
      const text = lab.read(edit.file)
      expect(text).toContain(edit.from)
      lab.write(
        edit.file,
        text.replace(edit.from, () => edit.to),
      )
    }
    const after = await decided(lab, name, before.standIn === true ? undefined : before.id, wordsThen)
    expect(after, after.why).not.toMatchObject({ outcome })
  })
})

describe('why [D3]', () => {
  const lab = project({
    'toolgate.yaml': `version: 1
tools:
  - { name: read_file, use: "toolgate/tools:readFile" }
mcp_servers:
  shelf: ${scripted(offering('find', 'fetch'))}
  asleep: ${scripted(offering('find'), 'required: false')}
tool_search: { enabled: true }
permissions:
  ask: ["shelf/fetch"]
  deny: ["asleep/*", "read_file(path:/etc)"]
`,
  })

  it.concurrent('tells of an eager tool how the model gets to it, what is checked, and how to take it away', async () => {
    const { code, stdout } = await lab.run(['why', 'read_file'])
    expect(code).toBe(0)
    const text = stdout.replace(/\s+/g, ' ')
    expect(text).toContain('calls are checked against deny read_file(path:/etc)')
    expect(text).toContain('the model has name and schema, and calls read_file directly')
    expect(text).toMatch(/change it: to take it away, add "read_file" to permissions.deny/)
    expect(stdout).toContain('toolgate.yaml:10 permissions.deny[1]')

    const lines = lab.read('toolgate.yaml')
    lab.write('denied.yaml', lines.replace('deny: [', 'deny: [read_file, '))
    expect((await lab.why('read_file', ['--config', 'denied.yaml'])).kind).toBe('excluded')
  })

  it.concurrent('tells of a deferred tool that asks first', async () => {
    const { code, stdout } = await lab.run(['why', 'shelf/fetch'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^deferred +shelf__fetch +settled by deferral$/m)
    expect(stdout).toContain('tool_search')
    expect(stdout).toMatch(/asked before each call/)
  })

  it.concurrent('answers for every spelling of a name alike', async () => {
    const spellings = ['shelf__find', 'SHELF__FIND', 'shelf/find', 'mcp__shelf__find', 'mcp:shelf/find']
    const answers = await Promise.all(spellings.map((name) => lab.why(name)))
    expect(answers.map(({ decisions }) => decisions.map(({ id }) => id))).toEqual(
      spellings.map(() => ['mcp:shelf/find']),
    )
  })

  it.concurrent('answers for a tool of a server that was not started by the one that stands for it', async () => {
    const { server, decisions } = await lab.why('asleep__whatever')
    expect(server).toMatchObject({ name: 'asleep', state: 'not-started' })
    expect(decisions).toMatchObject([{ id: 'mcp:asleep/*', standIn: true, settledBy: 'permissions', code: 'denied' }])
    expect(decisions[0]?.relations).toMatchObject([{ kind: 'stands-for', others: ['asleep'] }])
  })

  it.concurrent('offers the nearest names for one that is not known', async () => {
    const { code, stdout } = await lab.run(['why', 'shelf__fnid'])
    expect(code).toBe(5)
    expect(stdout).toMatch(/no tool is called "shelf__fnid"/)
    expect(stdout).toMatch(/shelf__find/)
  })
})
