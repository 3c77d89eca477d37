import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtin } from '../../src/sources/builtin.ts'
import { mcpCandidates } from '../../src/sources/mcp-candidates.ts'
import { readSnapshot } from '../../src/sources/snapshot.ts'
import { freshFolder, input, listedTool, root, serverConfig } from './scripted.ts'

const file = (value: unknown): string => {
  const path = join(freshFolder(), 'inventory.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const some = async () => [
  ...(await builtin.collect(input())).candidates,
  ...(
    await mcpCandidates(
      serverConfig('crm', { group: 'sales', keywords: ['k'] }),
      [listedTool('find', { annotations: { category: 'x' } }), { name: 'bad' }],
      {
        state: 'timed-out',
        detail: 'late',
        origin: { in: 'a', key: 'b', line: 1, column: 2 },
        lastListedAt: '2026-01-01',
      },
    )
  ).candidates,
]
const snapshot = async () => ({
  schema: 'toolgate.snapshot/1',
  takenAt: '2026-11-30T00:00:00.000Z',
  preset: 'default',
  facts: { agent: 'x' },
  servers: [{ name: 'crm', transport: 'stdio', state: 'timed-out', required: false, tools: 2, origin: { in: 'a' } }],
  candidates: await some(),
})

describe('a snapshot of our own [S6]', () => {
  it('gives back every candidate as it was, frozen', async () => {
    const stored = await snapshot()
    const read = await readSnapshot(file(stored))
    expect(read).toEqual({
      form: 'toolgate',
      takenAt: stored.takenAt,
      preset: 'default',
      facts: stored.facts,
      servers: stored.servers,
      candidates: stored.candidates,
      findings: [],
    })
    expect(Object.isFrozen(read.candidates[0]?.definition.inputSchema)).toBe(true)
  })

  const faults: readonly (readonly [string, unknown, RegExp])[] = [
    ['source', 'elsewhere', /its source is not one of config, builtin/],
    ['id', 7, /its id is no text/],
    ['needs', ['money'], /its needs is not one of/],
    ['effects', 'read', /its effects is no list/],
    ['availability', { state: 'fine' }, /its availability is not one of/],
    ['availability', null, /its availability is no object/],
    ['definition', { description: 'x', inputSchema: [] }, /its inputSchema is no object/],
    ['definitionHash', 'abc', /64 hex digits/],
    ['role', 'king', /its role is not one of/],
    ['origin', 'a', /its origin is no object/],
    ['faults', [{ code: 'ugly', detail: '' }], /its faults is not one of/],
    ['routing', { keywords: [1], priority: 1 }, /routing.keywords holds something that is no text/],
  ]
  it.each(faults)('leaves out the candidate whose %s is %j, and no other', async (key, value, message) => {
    const stored = await snapshot()
    const candidates = stored.candidates.map((candidate, index) =>
      index === 1 ? { ...candidate, [key]: value } : candidate,
    )
    const read = await readSnapshot(file({ ...stored, candidates }))
    expect(read.candidates).toHaveLength(candidates.length - 1)
    expect(read.findings).toMatchObject([
      { code: 'snapshot-format', message: expect.stringMatching(message), origin: { key: 'candidates[1]' } },
    ])
  })

  it('counts an identity once, and drops what it does not know', async () => {
    const stored = await snapshot()
    const [first] = stored.candidates
    const read = await readSnapshot(file({ ...stored, candidates: [{ ...first, extra: 1 }, first] }))
    expect(read.candidates).toEqual([first])
    expect(read.findings).toMatchObject([{ message: expect.stringMatching(/occurs before/) }])
  })

  it('computes the size of a definition itself', async () => {
    const stored = await snapshot()
    const read = await readSnapshot(file({ ...stored, candidates: [{ ...stored.candidates[0], definitionChars: 1 }] }))
    expect(read.candidates).toEqual([stored.candidates[0]])
  })

  it('survives a candidate that nests without end', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const read = await readSnapshot(file(`{"schema":"toolgate.snapshot/1","candidates":[${deep}]}`))
    expect(read.findings).toMatchObject([{ message: 'entry 1 was left out: it is too deep' }])
  })

  it('tells of a hundred bad entries and a number', async () => {
    const read = await readSnapshot(file({ schema: 'toolgate.snapshot/1', candidates: Array(500).fill(1) }))
    expect(read.findings).toHaveLength(101)
    expect(read.findings.at(-1)?.message).toBe('400 more entries were left out')
  })

  it.each([
    ['no JSON', '{', /neither a list nor/],
    ['another schema', { schema: 'toolgate.snapshot/2', candidates: [] }, /neither a list nor/],
    ['candidates that are no list', { schema: 'toolgate.snapshot/1', candidates: {} }, /no list/],
    ['a list of something else', [1, 'x', {}], /no entry of the list/],
    [
      'facts too deep',
      `{"schema":"toolgate.snapshot/1","candidates":[],"facts":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      /facts are too deep/,
    ],
  ])('is refused as a whole when it is %s', async (_title, value, message) => {
    await expect(readSnapshot(file(value))).rejects.toThrow(message)
  })

  it.each(['/no/such/file.json', '/dev', '/dev/null'])('is refused with a sentence when it is %s', async (path) => {
    await expect(readSnapshot(path)).rejects.toThrow(/^snapshot-format: /)
  })

  it('is read or refused, whatever the file holds', async () => {
    const path = join(freshFolder(), 'any.json')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.jsonValue().map((candidate) => JSON.stringify({ schema: 'toolgate.snapshot/1', candidates: [candidate] })),
        ),
        async (text) => {
          writeFileSync(path, text)
          await readSnapshot(path).catch((error: Error) => expect(error.message).toMatch(/^snapshot-format: /))
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe("an inventory in claw-code's form [S6, G15]", () => {
  const entry = (name: string, hint: string, more: object = {}) => ({
    name,
    source_hint: hint,
    responsibility: `Mirrors ${hint}.`,
    ...more,
  })

  it('gives every entry an identity of its own, repeated names too', async () => {
    const { form, candidates, findings } = await readSnapshot(
      file([
        entry('prompt', 'tools/A/prompt.ts'),
        entry('prompt', 'tools/B/prompt.ts'),
        entry('prompt', 'tools/B/prompt.ts'),
      ]),
    )
    expect(form).toBe('claw-code')
    expect(candidates.map(({ id, name, source }) => [id, name, source])).toEqual([
      ['snapshot:prompt@tools/A/prompt.ts', 'prompt', 'snapshot'],
      ['snapshot:prompt@tools/B/prompt.ts', 'prompt', 'snapshot'],
      ['snapshot:prompt@tools/B/prompt.ts#2', 'prompt', 'snapshot'],
    ])
    expect(candidates[0]).toMatchObject({
      definition: { description: 'Mirrors tools/A/prompt.ts.', inputSchema: { type: 'object', properties: {} } },
      origin: { key: '[0]' },
    })
    expect(findings).toEqual([])
  })

  it.each([
    ['BashTool', 'tools/BashTool/BashTool.tsx', { role: 'shell', needs: ['shell'], marks: ['claw:simple-by-name'] }],
    ['FileReadTool', 'tools/FileReadTool/FileReadTool.ts', { role: 'file-read', marks: ['claw:simple-by-name'] }],
    ['FileEditTool', 'tools/FileEditTool/FileEditTool.ts', { role: 'file-edit', marks: ['claw:simple-by-name'] }],
    ['bashtool', 'tools/bashtool.ts', { needs: [], marks: [] }],
    ['MCPTool', 'tools/MCPTool/MCPTool.ts', { protocol: 'mcp', marks: ['claw:mcp-by-substring'] }],
    ['auth', 'services/mcp/auth.ts', { protocol: 'mcp', marks: ['claw:mcp-by-substring'] }],
    ['ListResources', 'tools/ListMcpResourcesTool/x.ts', { protocol: 'mcp', marks: ['claw:mcp-by-substring'] }],
    ['SystemCpuTool', 'tools/SystemCpuTool.ts', { protocol: 'native', marks: ['claw:mcp-by-substring'] }],
    ['CpuTool', 'tools/CpuTool.ts', { protocol: 'native', marks: [] }],
    ['AtomCpTool', 'tools/tomcpool.ts', { protocol: 'native', marks: ['claw:mcp-by-substring'] }],
  ])('reads %s of %s as it is declared', async (name, hint, expected) => {
    const { candidates } = await readSnapshot(file([entry(name, hint)]))
    expect(candidates[0]).toMatchObject(expected)
  })

  it('lets an entry say its protocol', async () => {
    const { candidates } = await readSnapshot(
      file([
        entry('RemoteSearch', 'tools/RemoteSearch.ts', { protocol: 'mcp' }),
        entry('MCPLook', 'tools/MCPLook.ts', { protocol: 'native' }),
        entry('X', 'x.ts', { protocol: 'smoke' }),
      ]),
    )
    expect(candidates.map(({ protocol, marks }) => [protocol, marks])).toEqual([
      ['mcp', []],
      ['native', ['claw:mcp-by-substring']],
      ['native', []],
    ])
  })

  it('leaves out an entry that is none, and keeps the others', async () => {
    const { candidates, findings } = await readSnapshot(
      file([entry('a', 'a.ts'), { name: 'b' }, 7, entry('c', 'c.ts', { responsibility: 5 })]),
    )
    expect(candidates.map(({ name, definition }) => [name, definition.description])).toEqual([
      ['a', 'Mirrors a.ts.'],
      ['c', ''],
    ])
    expect(findings.map(({ origin }) => origin?.key)).toEqual(['[1]', '[2]'])
  })
})

it('starts and imports nothing to read a snapshot [S6]', () => {
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    // What is imported as a type is gone when the program runs.
    const text = readFileSync(path, 'utf8').replaceAll(/^(?:import|export) type .*$/gm, '')
    for (const [, found] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) visit(join(path, '..', found ?? ''))
  }
  visit(join(root, 'src/sources/snapshot.ts'))
  const files = [...seen].map((path) => path.slice(root.length + 1))
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((path) => path.startsWith('src/sessions/') || path.endsWith('load-export.ts'))).toEqual([])
})
