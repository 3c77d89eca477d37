import { describe, expect, it } from 'vitest'
import { promptFindings } from '../../src/catalog/prompt/prompt-findings.ts'
import { toolsNamedIn } from '../../src/catalog/prompt/tools-named-in.ts'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { aCandidate, aSearchTool, aStandIn, sha256, someFacts } from '../../src/testing/world.ts'

const surfaceOf = (...candidates: readonly Candidate[]) =>
  assemble(
    someFacts({
      deferral: { mode: 'on', always: ['crm__pinned_report'] },
      permissions: {
        rules: [{ effect: 'deny', text: 'drop_table', scope: 'config', origin: { in: 'toolgate.yaml' } }],
        otherwise: 'allow',
      },
    }),
    candidates,
    gateOrder.default,
    { sha256 },
  )

const surface = surfaceOf(
  aSearchTool(),
  aCandidate({ originalName: 'read_file' }),
  aCandidate({ originalName: 'drop_table' }),
  aCandidate({ originalName: 'search' }),
  aCandidate({ server: 'crm', originalName: 'create_report' }),
  aCandidate({ server: 'crm', originalName: 'pinned_report' }),
  aCandidate({ server: 'a', originalName: 'syncAll' }),
  aCandidate({ server: 'b', originalName: 'syncAll' }),
  aCandidate({ originalName: 'list_items' }),
  aCandidate({ server: 'crm', originalName: 'list_items' }),
  aStandIn('asleep'),
)

const named = (text: string): readonly string[] =>
  toolsNamedIn(text, surface).map(({ name, outcome }) => `${name} ${outcome}`)

describe('tools that a text names [C-139]', () => {
  it.each<readonly [text: string, expected: readonly string[]]>([
    ['Use crm__create_report, then read_file.', ['crm__create_report deferred', 'read_file eager']],
    ['Use create_report directly.', ['crm__create_report deferred']],
    ['请先使用create_report工具，再用read_file。', ['crm__create_report deferred', 'read_file eager']],
    ['Never call drop_table!', ['drop_table excluded']],
    ['**read_file** (twice: read_file)', ['read_file eager']],
    [
      'functions.read_file, tools/drop_table, mcp__crm__create_report',
      ['read_file eager', 'drop_table excluded', 'crm__create_report deferred'],
    ],
    ['crm/create_report and mcp:crm/create_report.', ['crm__create_report deferred', 'crm__create_report deferred']],
    ['call list_items', ['list_items eager']],
    ['call syncAll', ['a__syncAll deferred', 'b__syncAll deferred']],
    ['create_report_v2 and my_create_report and read_files', []],
    ['read-file read file reread_file', []],
    ['Please search the web; my search is done.', []],
    ['Use `search` and Search(q)', ['search eager', 'search eager']],
    ['the search(es) you made', []],
    ['the server asleep, `asleep`', []],
    ['', []],
  ])('%j', (text, expected) => expect(named(text)).toEqual(expected))

  it('are told with the place where they are first written', () => {
    expect(toolsNamedIn('xx read_file, read_file', surface)).toEqual([
      { name: 'read_file', outcome: 'eager', as: 'read_file', at: 3 },
    ])
  })

  it('are looked up once for each word, however long the text is', () => {
    const lookups: string[] = []
    const counted = {
      ...surface,
      named: (word: string) => {
        lookups.push(word)
        return surface.named(word)
      },
    }
    const text = `${'create_report '.repeat(50_000)}${'a/'.repeat(50_000)}${'-.:/'.repeat(50_000)}${'x'.repeat(200_000)}`
    expect(toolsNamedIn(text, counted).map(({ name }) => name)).toEqual(['crm__create_report'])
    expect(lookups).toEqual(['create_report'])
  })
})

