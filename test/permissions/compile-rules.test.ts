import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import { compileRules } from '../../src/permissions/compile-rules.ts'
import { ruleTextOf } from '../../src/permissions/rule-text.ts'
import { aCandidate, aStandIn } from '../../src/testing/index.ts'

const meets = (kind: 'wide' | 'exact', rule: string, candidate: Candidate): boolean =>
  compileRules([{ text: rule }], kind).match(candidate).length > 0

const bash = aCandidate({ source: 'builtin', originalName: 'bash' })
const readFile = aCandidate({ server: 'files', originalName: 'read_file' })
const bare = aCandidate({ server: 'files', originalName: 'read_file', name: 'read_file' })
const labelled = aCandidate({ originalName: 'search_web', declaredName: 'web search' })

describe('wide rules [G6, P5]', () => {
  it.each([
    'bash',
    'BASH',
    'Bash',
    ' bash ',
    'ba\u200bsh',
    '\uff42\uff41\uff53\uff48',
    '\u{1d41b}\u{1d41a}\u{1d42c}\u{1d421}',
    'ba\u017fh',
    'ba\u00adsh',
    'b*',
    'BA*',
    '?ash',
    'builtin:bash',
  ])('deny %s meets bash', (rule) => {
    expect(meets('wide', rule, bash)).toBe(true)
  })

  it.each([
    'read_file',
    'read-file',
    'READ.FILE',
    'read\u2010file',
    'files__read_file',
    'FILES--read-file',
    'files/read_file',
    'Files/Read-File',
    'mcp__files__read_file',
    'MCP--files--read.file',
    'mcp:files/read_file',
    'files/*',
    'files/read_*',
    'mcp__files',
    'mcp__files__',
    'mcp__files__*',
    'mcp__f*__read_*',
    'mcp__*',
    'f*/read*',
    'read*',
    '*file',
  ])('deny %s meets read_file of files, under its surface name and without', (rule) => {
    expect(meets('wide', rule, readFile)).toBe(true)
    expect(meets('wide', rule, bare)).toBe(true)
  })

  it.each([
    'readfile',
    'files',
    'file/read_file',
    'mcp__file',
    'mcp__file__*',
    'mcp__files__read',
    'read_file_',
    'read',
    'mcp_*',
    'config:*',
    'mcp:*/write*',
  ])('deny %s does not', (rule) => {
    expect(meets('wide', rule, readFile)).toBe(false)
  })

  it.each(['search_web', 'web search', 'WEB SEARCH', 'config:search_web'])(
    'deny %s meets a tool by name or label',
    (rule) => {
      expect(meets('wide', rule, labelled)).toBe(true)
    },
  )

  it('meets a name that holds a slash', () => {
    const slashed = aCandidate({ originalName: 'admin/list' })
    expect(['admin/list', 'admin\\/list', 'admin/*'].map((rule) => meets('wide', rule, slashed))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('meets variants of a name on the other side as well', () => {
    for (const originalName of ['BASH', 'ba\u200bsh', '\uff42\uff41\uff53\uff48', 'bash\u0000']) {
      expect(meets('wide', 'bash', aCandidate({ originalName }))).toBe(true)
    }
  })

  it('keeps an agent over another protocol out of rules on MCP', () => {
    const agent = aCandidate({ source: 'acp', server: 'helper', originalName: 'helper', form: 'delegates' })
    expect(['mcp__*', 'mcp__helper', 'helper/*'].map((rule) => meets('wide', rule, agent))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('meets a tool over MCP whose server nobody recorded', () => {
    const listed = aCandidate({ source: 'snapshot', protocol: 'mcp', originalName: 'McpAuthTool' })
    expect(['mcp__*', 'mcp*', 'mcp__McpAuthTool'].map((rule) => meets('wide', rule, listed))).toEqual([
      true,
      true,
      true,
    ])
    expect(
      meets('wide', 'mcp*', aCandidate({ source: 'snapshot', protocol: 'mcp', originalName: 'ReadResource' })),
    ).toBe(false)
  })

  it('takes the old name of the subagent tool for the new one, by its role (C-088)', () => {
    const task = aCandidate({ source: 'builtin', originalName: 'task', role: 'subagent' })
    expect(['Task', 'Agent'].map((rule) => meets('wide', rule, task))).toEqual([true, true])
    expect(meets('wide', 'Agent', aCandidate({ originalName: 'task' }))).toBe(false)
    expect(meets('exact', 'agent', task)).toBe(false)
  })

  it('means by an effect whatever can do it', () => {
    expect(meets('wide', 'effect:write', aCandidate({ effects: ['read', 'write'] }))).toBe(true)
    expect(meets('wide', 'effect:write', aCandidate({ effects: ['read'] }))).toBe(false)
    expect(meets('wide', 'effect:write', aCandidate({ effects: [] }))).toBe(false)
  })
})

describe('exact rules [G6]', () => {
  it.each([
    'files__read_file',
    'files/read_file',
    'mcp__files__read_file',
    'mcp:files/read_file',
    'files/*',
    'files/read_*',
    'files__*',
    'files__read_*',
    'mcp__files',
    'mcp__files__*',
    'mcp__files__read_*',
  ])('allow %s grants read_file of files', (rule) => {
    expect(meets('exact', rule, readFile)).toBe(true)
  })

  it.each([
    'read_file',
    'Files/read_file',
    'files/Read_File',
    'FILES__read_file',
    'files/read-file',
    'mcp__Files',
    'files',
    'mcp__files__',
  ])('allow %s does not', (rule) => {
    expect(meets('exact', rule, readFile)).toBe(false)
  })

  it('grants nothing by the look of a name that another server gave its tool', () => {
    const impostor = aCandidate({ server: 'evil', originalName: 'files/read_file', name: 'mcp__files__read_file' })
    const rules = [
      'files/read_file',
      'files/*',
      'mcp__files__read_file',
      'mcp__files',
      'mcp__files__*',
      'files__*',
      'read_file',
    ]
    expect(rules.filter((rule) => meets('exact', rule, impostor))).toEqual([])
  })

  it('grants no identity to a tool that bears it as its name', () => {
    const impostor = aCandidate({ server: 'evil', originalName: 'mcp:files/read_file', name: 'mcp:files/read_file' })
    expect(meets('exact', 'mcp:files/read_file', impostor)).toBe(false)
    expect(meets('wide', 'mcp:files\\/read_file', impostor)).toBe(true)
    expect(meets('exact', 'ns:tool', aCandidate({ originalName: 'ns:tool' }))).toBe(true)
  })

  it('grants no label', () => {
    expect(meets('exact', 'web search', labelled)).toBe(false)
    expect(meets('exact', 'search_web', labelled)).toBe(true)
  })

  it('means by an effect what does it and nothing else', () => {
    const effects = [['read'], ['read', 'read'], ['read', 'network'], []] as const
    expect(effects.map((list) => meets('exact', 'effect:read', aCandidate({ effects: list })))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it.each([
    '*',
    'B*',
    'get_?',
    'mcp__*',
    'mcp__gi*',
    'mcp__*__get',
    '*/get',
    'g?thub/get',
    '__*',
    'group:*',
    'mcp:files/*',
  ])('refuses %s as too wide (C-076)', (text) => {
    const { faults, rules } = compileRules([{ text }], 'exact')
    expect(rules).toEqual([])
    expect(faults[0]?.fault).toMatchObject({ code: 'rule-allow-too-wide' })
    expect(faults[0]?.fault.hint).toContain('server/*')
  })

  it.each(['github/*', 'mcp__github__*', 'mcp__crm__get_*', 'crm/get_*', 'github__*'])(
    'takes the narrower %s as it takes the wider (C-077)',
    (text) => {
      expect(compileRules([{ text }], 'exact').faults).toEqual([])
    },
  )
})

describe('names that meet at two underscores', () => {
  const one = aCandidate({ server: 'a', originalName: 'b__c' })
  const two = aCandidate({ server: 'a__b', originalName: 'c' })

  it('denies both readings and separates them by a slash', () => {
    expect([one, two].map((tool) => meets('wide', 'mcp__a__b__c', tool))).toEqual([true, true])
    expect([one, two].map((tool) => meets('wide', 'a/b__c', tool))).toEqual([true, false])
    expect([one, two].map((tool) => meets('wide', 'a__b/c', tool))).toEqual([false, true])
    expect([one, two].map((tool) => meets('wide', 'mcp__a__*', tool))).toEqual([true, false])
    expect([one, two].map((tool) => meets('wide', 'mcp__a', tool))).toEqual([true, false])
    expect([one, two].map((tool) => meets('wide', 'mcp__a__b', tool))).toEqual([false, true])
  })

  it('allows the reading that cannot be taken for another', () => {
    expect([one, two].map((tool) => meets('exact', 'mcp__a__b__*', tool))).toEqual([true, false])
    expect([one, two].map((tool) => meets('exact', 'mcp__a__b', tool))).toEqual([false, false])
    expect([one, two].map((tool) => meets('exact', 'a__b/c', tool))).toEqual([false, true])
  })
})

describe('a server that never listed its tools', () => {
  const standIn = aStandIn('files', { group: 'web', effects: ['read', 'write', 'execute', 'network'] })

  it.each([
    'files/*',
    'mcp__files',
    'mcp__files__*',
    'files__*',
    'FILES__*',
    'mcp__*',
    '*',
    'f*/*',
    '*_*',
    'mcp:files/*',
    'group:web',
    'effect:write',
  ])('is met by %s, which covers it whole', (rule) => {
    expect(meets('wide', rule, standIn)).toBe(true)
  })

  it.each([
    'files/get_*',
    'files__get_*',
    'mcp__files__get_*',
    'get_*',
    '?',
    'files__?',
    'files/?',
    'files/??*',
    'files/\\*',
    'files',
    'mcp__*__get_*',
    'mcp__other',
  ])('is not met by %s', (rule) => {
    expect(meets('wide', rule, standIn)).toBe(false)
  })

  it('is granted whole, or may be granted in part', () => {
    const part = (text: string) => compileRules([{ text }], 'exact').mayMatchPart(standIn)
    expect(['files/*', 'mcp__files', 'mcp__files__*', 'files__*'].map((rule) => meets('exact', rule, standIn))).toEqual(
      [true, true, true, true],
    )
    expect(['files/get_*', 'files__get', 'mcp__files__get', 'effect:read', 'mcp:files/get'].map(part)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ])
    expect(['other/get', 'read_file', 'mcp__other__get', 'mcp:other/get'].map(part)).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(['files/get_*', 'files__get'].map((rule) => meets('exact', rule, standIn))).toEqual([false, false])
  })
})

describe('a matcher', () => {
  const rules = ['*', 'files/*', 'read_file', 'group:web', 'effect:read', 'read*', 'mcp__files'].map((text) => ({
    text,
  }))
  const tool = aCandidate({ server: 'files', originalName: 'read_file', group: 'web' })

  it('names every rule that matches, the most specific first, in whatever order they were given', () => {
    const texts = (given: readonly { text: string }[]) =>
      compileRules(given, 'wide')
        .match(tool)
        .map(({ rule, by }) => `${by} ${rule.text}`)
    const expected = [
      'server mcp__files',
      'name read_file',
      'name *',
      'name read*',
      'server files/*',
      'group group:web',
      'effect effect:read',
    ]
    expect(texts(rules)).toEqual(expected)
    expect(texts(rules.toReversed())).toEqual(expected)
  })

  it('keeps a rule that cannot be read apart and goes on with the others', () => {
    const { faults, match } = compileRules([{ text: '(' }, { text: 'read_file' }], 'wide')
    expect(faults.map(({ rule }) => rule.text)).toEqual(['('])
    expect(match(tool)).toHaveLength(1)
  })

  it.each([
    bash,
    readFile,
    bare,
    labelled,
    aCandidate({ originalName: 'a*b(c):d/e, f\\' }),
    aCandidate({ server: 's', originalName: 'group:x' }),
  ])('is given a rule for exactly one tool: $id', (candidate) => {
    const text = ruleTextOf(candidate)
    expect(meets('exact', text, candidate)).toBe(true)
    expect(meets('wide', text, candidate)).toBe(true)
    expect(meets('exact', text, aCandidate({ originalName: 'other' }))).toBe(false)
  })

  it('judges 10,000 tools by 500 rules in a time that grows with neither alone [Q1]', () => {
    const words = ['get', 'list', 'create', 'delete', 'update', 'search', 'read', 'write', 'issue', 'file', 'page']
    const word = (at: number) => words[at % words.length] ?? ''
    const tools = Array.from({ length: 10_000 }, (_, at) => {
      const [server, originalName] = [`srv-${at % 300}`, `${word(at)}_${word(at >> 3)}_${at % 37}`]
      return {
        ...readFile,
        id: `mcp:${server}/${originalName}`,
        server,
        originalName,
        name: `${server}__${originalName}`,
      }
    })
    const forms = [
      (at: number) => `${word(at)}_${at}`,
      (at: number) => `${word(at)}${at}*`,
      (at: number) => `*_${word(at)}_*${at}`,
      (at: number) => `srv-${at}/${word(at)}_*`,
      (at: number) => `mcp__srv-${at}`,
    ]
    const many = Array.from({ length: 500 }, (_, at) => ({ text: forms[at % forms.length]?.(at) ?? '' }))
    const run = (): number => {
      const start = performance.now()
      const matcher = compileRules(many, 'wide')
      for (const one of tools) matcher.match(one)
      return performance.now() - start
    }
    // Bound with room for a busy machine; a plain loop over rules and tools takes ten times as long.
    expect(Math.min(run(), run(), run(), run(), run())).toBeLessThan(150)
  })
})
