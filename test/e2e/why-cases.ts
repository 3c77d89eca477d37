// For each gate, a project in which it takes a tool away, and the change that its answer names, made by hand.

import { listed, offering, scripted } from './project.ts'

export interface WhyCase {
  readonly gate: string
  readonly code: string
  /** The word that is asked about. */
  readonly name: string
  /** The identity of the decision that is meant; absent: the first. */
  readonly id?: string
  readonly outcome?: 'deferred'
  readonly files: { readonly [file: string]: string }
  readonly words?: readonly string[]
  /** The file that the answer names, and a piece of the line; absent where a flag did it. */
  readonly at?: { readonly in: string; readonly line: string }
  /** The flag that the answer names. */
  readonly flag?: string
  /** What the answer says to do. */
  readonly says: RegExp
  /** That done: a piece of a file and what stands there then, or other flags. */
  readonly edit?: { readonly file: string; readonly from: string; readonly to: string }
  readonly wordsThen?: readonly string[]
}

const config = (text: string): { readonly 'toolgate.yaml': string } => ({ 'toolgate.yaml': `version: 1\n${text}` })
const inConfig = (line: string) => ({ in: 'toolgate.yaml', line })
const edit = (from: string, to: string) => ({ file: 'toolgate.yaml', from, to })

const readFile = '  - { name: read_file, group: papers, use: "toolgate/tools:readFile" }\n'
const bash = '  - { name: bash, group: papers, use: "toolgate/tools:bash" }\n'
const desk = `tools:\n${readFile}${bash}sandbox: { kind: none }\n`
const server = (...names: readonly unknown[]): string =>
  `mcp_servers:\n  shelf: ${scripted(offering(...names), 'group: shelf')}\n`
const many = Array.from({ length: 45 }, (_, index) => `tool_${index}`)
const skill = (list: string): string => `---\nname: tidy\ndescription: Tidies up.\nallowed-tools: ${list}\n---\n`
const skills = 'skills: { paths: [skills], active: [tidy] }\n'
const agents = (keys: string): string => `agents:\n  main:\n    ${keys}\n`

const ownNotes = `export const notes = { name: 'notes', description: 'Finds a note.', inputSchema: { type: 'object' }, execute: () => '' }`
/** Every level is two of the next: small as it is written, too big for a target that wants references written out. */
const doubling = {
  type: 'object',
  properties: { r: { $ref: '#/$defs/a0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 15 }, (_, level) => {
      const next = { $ref: `#/$defs/a${level + 1}` }
      return [`a${level}`, level === 14 ? { type: 'string' } : { type: 'object', properties: { x: next, y: next } }]
    }),
  ),
}

