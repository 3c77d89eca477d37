import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { mcp } from '../../src/sources/mcp.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { config, input, listedTool, onePage, scripted } from './scripted.ts'

const collect = (...mcpServers: readonly McpServerConfig[]) => mcp.collect(input({ config: config({ mcpServers }) }))
const listed = async (plan: ServerPlan, more: Partial<McpServerConfig> = {}) => collect(scripted('lab', plan, more))
const tool = (more: object) =>
  listed(onePage(listedTool('good'), { ...listedTool('odd'), ...more }, listedTool('fine')))

describe('pages of a list [S4, C-153]', () => {
  it('are read to the end, and an empty cursor is a cursor', async () => {
    const { candidates, findings } = await listed({
      pages: [
        { tools: [listedTool('p1')], nextCursor: '' },
        { cursor: '', tools: [listedTool('p2')], nextCursor: 'é=+/' },
        { cursor: 'é=+/', tools: [listedTool('p3')] },
      ],
    })
    expect(candidates.map((candidate) => candidate.originalName)).toEqual(['p1', 'p2', 'p3'])
    expect(findings).toEqual([])
  })

  const leadingNowhere: readonly { readonly title: string; readonly plan: ServerPlan; readonly word: string }[] = [
    {
      title: 'a cursor that repeats',
      plan: { serve: 'repeat', page: { tools: [listedTool('same')], nextCursor: 'x' } },
      word: 'list-cursor-loop',
    },
    {
      title: 'cursors that lead in a circle',
      plan: {
        pages: [
          { tools: [listedTool('a1')], nextCursor: 'b' },
          { cursor: 'b', tools: [listedTool('b1')], nextCursor: 'a' },
          { cursor: 'a', tools: [listedTool('a1')], nextCursor: 'b' },
        ],
      },
      word: 'list-cursor-loop',
    },
    {
      title: 'a cursor that is no text',
      plan: { pages: [{ tools: [listedTool('p1')], nextCursor: { $gt: '' } }] },
      word: 'list-cursor-type',
    },
  ]
  it.each(leadingNowhere)('are a failed listing when they hold $title', async ({ plan, word }) => {
    const { candidates, servers } = await listed(plan)
    expect(candidates.map((candidate) => candidate.originalName)).toEqual(['*'])
    expect(servers).toMatchObject([{ state: 'listing-failed', detail: expect.stringContaining(word) }])
  })

  it('keep what was read when a later one is no list', async () => {
    const { candidates, findings, servers } = await listed({
      pages: [
        { tools: [listedTool('p1')], nextCursor: 'b' },
        { cursor: 'b', tools: 7 },
      ],
    })
    expect(candidates.map((candidate) => candidate.originalName)).toEqual(['p1'])
    expect(servers[0]?.state).toBe('available')
    expect(findings).toMatchObject([{ code: 'listing-malformed', message: expect.stringContaining('list-shape') }])
  })

  it.each([
    { title: 'with a tool on each', tools: [listedTool('t{i}')] },
    { title: 'that are empty', tools: [] },
  ])('without end, $title, are a failed listing', async ({ tools }) => {
    const { candidates, servers } = await collect(
      scripted('lab', { serve: 'counter', page: { tools }, cursor: 'c{i}' }),
      scripted('other', onePage(listedTool('x'))),
    )
    expect(servers).toMatchObject([
      { state: 'listing-failed', detail: expect.stringMatching(/list-too-many-pages/) },
      { state: 'available' },
    ])
    expect(candidates).toHaveLength(2)
  })

  it('hold ten thousand tools', async () => {
    const tools = Array.from({ length: 10_000 }, (_, index) => listedTool(`tool_${index}`))
    const before = performance.now()
    const { candidates } = await listed(onePage(...tools))
    expect(candidates).toHaveLength(10_000)
    expect(performance.now() - before).toBeLessThan(10_000)
  })
})

