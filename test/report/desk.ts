// A desk as a newcomer knows it, judged by five small gates of its own, so that the texts pinned here do not move
// when the wording of a real gate does.

import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { abstains, admits, defers, defineGate, excludes, type Gate } from '../../src/core/gate.ts'
import { foldName } from '../../src/core/json.ts'
import type { Run } from '../../src/report/run.ts'
import { aCandidate, type FactsOverrides, sha256, someFacts } from '../../src/testing/world.ts'

const availability = defineGate({
  id: 'availability',
  asks: { en: 'Can the tool be had?', zh: '能否取得该工具？' },
  reasons: {
    available: admits({ say: { en: () => 'it can be had', zh: () => '可以取得' } }),
    'failed-to-start': excludes<{ readonly detail: string }>({
      say: { en: (e) => `its server did not start: ${e.detail}`, zh: (e) => `其服务器未能启动：${e.detail}` },
      hint: { en: () => 'mend the command of the server', zh: () => '请修正该服务器的命令' },
      change: () => [{ on: 'candidate', op: 'set', path: ['availability'], value: { state: 'available' } }],
      reserves: false,
    }),
  },
  open: (_facts, _standing, because) => (candidate) => {
    const { availability: now } = candidate
    if (now.state === 'available' || now.state === 'not-started') return because('available', {})
    return because('failed-to-start', { detail: now.detail }, { origin: now.origin })
  },
})

const groups = defineGate({
  id: 'tool-groups',
  asks: { en: 'Did the agent ask for its group?', zh: '智能体是否申请了其分组？' },
  reasons: {
    'has-no-group': abstains({ say: { en: () => 'it belongs to no group', zh: () => '它不属于任何分组' } }),
    'group-asked': admits<{ readonly group: string }>({
      say: { en: (e) => `the agent asks for group "${e.group}"`, zh: (e) => `智能体申请了分组 "${e.group}"` },
    }),
    'group-not-asked': excludes<{ readonly group: string }>({
      say: { en: (e) => `the agent does not ask for group "${e.group}"`, zh: (e) => `智能体未申请分组 "${e.group}"` },
      hint: { en: (e) => `add "${e.group}" to the agent's groups`, zh: (e) => `将 "${e.group}" 加入该智能体的 groups` },
      change: (e) => [{ on: 'facts', op: 'add', path: ['agent', 'groups'], value: e.group }],
    }),
  },
  open: ({ agent }, _standing, because) => {
    const asked = new Set(agent.groups)
    return ({ group }) => {
      if (agent.groups === undefined || group === undefined) return because('has-no-group', {})
      const code = asked.has(group) ? 'group-asked' : 'group-not-asked'
      return because(code, { group }, { origin: agent.origins.groups })
    }
  },
})

const permissions = defineGate({
  id: 'permissions',
  asks: { en: 'Does a rule deny it?', zh: '是否有规则拒绝它？' },
  reasons: {
    'no-rule': abstains({ say: { en: () => 'no rule names it', zh: () => '没有规则提及它' } }),
    'rule-asks': admits<{ readonly rule: string }>({
      say: {
        en: (e) => `rule "ask ${e.rule}" has a person asked first`,
        zh: (e) => `规则 "ask ${e.rule}" 要求先询问人`,
      },
    }),
    'rule-denies': excludes<{ readonly rule: string }>({
      say: { en: (e) => `rule "deny ${e.rule}" names it`, zh: (e) => `规则 "deny ${e.rule}" 指名拒绝它` },
      hint: { en: (e) => `remove the rule "deny ${e.rule}"`, zh: (e) => `移除规则 "deny ${e.rule}"` },
      change: (e, _candidate, { permissions: { rules } }) =>
        rules
          .filter((rule) => rule.effect === 'deny' && rule.text === e.rule)
          .map((rule) => ({
            on: 'facts',
            op: 'remove',
            path: ['permissions', 'rules'],
            value: { ...rule, origin: { ...rule.origin } },
          })),
      reserves: true,
    }),
  },
  open:
    ({ permissions: { rules } }, _standing, because) =>
    ({ name, server, originalName }) => {
      const bare = (text: string): string => text.split('(')[0] ?? text
      const names = (rule: { readonly text: string }): boolean =>
        [name, `${server}/${originalName}`, `${server}/*`].includes(bare(rule.text))
      const denying = rules.find((rule) => rule.effect === 'deny' && rule.text === bare(rule.text) && names(rule))
      if (denying !== undefined) return because('rule-denies', { rule: denying.text }, { origin: denying.origin })
      const conditions = rules.filter((rule) => rule.text !== bare(rule.text) && names(rule))
      const amends = conditions.length > 0 ? { conditions } : {}
      const asking = rules.find((rule) => rule.effect === 'ask' && names(rule))
      if (asking === undefined) return because('no-rule', {}, { amends })
      return because(
        'rule-asks',
        { rule: asking.text },
        { origin: asking.origin, amends: { ...amends, approval: 'ask' } },
      )
    },
})

