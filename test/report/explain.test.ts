import { describe, expect, it } from 'vitest'
import { type ExplainedDecision, explain } from '../../src/report/explain.ts'
import { explainText } from '../../src/report/explain-text.ts'
import { whatIf } from '../../src/report/what-if.ts'
import { aCandidate, sha256 } from '../../src/testing/world.ts'
import { aDesk, deskCandidates } from './desk.ts'

const run = aDesk()
const why = (word: string) => explain(run, word, { lang: 'en' })
const text = (word: string, width = 120, lang: 'en' | 'zh' = 'en') =>
  explainText(explain(run, word, { lang }), { lang, width })

describe('why, as data [D3]', () => {
  it('has a versioned schema and these keys', () => {
    expect(Object.keys(why('read_file'))).toEqual(['schema', 'word', 'kind', 'decisions', 'nearest', 'change'])
    expect(why('read_file').schema).toBe('toolgate.why/1')
  })

  it.each([
    ['read_file', 'exposed'],
    ['mail__send_invoice', 'exposed'],
    ['files__move_file', 'excluded'],
    ['lab', 'excluded'],
    ['mail', 'exposed'],
    ['no_such_tool', 'unknown'],
    ['', 'unknown'],
    ['__proto__', 'unknown'],
  ])('knows what %j is: %s', (word, kind) => {
    expect(why(word).kind).toBe(kind)
  })

  it.each(['reader', 'READ_FILE', 'config:read_file', 'files/read_file', 'mcp__files__read_file'])(
    'understands %s',
    (word) => {
      expect(why(word).decisions.map(({ originalName }) => originalName)).toContain('read_file')
    },
  )

  it('puts what the model has first, and all others that the word may mean after it', () => {
    expect(why('read_file').decisions.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['config:read_file', 'eager'],
      ['mcp:files/read_file', 'excluded'],
    ])
  })

  it('takes a server as the word: its state and all its tools', () => {
    const mail = why('mail')
    expect(mail.server).toMatchObject({ name: 'mail', state: 'available' })
    expect(mail.decisions.map(({ name }) => name)).toEqual(['mail__send_invoice', 'mail__search_mail'])
  })

  it('tells a tool of a server that never listed any by the state of that server', () => {
    const { kind, decisions, server } = why('lab__measure')
    expect(kind).toBe('excluded')
    expect(server?.state).toBe('failed-to-start')
    expect(decisions.map(({ id }) => id)).toEqual(['mcp:lab/*'])
    expect(decisions[0]?.relations).toMatchObject([{ kind: 'stands-for', others: ['lab'] }])
  })

  it('offers the nearest names for an unknown word, each tool once', () => {
    expect(why('send_invoce').nearest).toEqual(['mail__send_invoice'])
    expect(why('serch_mail').nearest[0]).toBe('mail__search_mail')
    expect(why('zzzzqqqq').nearest).toEqual([])
  })

  it('says how the model gets a deferred tool, what is asked and what is checked', () => {
    expect(why('mail__send_invoice').decisions[0]?.access).toEqual([
      'the model has the name; it calls tool_search with "select:mail__send_invoice", then mail__send_invoice itself',
      'a person is asked before each call',
      'calls are checked against deny mail/send_invoice(to:*@example.org)',
    ])
  })

  it('has no access to what is excluded', () => {
    expect(why('files__move_file').decisions[0]?.access).toEqual([])
  })

  it('names the place to edit', () => {
    expect(why('files__move_file').change).toEqual({
      sentences: ['add "web" to the agent\'s groups', 'add "web" to agent.groups of the run'],
      changes: [{ on: 'facts', op: 'add', path: ['agent', 'groups'], value: 'web' }],
      origin: { in: 'toolgate.yaml', key: 'agents.main.groups', line: 40 },
    })
  })

  it.each(run.surface.decisions.map(({ candidate }) => candidate.id))('offers a change that alters %s', (id) => {
    const decision = why(id).decisions.find((one) => one.id === id)
    expect(decision?.change.changes.length).toBeGreaterThan(0)
    const changes = decision?.change.changes ?? []
    const after = whatIf(run.surface, { gates: run.gates, changes, candidateId: id, sha256 })
    const now = after.decisions.find(({ candidate }) => candidate.id === id)
    expect([now?.outcome, now?.settledBy]).not.toEqual([decision?.outcome, decision?.settledBy])
  })

  it('offers to deny an eager tool only where rules are read', () => {
    const bare = aDesk({ gates: run.gates.filter(({ id }) => id !== 'permissions') })
    expect(explain(bare, 'tool_search', { lang: 'en' }).change).toEqual({ sentences: [], changes: [] })
  })
})

