import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { mcpCandidates } from '../../src/sources/mcp-candidates.ts'
import { toolsNotOffered } from '../../src/sources/tools-not-offered.ts'
import { listedTool, serverConfig } from './scripted.ts'

const origin = { in: 'toolgate.yaml', line: 12 }
const offered = (more: Partial<McpServerConfig>, ...tools: readonly unknown[]) =>
  mcpCandidates(serverConfig('crm', more), tools, { state: 'available' })
const namesOf = async (more: Partial<McpServerConfig>, ...names: readonly string[]) =>
  (await offered(more, ...names.map((name) => listedTool(name)))).candidates.map((candidate) => candidate.name)

describe('names of MCP tools [S2, S8]', () => {
  it('bear the server, or not', async () => {
    expect(await namesOf({}, 'find')).toEqual(['crm__find'])
    expect(await namesOf({ prefix: false }, 'find')).toEqual(['find'])
  })

  it('bear it once where the server wrote it already [C-037]', async () => {
    expect(await namesOf({}, 'mcp__crm__find', 'crm__close', 'crm__', 'crm_open')).toEqual([
      'crm__find',
      'crm__close',
      'crm__crm__',
      'crm__crm_open',
    ])
  })

  it('bear it twice before two tools get one name', async () => {
    const names = await namesOf({}, 'find', 'crm__find', 'mcp__crm__find')
    expect(names).toEqual(['crm__find', 'crm__crm__find', 'crm__mcp__crm__find'])
  })

  it('are kept beside what goes over the wire', async () => {
    const { candidates } = await offered({}, listedTool('mcp__crm__find'))
    expect(candidates[0]).toMatchObject({
      id: 'mcp:crm/mcp__crm__find',
      originalName: 'mcp__crm__find',
      name: 'crm__find',
      server: 'crm',
      protocol: 'mcp',
    })
  })
})

describe('marks of the operator [G1, S8]', () => {
  it('of a tool beat those of its server', async () => {
    const { candidates } = await offered(
      {
        group: 'sales',
        keywords: ['client'],
        priority: 1,
        effects: ['read'],
        tools: [
          {
            name: 'drop',
            group: 'danger',
            effects: ['write'],
            role: 'file-edit',
            keywords: ['remove'],
            priority: 9,
            origin,
          },
        ],
      },
      listedTool('find'),
      listedTool('drop'),
    )
    expect(candidates[0]).toMatchObject({
      group: 'sales',
      effects: ['read'],
      effectsBy: 'declared',
      routing: { keywords: ['client'], priority: 1 },
    })
    expect(candidates[1]).toMatchObject({
      group: 'danger',
      effects: ['write'],
      role: 'file-edit',
      routing: { keywords: ['remove'], priority: 9 },
    })
  })

  it('make a shell of a tool, with what a shell needs [G2]', async () => {
    const { candidates } = await offered({ tools: [{ name: 'run', role: 'shell', origin }] }, listedTool('run'))
    expect(candidates[0]).toMatchObject({ role: 'shell', needs: ['host-shell'] })
  })

  const claims = [
    { annotations: undefined, trust: true, effects: ['read', 'write', 'execute', 'network'], by: 'assumed' },
    {
      annotations: { readOnlyHint: true },
      trust: false,
      effects: ['read', 'write', 'execute', 'network'],
      by: 'assumed',
    },
    { annotations: { readOnlyHint: true }, trust: true, effects: ['read', 'network'], by: 'claimed' },
    { annotations: { readOnlyHint: true, openWorldHint: false }, trust: true, effects: ['read'], by: 'claimed' },
    {
      annotations: { readOnlyHint: false, openWorldHint: false },
      trust: true,
      effects: ['read', 'write', 'execute'],
      by: 'claimed',
    },
    {
      annotations: { destructiveHint: false },
      trust: true,
      effects: ['read', 'write', 'execute', 'network'],
      by: 'assumed',
    },
  ]
  it.each(claims)(
    'are claims of the server only where it is trusted: $annotations $trust',
    async ({ annotations, trust, effects, by }) => {
      const { candidates } = await offered({ trustAnnotations: trust }, listedTool('a', { annotations }))
      expect(candidates[0]).toMatchObject({ effects, effectsBy: by })
    },
  )

  it('leave tools out, each with the key that does it', async () => {
    const origins = {
      includeTools: { in: 'toolgate.yaml', key: 'include_tools' },
      excludeTools: { in: 'toolgate.yaml', key: 'exclude_tools' },
    }
    const { candidates } = await offered(
      { includeTools: ['a', 'b', 'c'], excludeTools: ['b'], tools: [{ name: 'c', enabled: false, origin }], origins },
      ...['a', 'b', 'c', 'd'].map((name) => listedTool(name)),
    )
    expect(candidates.map((candidate) => candidate.availability)).toEqual([
      { state: 'available' },
      { state: 'disabled', detail: 'exclude_tools names it', origin: origins.excludeTools },
      { state: 'disabled', detail: 'its entry under tools says enabled: false', origin },
      { state: 'disabled', detail: 'include_tools does not name it', origin: origins.includeTools },
    ])
  })

  it('leave all out when the list of those to include is empty [C-006]', async () => {
    const { candidates } = await offered({ includeTools: [] }, listedTool('a'))
    expect(candidates[0]?.availability.state).toBe('disabled')
  })

  it('that name what is not offered are told, with what may have been meant', () => {
    const server = serverConfig('crm', {
      includeTools: ['fnid_contact', 'mcp__crm__close', 'close'],
      excludeTools: ['crm/close', 'zzz'],
      tools: [{ name: 'Find_Contact', origin }],
    })
    expect(
      toolsNotOffered(server, ['find_contact', 'close']).map(({ code, message, hint }) => [
        code,
        message.split('"')[1],
        hint,
      ]),
    ).toEqual([
      ['tool-not-offered', 'fnid_contact', 'did you mean "find_contact"?'],
      ['tool-not-offered', 'mcp__crm__close', 'did you mean "close"?'],
      ['tool-not-offered', 'crm/close', 'did you mean "close"?'],
      ['tool-not-offered', 'zzz', 'run `toolgate tools` to see what it offers'],
      ['tool-not-offered', 'Find_Contact', 'did you mean "find_contact"?'],
    ])
  })
})

describe('the hash of a definition', () => {
  it('is that of the same words of another order, and not that of another owner or word', async () => {
    const one = await offered({}, listedTool('a', { inputSchema: { type: 'object', properties: { x: {}, y: {} } } }))
    const same = await offered(
      {},
      { inputSchema: { properties: { y: {}, x: {} }, type: 'object' }, description: 'Does a.', name: 'a' },
    )
    const word = await offered(
      {},
      listedTool('a', { description: 'Does A.', inputSchema: { type: 'object', properties: { x: {}, y: {} } } }),
    )
    const owner = await offered(
      { command: 'other' },
      listedTool('a', { inputSchema: { type: 'object', properties: { x: {}, y: {} } } }),
    )
    const hash = (result: typeof one) => result.candidates[0]?.definitionHash
    expect(hash(same)).toBe(hash(one))
    expect(hash(one)).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set([hash(one), hash(word), hash(owner)]).size).toBe(3)
    expect(Object.isFrozen(one.candidates[0]?.definition.inputSchema.properties)).toBe(true)
  })
})