const uniqueName = defineGate({
  id: 'unique-name',
  asks: { en: 'Does the name mean one tool?', zh: '该名称是否只指一个工具？' },
  reasons: {
    first: admits({ say: { en: () => 'no earlier candidate bears this name', zh: () => '之前没有候选使用该名称' } }),
    'duplicate-name': excludes<{ readonly winner: string }>({
      say: { en: (e) => `${e.winner} came first to the name`, zh: (e) => `${e.winner} 先占用了该名称` },
      hint: { en: () => 'rename one of the two', zh: () => '请为其中之一改名' },
      change: (_e, { name }) => [{ on: 'candidate', op: 'set', path: ['name'], value: `${name}_2` }],
    }),
    'reserved-name': excludes({
      say: { en: () => 'the name is kept for one that was taken away', zh: () => '该名称保留给已被移除的候选' },
      hint: { en: () => 'give it another name', zh: () => '请为它另取名称' },
      change: (_e, { name }) => [{ on: 'candidate', op: 'set', path: ['name'], value: `${name}_2` }],
    }),
  },
  open: (_facts, standing, because) => {
    const first = new Map<string, Candidate>()
    for (const candidate of standing.candidates) {
      const key = foldName(candidate.name)
      if (!first.has(key)) first.set(key, candidate)
    }
    const kept = new Set(standing.reserved.map(({ name }) => foldName(name)))
    return (candidate) => {
      const key = foldName(candidate.name)
      if (kept.has(key)) return because('reserved-name', {})
      const winner = first.get(key)
      return winner === candidate || winner === undefined
        ? because('first', {})
        : because('duplicate-name', { winner: winner.id }, { origin: winner.origin })
    }
  },
})

const deferral = defineGate({
  id: 'deferral',
  asks: { en: 'Is the schema needed now?', zh: '现在就需要其参数定义吗？' },
  reasons: {
    now: abstains({ say: { en: () => 'it is not deferred', zh: () => '不延后' } }),
    'over-budget': defers<{ readonly budget: number }>({
      say: {
        en: (e) => `the schemas of servers cost more than ${e.budget} tokens`,
        zh: (e) => `服务器工具的参数定义超过 ${e.budget} 词元`,
      },
      hint: { en: () => 'raise tool_search.budget', zh: () => '请提高 tool_search.budget' },
      change: () => [{ on: 'facts', op: 'set', path: ['deferral', 'mode'], value: 'off' }],
    }),
  },
  open:
    ({ deferral: { mode, budgetTokens, budgetOrigin } }, _standing, because) =>
    ({ source }) =>
      mode === 'on' && source === 'mcp'
        ? because('over-budget', { budget: budgetTokens }, { origin: budgetOrigin })
        : because('now', {}),
})

/** The five gates, in their order. */
export const deskGates: readonly Gate[] = [availability, groups, permissions, uniqueName, deferral]

const file = 'toolgate.yaml'