describe('the findings about a prompt [C-139]', () => {
  const told = (text: string) =>
    promptFindings(text, surface, { where: 'the prompt of agent "main"', origin: { in: 'toolgate.yaml', line: 3 } })

  it('tell of what is deferred, with the way out', () => {
    expect(told('use create_report directly')).toEqual([
      {
        code: 'prompt-names-deferred',
        severity: 'warning',
        subject: 'create_report',
        message: 'the prompt of agent "main" names "create_report", whose schema the model has only after tool_search',
        hint: 'list "crm__create_report" under `tool_search.always`, or say in the text to fetch it with tool_search first',
        origin: { in: 'toolgate.yaml', line: 3 },
      },
    ])
  })

  it.each<readonly [text: string, codes: readonly string[]]>([
    ['drop_table', ['prompt-names-excluded']],
    ['read_file', []],
    ['crm__pinned_report', []],
    ['pinned_report', ['prompt-names-otherwise']],
    ['syncAll', ['prompt-names-deferred']],
    ['nothing of ours', []],
  ])('%s', (text, codes) => expect(told(text).map(({ code }) => code)).toEqual(codes))

  it('name the code that excluded it, and the name that the model knows', () => {
    expect(told('drop_table')[0]?.message).toContain(`(${surface.named('drop_table')[0]?.code})`)
    expect(told('pinned_report')[0]?.message).toContain('as "crm__pinned_report"')
  })

  it('offer the name that a misspelled one is nearly', () => {
    expect(told('call drop_tabel, then read_fille')).toEqual([
      {
        code: 'prompt-names-unknown',
        severity: 'warning',
        subject: 'drop_tabel',
        message: 'the prompt of agent "main" names "drop_tabel", and there is no such tool',
        hint: 'did you mean "drop_table"',
        origin: { in: 'toolgate.yaml', line: 3 },
      },
      expect.objectContaining({ subject: 'read_fille', hint: 'did you mean "read_file"' }),
    ])
  })

  it.each<readonly [text: string, near: readonly string[]]>([
    ['请用read_fille读取', ['read_file']],
    ['`seach`, searh(q)', ['search', 'search']],
    ['READ_FILES', ['read_file']],
    ['seach the web', []],
    ['paths: notes/read_fille, read_fille.md, https://a.example/read_fille, mcp:read_fille', []],
    ['file_path and some_words and reed_fill', []],
    ['the argument list_item is short', []],
    ['read-fille', []],
  ])('of unknown words in %j: %j', (text, near) => {
    const argued = { type: 'object', properties: { list_item: { type: 'string' } } }
    const tools = surfaceOf(
      aCandidate({ originalName: 'read_file' }),
      aCandidate({ originalName: 'list_items', definition: { description: '', inputSchema: argued } }),
      aCandidate({ originalName: 'search' }),
    )
    const found = promptFindings(text, tools, { where: 'it' }).filter(({ code }) => code === 'prompt-names-unknown')
    expect(found.map(({ hint }) => hint)).toEqual(near.map((name) => `did you mean "${name}"`))
  })

  it('prefer a name that the model has', () => {
    const both = surfaceOf(aCandidate({ originalName: 'drop_table' }), aCandidate({ originalName: 'drop_tables_' }))
    expect(promptFindings('drop_tables', both, { where: 'it' })[0]?.hint).toBe('did you mean "drop_tables_"')
  })

  it('look at two hundred unknown words and no more', () => {
    const text = `${Array.from({ length: 300 }, (_, at) => `word_number_${at}`).join(' ')} read_fille`
    expect(told(text)).toEqual([])
    expect(told(`read_fille ${text}`)).toHaveLength(1)
  })

  it('end at a hundred', () => {
    const tools = Array.from({ length: 150 }, (_, at) => aCandidate({ server: 's', originalName: `tool_${at}` }))
    const text = tools.map(({ name }) => name).join(' ')
    expect(promptFindings(text, surfaceOf(aSearchTool(), ...tools), { where: 'the text' })).toHaveLength(100)
  })
})