describe('one bad tool costs only itself [S4, C-009]', () => {
  const faulty: readonly {
    readonly title: string
    readonly more: object
    readonly code: string
    readonly detail: RegExp
  }[] = [
    { title: 'no inputSchema', more: { inputSchema: undefined }, code: 'invalid-schema', detail: /missing/ },
    { title: 'null for a schema', more: { inputSchema: null }, code: 'invalid-schema', detail: /null, not an object/ },
    {
      title: 'true for a schema',
      more: { inputSchema: true },
      code: 'invalid-schema',
      detail: /a boolean, not an object/,
    },
    {
      title: 'a list for a schema',
      more: { inputSchema: [] },
      code: 'invalid-schema',
      detail: /a list, not an object/,
    },
    {
      title: 'a schema of text',
      more: { inputSchema: { type: 'string' } },
      code: 'invalid-schema',
      detail: /says type "string"/,
    },
    {
      title: 'a schema of several types',
      more: { inputSchema: { type: ['object', 'null'] } },
      code: 'invalid-schema',
      detail: /says type \["object","null"\]/,
    },
    {
      title: 'a schema without a type',
      more: { inputSchema: { properties: {} } },
      code: 'invalid-schema',
      detail: /says no type/,
    },
    {
      title: 'a schema too big',
      more: {
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`p${n}`, { type: 'string' }])),
        },
      },
      code: 'definition-too-big',
      detail: /schema-too-big/,
    },
    {
      title: 'a schema too deep',
      more: { inputSchema: { type: 'object', properties: deep(1000) } },
      code: 'definition-too-big',
      detail: /schema-too-deep/,
    },
    {
      title: 'a hidden property name',
      more: { inputSchema: { type: 'object', properties: { 'q\u200b': {} } } },
      code: 'invalid-schema',
      detail: /invisible characters/,
    },
  ]
  it.each(faulty)('that has $title', async ({ more, code, detail }) => {
    const { candidates, findings } = await tool(more)
    expect(
      candidates.map((candidate) => [candidate.originalName, candidate.faults?.map((fault) => fault.code)]),
    ).toEqual([
      ['good', undefined],
      ['odd', [code]],
      ['fine', undefined],
    ])
    expect(candidates[1]?.faults?.[0]?.detail).toMatch(detail)
    expect(findings).toMatchObject([
      { code: 'tool-quarantined', subject: 'lab/odd', message: expect.stringMatching(detail) },
    ])
  })

  it.each([7, null, ['bash'], { a: 1 }])('whose name is %j', async (name) => {
    const { candidates } = await tool({ name })
    expect(candidates[1]).toMatchObject({ id: 'mcp:lab/#1', originalName: '', faults: [{ code: 'invalid-name' }] })
    expect(candidates).toHaveLength(3)
  })

  it('keeps the good ones among entries that are no tools', async () => {
    const { candidates, findings } = await listed(onePage(listedTool('good'), null, 7, 'x', [], listedTool('fine')))
    expect(candidates.map((candidate) => candidate.originalName)).toEqual(['good', 'fine'])
    expect(findings.map(({ subject }) => subject)).toEqual(['lab/#1', 'lab/#2', 'lab/#3', 'lab/#4'])
  })

  it('keeps the first of two tools of one name', async () => {
    const { candidates, findings } = await listed(
      onePage(listedTool('twin', { description: 'first' }), listedTool('twin', { description: 'second' })),
    )
    expect(candidates.map((candidate) => candidate.definition.description)).toEqual(['first'])
    expect(findings).toMatchObject([
      { code: 'listing-malformed', message: expect.stringMatching(/duplicate-name: "twin"/) },
    ])
  })

  it('drops a hint that is not true or false, and keeps keys that nobody knows', async () => {
    const { candidates, findings } = await tool({
      annotations: { readOnlyHint: 'yes', destructiveHint: false, category: 'navigation', conditions: ['x'] },
    })
    expect(candidates[1]?.definition.annotations).toEqual({
      destructiveHint: false,
      category: 'navigation',
      conditions: ['x'],
    })
    expect(findings).toMatchObject([
      { code: 'listing-malformed', message: expect.stringMatching(/readOnlyHint is not true or false/) },
    ])
  })

  it('takes null for no description, and a tool without properties as it is [C-008]', async () => {
    const { candidates, findings } = await tool({
      description: null,
      inputSchema: { type: 'object', additionalProperties: false },
    })
    expect(candidates[1]?.definition).toEqual({
      description: '',
      inputSchema: { type: 'object', additionalProperties: false },
    })
    expect(findings).toEqual([])
  })

  it('cuts a description that would fill the context, and says so', async () => {
    const { candidates, findings } = await tool({ description: 'd'.repeat(300_000) })
    expect(candidates[1]?.definition.description).toMatch(/d \[cut: 250000 more characters\]$/)
    expect(findings.map(({ code }) => code)).toEqual(['description-too-long'])
  })

  it('keeps a property called __proto__ as a property', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","description":"a\\u200bb"}}}',
    )
    const { candidates } = await tool({ inputSchema: schema })
    expect(JSON.stringify(candidates[1]?.definition.inputSchema)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string","description":"ab"}}}',
    )
    expect(({} as { readonly description?: unknown }).description).toBeUndefined()
  })

  it('takes hidden text out of every string, and says where it was', async () => {
    const { candidates, findings } = await tool({
      title: 'Ad\u202ed',
      description: 'Adds two numbers.\u001b[8m hidden from a terminal \u001b[0m',
      inputSchema: { type: 'object', properties: { mode: { enum: ['a', 'b\u200b'] } } },
      annotations: { title: 'x\u{e0041}' },
    })
    expect(candidates[1]?.definition).toEqual({
      title: 'Add',
      description: 'Adds two numbers. hidden from a terminal ',
      inputSchema: { type: 'object', properties: { mode: { enum: ['a', 'b'] } } },
      annotations: { title: 'x' },
    })
    expect(findings).toMatchObject([
      {
        code: 'hidden-text',
        subject: 'lab/odd',
        message: expect.stringContaining('inputSchema.properties.mode.enum[1]'),
      },
    ])
  })

  it('tells of a thousand faults in fifty findings and a number', async () => {
    const { candidates, findings } = await listed(
      onePage(listedTool('good'), ...Array.from({ length: 1000 }, () => null)),
    )
    expect(candidates).toHaveLength(1)
    expect(findings).toHaveLength(51)
    expect(findings.at(-1)?.message).toBe('lab: 950 more findings of this server are not shown')
  })

  it('tells of text on standard output, and reads on [C-172]', async () => {
    const { candidates, findings } = await listed({
      ...onePage(listedTool('a')),
      stdout: ['Server ready \u001b[32m✓', '{not json', ''],
    })
    expect(candidates).toHaveLength(1)
    expect(findings).toMatchObject([
      {
        code: 'listing-malformed',
        message:
          'lab: it prints text to standard output, where only messages belong (2 lines): Server ready \\u001b[32m✓',
      },
    ])
  })
})

function deep(levels: number): object {
  let value: object = {}
  for (let level = 0; level < levels; level += 1) value = { a: value }
  return value
}