describe('why, where names meet [D3]', () => {
  const twins = aDesk({
    facts: { permissions: { rules: [] }, agent: { name: 'main' } },
  })
  const relations = (word: string, over = twins): (readonly [string, ExplainedDecision['relations']])[] =>
    explain(over, word, { lang: 'en' }).decisions.map(({ id, relations: found }) => [id, found])

  it('spells out who has the name and who lost it', () => {
    expect(relations('read_file')).toEqual([
      [
        'config:read_file',
        [{ kind: 'shadows', others: ['mcp:files/read_file'], say: 'it takes the name before mcp:files/read_file' }],
      ],
      [
        'mcp:files/read_file',
        [
          {
            kind: 'shadowed-by',
            others: ['config:read_file'],
            say: 'the name "read_file" goes to config:read_file, which comes first',
          },
        ],
      ],
    ])
  })

  it('counts spellings that differ only in case as one name', () => {
    const run = aDesk({
      candidates: [aCandidate({ name: 'Fetch' }), aCandidate({ server: 'web', originalName: 'fetch', name: 'fetch' })],
      facts: { agent: { name: 'main' } },
    })
    expect(relations('fetch', run).map(([id, [first]]) => [id, first?.kind])).toEqual([
      ['config:Fetch', 'shadows'],
      ['mcp:web/fetch', 'shadowed-by'],
    ])
  })

  it('says for whom a reserved name is kept', () => {
    const denied = { effect: 'deny', text: 'files/bash', scope: 'config', origin: { in: 'toolgate.yaml' } } as const
    const kept = aDesk({
      candidates: [
        ...deskCandidates().filter(({ source }) => source === 'mcp'),
        aCandidate({ source: 'acp', name: 'bash', server: 'helper' }),
      ],
      facts: { permissions: { rules: [denied] } },
    })
    expect(relations('bash', kept)[1]).toEqual([
      'acp:helper/bash',
      [
        {
          kind: 'reserved-by',
          others: ['mcp:files/bash'],
          say: 'the name "bash" stays with mcp:files/bash, which was taken away',
        },
      ],
    ])
  })

  it('stays quick when ten thousand entries bear one name', () => {
    const candidates = Array.from({ length: 10_000 }, (_, at) =>
      aCandidate({ source: 'snapshot', name: 'prompt', id: `snapshot:${at}` }),
    )
    const crowd = aDesk({ candidates })
    const started = performance.now()
    const explanation = explain(crowd, 'prompt', { lang: 'en' })
    expect(explanation.decisions).toHaveLength(10_000)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(explainText(explanation, { lang: 'en' })).toContain('… and 9,959 more')
  })
})