/** The tools of the desk. */
export function deskCandidates(): readonly Candidate[] {
  const filesOrigin = { in: file, key: 'mcp_servers.files', line: 14 }
  const labOrigin = { in: file, key: 'mcp_servers.lab', line: 31 }
  const mailOrigin = { in: file, key: 'mcp_servers.mail', line: 22 }
  const text = (description: string, ...names: readonly string[]): Candidate['definition'] => ({
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}.` }])),
      required: names.slice(0, 1),
    },
  })
  return [
    aCandidate({
      name: 'read_file',
      group: 'file:read',
      role: 'file-read',
      declaredName: 'reader',
      definition: text('Reads a text file of the workspace.', 'path'),
      origin: { in: file, key: 'tools[0]', line: 8 },
    }),
    aCandidate({
      source: 'builtin',
      name: 'bash',
      role: 'shell',
      effects: ['execute'],
      definition: text('Runs a shell command.', 'command'),
      origin: { in: 'built-in' },
    }),
    aCandidate({
      source: 'builtin',
      name: 'tool_search',
      role: 'tool-search',
      definition: text('Finds tools and gives their schemas.', 'query'),
      origin: { in: 'built-in' },
    }),
    aCandidate({
      server: 'files',
      originalName: 'read_file',
      name: 'read_file',
      group: 'web',
      definition: text('Reads a file.', 'path'),
      origin: filesOrigin,
    }),
    aCandidate({
      server: 'files',
      originalName: 'move_file',
      group: 'web',
      effects: ['write'],
      definition: text('Moves or renames a file inside the allowed folders.', 'source', 'destination'),
      origin: filesOrigin,
    }),
    aCandidate({
      server: 'files',
      originalName: 'bash',
      name: 'bash',
      definition: text('Runs a command, says the server.', 'command'),
      origin: filesOrigin,
    }),
    aCandidate({
      server: 'mail',
      originalName: 'send_invoice',
      group: 'mail',
      effects: ['write', 'network'],
      effectsBy: 'assumed',
      definition: text('Sends an invoice by e-mail to a customer.', 'to', 'invoice'),
      routing: { keywords: ['bill', '发票'], priority: 2 },
      origin: mailOrigin,
    }),
    aCandidate({
      server: 'mail',
      originalName: 'search_mail',
      group: 'mail',
      effectsBy: 'assumed',
      effects: ['read', 'write', 'execute', 'network'],
      definition: text('Searches the mailbox.', 'query'),
      origin: mailOrigin,
    }),
    aCandidate({
      server: 'lab',
      originalName: '*',
      name: 'lab__*',
      standIn: true,
      availability: {
        state: 'failed-to-start',
        detail: 'the program "labd" was not found',
        origin: { in: file, key: 'mcp_servers.lab.command', line: 32 },
      },
      definition: { description: '', inputSchema: { type: 'object' } },
      definitionChars: 0,
      origin: labOrigin,
    }),
  ]
}

const deskFacts: FactsOverrides = {
  agent: {
    name: 'main',
    groups: ['file:read', 'mail'],
    origins: { groups: { in: file, key: 'agents.main.groups', line: 40 } },
  },
  model: { name: 'small', can: ['tools'], contextTokens: 32_000 },
  permissions: {
    otherwise: 'allow',
    rules: [
      { effect: 'deny', text: 'bash', scope: 'config', origin: { in: file, key: 'permissions.deny[0]', line: 51 } },
      {
        effect: 'ask',
        text: 'mail/send_invoice',
        scope: 'config',
        origin: { in: file, key: 'permissions.ask[0]', line: 53 },
      },
      {
        effect: 'deny',
        text: 'mail/send_invoice(to:*@example.org)',
        scope: 'agent main',
        origin: { in: file, key: 'agents.main.permissions.deny[0]', line: 44 },
      },
    ],
  },
  deferral: {
    mode: 'on',
    budgetTokens: 50,
    always: [],
    budgetOrigin: { in: file, key: 'tool_search.budget', line: 60 },
  },
}

export interface DeskOptions {
  readonly facts?: FactsOverrides
  readonly candidates?: readonly Candidate[]
  readonly gates?: readonly Gate[]
}

/** A run at the desk; facts given here are put over the desk's own. */
export function aDesk({ facts = {}, candidates = deskCandidates(), gates = deskGates }: DeskOptions = {}): Run {
  const surface = assemble(someFacts({ ...deskFacts, ...facts }), candidates, gates, { sha256 })
  return {
    surface,
    gates,
    preset: 'default',
    servers: [
      {
        name: 'files',
        transport: 'stdio',
        state: 'available',
        required: false,
        tools: 3,
        tookMs: 812,
        origin: { in: file, key: 'mcp_servers.files', line: 14 },
      },
      {
        name: 'mail',
        transport: 'http',
        state: 'available',
        required: true,
        tools: 2,
        tookMs: 1240,
        origin: { in: file, key: 'mcp_servers.mail', line: 22 },
      },
      {
        name: 'lab',
        transport: 'stdio',
        state: 'failed-to-start',
        detail: 'the program "labd" was not found',
        required: false,
        tools: 0,
        origin: { in: file, key: 'mcp_servers.lab', line: 31 },
      },
    ],
    findings: [
      {
        code: 'server-unavailable',
        severity: 'warning',
        subject: 'lab',
        message: 'server "lab" gave no tools: the program "labd" was not found',
        hint: 'install it, or correct `command`',
        origin: { in: file, key: 'mcp_servers.lab.command', line: 32 },
      },
    ],
  }
}