export const whyCases: readonly WhyCase[] = [
  {
    gate: 'availability',
    code: 'disabled',
    name: 'read_file',
    files: config('tools:\n  - name: read_file\n    use: "toolgate/tools:readFile"\n    enabled: false\n'),
    at: inConfig('enabled: false'),
    says: /set `enabled: true` where/,
    edit: edit('enabled: false', 'enabled: true'),
  },
  {
    gate: 'definition',
    code: 'invalid-schema',
    name: 'shelf/find',
    files: { ...config(server({ name: 'find', description: 'Finds.', inputSchema: 'none' })) },
    says: /ask its author for an `inputSchema` whose root has `type: object`/,
    edit: edit('\\"inputSchema\\":\\"none\\"', '\\"inputSchema\\":{\\"type\\":\\"object\\"}'),
  },
  {
    gate: 'tool-groups',
    code: 'group-not-asked',
    name: 'read_file',
    files: config(desk + agents('groups: [notes]')),
    at: inConfig('groups: [notes]'),
    says: /add "papers" to the agent's groups/,
    edit: edit('groups: [notes]', 'groups: [notes, papers]'),
  },
  {
    gate: 'tool-groups',
    code: 'no-groups-wanted',
    name: 'read_file',
    files: config(desk + agents('groups: []')),
    at: inConfig('groups: []'),
    says: /remove the empty `groups`/,
    edit: edit('groups: []', 'skills: []'),
  },
  {
    gate: 'tool-groups',
    code: 'server-not-asked',
    name: 'shelf',
    files: config(server('find') + agents('servers: [other]')),
    at: inConfig('servers: [other]'),
    says: /add "shelf" to the agent's servers/,
    edit: edit('servers: [other]', 'servers: [other, shelf]'),
  },
  {
    gate: 'tool-groups',
    code: 'no-servers-wanted',
    name: 'shelf',
    files: config(server('find') + agents('servers: []')),
    at: inConfig('servers: []'),
    says: /add "shelf" to the agent's servers/,
    edit: edit('servers: []', 'servers: [shelf]'),
  },
  {
    gate: 'tool-groups',
    code: 'tool-not-asked',
    name: 'read_file',
    files: config(desk + agents('tools: [grep]')),
    at: inConfig('tools: [grep]'),
    says: /add "read_file" to the agent's tools/,
    edit: edit('tools: [grep]', 'tools: [grep, read_file]'),
  },
  {
    gate: 'tool-groups',
    code: 'no-tools-wanted',
    name: 'read_file',
    files: config(desk + agents('tools: []')),
    at: inConfig('tools: []'),
    says: /remove the empty `tools`/,
    edit: edit('tools: []', 'tools: [read_file]'),
  },
  {
    gate: 'host-shell',
    code: 'host-shell-closed',
    name: 'bash',
    files: config(desk),
    at: inConfig('sandbox:'),
    says: /set `sandbox.allow_host_bash: true`/,
    edit: edit('kind: none', 'kind: none, allow_host_bash: true'),
  },
  {
    gate: 'model-capability',
    code: 'model-cannot',
    name: 'view_image',
    files: config('models:\n  - { name: plain, can: [tools] }\n'),
    at: inConfig('name: plain'),
    says: /add `vision` to what this model can/,
    edit: edit('can: [tools]', 'can: [tools, vision]'),
  },
  {
    gate: 'model-capability',
    code: 'model-takes-no-tools',
    name: 'read_file',
    files: config(`${desk}models:\n  - { name: bare, can: [] }\n`),
    at: inConfig('name: bare'),
    says: /add `tools` to what this model can/,
    edit: edit('can: []', 'can: [tools]'),
  },
  {
    gate: 'simple-mode',
    code: 'not-basic',
    name: 'present_files',
    files: config(desk),
    words: ['--simple-mode'],
    flag: '--simple-mode',
    says: /leave simple mode/,
    wordsThen: [],
  },
  {
    gate: 'mcp-switch',
    code: 'mcp-off',
    name: 'shelf',
    files: config(server('find')),
    words: ['--no-mcp'],
    flag: '--no-mcp',
    says: /run without `--no-mcp`/,
    wordsThen: [],
  },
  {
    gate: 'permissions',
    code: 'denied-by-name',
    name: 'read_file',
    files: config(`${desk}permissions:\n  deny:\n    - grep\n    - Read-File\n`),
    at: inConfig('- Read-File'),
    says: /remove or narrow the deny rule "Read-File"/,
    edit: edit('    - Read-File\n', ''),
  },
  {
    gate: 'permissions',
    code: 'denied',
    name: 'read_file',
    files: config(`${desk}permissions:\n  deny: ["effect:read"]\n`),
    at: inConfig('effect:read'),
    says: /remove or narrow the deny rule "effect:read"/,
    edit: edit('deny: ["effect:read"]', 'deny: ["effect:write"]'),
  },
  {
    gate: 'permissions',
    code: 'denied-by-name',
    name: 'read_file',
    files: config(desk),
    words: ['--deny-prefix', 'read_'],
    flag: '--deny-prefix read_',
    says: /remove or narrow the deny rule "read_\*"/,
    wordsThen: [],
  },
  {
    gate: 'permissions',
    code: 'rule-unreadable',
    name: 'read_file',
    files: config(desk),
    words: ['--deny-tool', 'grep('],
    flag: '--deny-tool grep(',
    says: /mend or remove the rule/,
    wordsThen: ['--deny-tool', 'present_files'],
  },
  {
    gate: 'permissions',
    code: 'denied-otherwise',
    name: 'read_file',
    files: config(`${desk}permissions:\n  otherwise: deny\n  allow: [present_files]\n`),
    at: inConfig('otherwise: deny'),
    says: /add "read_file" to `permissions.allow`/,
    edit: edit('allow: [present_files]', 'allow: [present_files, read_file]'),
  },
  {
    gate: 'permissions',
    code: 'nobody-to-ask',
    name: 'read_file',
    files: config(`${desk}permissions:\n  ask: [read_file]\n`),
    words: ['--unattended'],
    at: inConfig('ask: [read_file]'),
    says: /run it with a person present/,
    wordsThen: [],
  },
  {
    gate: 'skill-tools',
    code: 'no-skill-allows',
    name: 'bash',
    files: {
      ...config(desk.replace('kind: none', 'kind: none, allow_host_bash: true') + skills),
      'skills/tidy/SKILL.md': skill('[read_file]'),
    },
    at: { in: 'skills/tidy/SKILL.md', line: 'allowed-tools' },
    says: /add "bash" to the allowed-tools of "tidy"/,
    edit: { file: 'skills/tidy/SKILL.md', from: '[read_file]', to: '[read_file, bash]' },
  },
  {
    gate: 'skill-tools',
    code: 'skill-list-malformed',
    name: 'task',
    files: { ...config(`delegation: { enabled: true }\n${skills}`), 'skills/tidy/SKILL.md': skill('{ task: true }') },
    at: { in: 'skills/tidy/SKILL.md', line: 'allowed-tools' },
    says: /mend the front matter of skill "tidy"/,
    edit: { file: 'skills/tidy/SKILL.md', from: '{ task: true }', to: '[task]' },
  },
  {
    gate: 'delegation',
    code: 'delegation-off',
    name: 'task',
    files: config('delegation: { enabled: false }\n'),
    at: inConfig('enabled: false'),
    says: /set `delegation.enabled: true`/,
    edit: edit('enabled: false', 'enabled: true'),
  },
  {
    gate: 'delegation',
    code: 'depth-reached',
    name: 'task',
    files: config('delegation: { enabled: true, max_depth: 1 }\nagents:\n  main: {}\n  child: {}\n'),
    words: ['--subagent', 'child'],
    at: inConfig('max_depth: 1'),
    says: /raise the depth limit of delegation to 2/,
    edit: edit('max_depth: 1', 'max_depth: 2'),
  },
  {
    gate: 'delegation',
    code: 'parent-lacks-it',
    name: 'read_file',
    files: config(`${desk}delegation: { enabled: true }\nagents:\n  main: { groups: [notes] }\n  child: {}\n`),
    words: ['--subagent', 'child'],
    at: inConfig('delegation:'),
    says: /give the tool to "main" first/,
    edit: edit('groups: [notes]', 'groups: [notes, papers]'),
  },
  {
    gate: 'unique-name',
    code: 'duplicate-name',
    name: 'notes',
    id: 'mcp:shelf/notes',
    files: {
      ...config(
        `tools:\n  - { name: notes, use: "./notes.mjs:notes" }\n${server('notes').replace('group: shelf', 'tool_name_prefix: false')}`,
      ),
      'notes.mjs': ownNotes,
    },
    at: inConfig('name: notes'),
    says: /give one of the two another name, such as "shelf__notes"/,
    edit: edit('tool_name_prefix: false', 'tool_name_prefix: true'),
  },
  {
    gate: 'unique-name',
    code: 'reserved-name',
    name: 'bash',
    id: 'mcp:shelf/bash',
    files: config(desk + server('bash').replace('group: shelf', 'tool_name_prefix: false')),
    says: /give this tool another name, such as "shelf__bash"/,
    edit: edit('tool_name_prefix: false', 'tool_name_prefix: true'),
  },
  {
    gate: 'provider-fit',
    code: 'schema-refused',
    name: 'shelf/find',
    files: config(server(listed('find', { inputSchema: doubling }))),
    words: ['--target', 'ollama'],
    says: /choose another target than "ollama"/,
    edit: edit('\\"$$ref\\":\\"#/$$defs/a0\\"', '\\"type\\":\\"object\\"'),
  },
  {
    gate: 'provider-fit',
    code: 'over-target-cap',
    name: 'shelf/tool_44',
    files: config(`${server(...many)}tool_search: { enabled: false }\n`),
    words: ['--target', 'cursor'],
    at: inConfig('tool_search:'),
    says: /set `tool_search.enabled: true`/,
    edit: edit('enabled: false', 'enabled: true'),
  },
  {
    gate: 'deferral',
    code: 'catalog-empty',
    name: 'tool_search',
    files: config(`${server('find')}tool_search: { enabled: auto }\n`),
    at: inConfig('tool_search:'),
    says: /set `tool_search.enabled: true`/,
    edit: edit('enabled: auto', 'enabled: true'),
  },
  {
    gate: 'deferral',
    code: 'deferral-on',
    name: 'shelf/find',
    outcome: 'deferred',
    files: config(`${server('find')}tool_search: { enabled: true }\n`),
    at: inConfig('tool_search:'),
    says: /list "shelf__find" under `tool_search.always`/,
    edit: edit('enabled: true', 'enabled: true, always: [shelf__find]'),
  },
  {
    gate: 'deferral',
    code: 'over-budget',
    name: 'shelf/tool_44',
    outcome: 'deferred',
    files: config(`${server(...many)}tool_search: { enabled: auto, budget: 400 }\n`),
    at: inConfig('tool_search:'),
    says: /or raise `tool_search.budget` to \d+ tokens/,
    edit: edit('budget: 400', 'budget: 9000'),
  },
  {
    gate: 'deferral',
    code: 'more-than-target-takes',
    name: 'shelf/tool_44',
    outcome: 'deferred',
    files: config(`${server(...many)}tool_search: { enabled: auto }\n`),
    words: ['--target', 'cursor'],
    flag: '--target cursor',
    says: /list "shelf__tool_44" under `tool_search.always`/,
    edit: edit('enabled: auto', 'enabled: auto, always: [shelf__tool_44]'),
  },
]