describe('why, for people [D3]', () => {
  it('reads so for a deferred tool', () => {
    expect(text('mail__send_invoice')).toMatchInlineSnapshot(`
      "deferred   mail__send_invoice   settled by deferral
        mcp mail · send_invoice · toolgate.yaml:22 mcp_servers.mail
        availability  admit    it can be had
        tool-groups   admit    the agent asks for group "mail"                         toolgate.yaml:40 agents.main.groups
        permissions   admit    rule "ask mail/send_invoice" has a person asked first   toolgate.yaml:53 permissions.ask[0]
        unique-name   admit    no earlier candidate bears this name
        deferral      defer    the schemas of servers cost more than 50 tokens         toolgate.yaml:60 tool_search.budget
        the model has the name; it calls tool_search with "select:mail__send_invoice", then mail__send_invoice itself
        a person is asked before each call
        calls are checked against deny mail/send_invoice(to:*@example.org)
        change it: raise tool_search.budget (toolgate.yaml:60 tool_search.budget)"
    `)
  })

  it('reads so for a deferred tool in Chinese [U5]', () => {
    expect(text('mail__send_invoice', 120, 'zh')).toMatchInlineSnapshot(`
      "按需加载   mail__send_invoice   由 deferral 决定
        mcp mail · send_invoice · toolgate.yaml:22 mcp_servers.mail
        availability  通过    可以取得
        tool-groups   通过    智能体申请了分组 "mail"                     toolgate.yaml:40 agents.main.groups
        permissions   通过    规则 "ask mail/send_invoice" 要求先询问人   toolgate.yaml:53 permissions.ask[0]
        unique-name   通过    之前没有候选使用该名称
        deferral      延后    服务器工具的参数定义超过 50 词元            toolgate.yaml:60 tool_search.budget
        模型已知其名称；先以 "select:mail__send_invoice" 调用 tool_search，再调用 mail__send_invoice
        每次调用前都要征得人的同意
        每次调用都按这些规则检查：deny mail/send_invoice(to:*@example.org)
        如何改变: 请提高 tool_search.budget (toolgate.yaml:60 tool_search.budget)"
    `)
  })

  it('reads so in a narrow window, places below their steps', () => {
    expect(text('read_file', 80)).toMatchInlineSnapshot(`
      "eager   read_file   settled by unique-name
        config · read_file · toolgate.yaml:8 tools[0]
        availability  admit    it can be had
        tool-groups   admit    the agent asks for group "file:read"
                               at toolgate.yaml:40 agents.main.groups
        permissions   abstain  no rule names it
        unique-name   admit    no earlier candidate bears this name
        deferral      abstain  it is not deferred
        the model has name and schema, and calls read_file directly
        change it: to take it away, add "read_file" to permissions.deny (or
                   --deny-tool "read_file")

      excluded   read_file   settled by tool-groups
        mcp files · read_file · toolgate.yaml:14 mcp_servers.files
        availability  admit    it can be had
        tool-groups   exclude  the agent does not ask for group "web"
                               at toolgate.yaml:40 agents.main.groups
        change it: add "web" to the agent's groups (toolgate.yaml:40
                   agents.main.groups)"
    `)
  })

  it('reads so for a server that did not start', () => {
    expect(text('lab', 100)).toMatchInlineSnapshot(`
      "lab  failed-to-start  the program "labd" was not found · toolgate.yaml:31 mcp_servers.lab

      excluded   lab__*   settled by availability
        mcp lab · * · toolgate.yaml:31 mcp_servers.lab
        availability  exclude  its server did not start: the program "labd" was not found
                               at toolgate.yaml:32 mcp_servers.lab.command
        change it: mend the command of the server (toolgate.yaml:32 mcp_servers.lab.command)"
    `)
  })

  it('reads so for a server and its tools', () => {
    expect(text('mail')).toMatchInlineSnapshot(`
      "mail  available  2 tools  1.2 s

      NAME                OUTCOME       SOURCE    TOKENS  WHY
      mail__send_invoice  deferred ask  mcp mail      61  deferral: the schemas of servers cost more than 50 tokens
      mail__search_mail   deferred      mcp mail      45  deferral: the schemas of servers cost more than 50 tokens"
    `)
  })

  it('reads so for unknown names', () => {
    expect(text('send_invoce')).toMatchInlineSnapshot(`
      "no tool is called "send_invoce"
        nearest: mail__send_invoice"
    `)
    expect(text('files__zzz')).toMatchInlineSnapshot(`
      "no tool is called "files__zzz"
        server files: available
        server files lists 3 tools, but none of that name
        nearest: files, bash"
    `)
    expect(text('send_invoce', 100, 'zh')).toMatchInlineSnapshot(`
      "没有名为 "send_invoce" 的工具
        相近的名称：mail__send_invoice"
    `)
  })
})
