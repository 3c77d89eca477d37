// A project in which all is well, and one bad part after the other, each with what must be told of it.

import type { Finding } from '../../src/core/finding.ts'
import { listed, offering, type Project, project, scripted } from './project.ts'

const shelf = scripted(offering('find', 'fetch'))

/** Everything that is good; each section stands last when something bad is added to it. */
const sections = {
  mcp_config_files: 'mcp_config_files: [shared.json]\napproved_servers: [common]\n',
  skills: 'skills: { paths: [skills] }\n',
  permissions: 'permissions:\n  ask: ["shelf/fetch"]\n  deny: ["common/fetch"]\n  allow: [read_file]\n',
  agents: 'agents:\n  main: { groups: [papers] }\n',
  mcp_servers: `mcp_servers:\n  shelf: ${shelf}\n`,
  tools:
    'tools:\n  - { name: read_file, group: papers, use: "toolgate/tools:readFile" }\n  - { name: notes, group: papers, use: "./own.mjs:notes" }\n',
}

type Section = keyof typeof sections

/** The project in which all is well, with more text below one of its sections, and more files. */
export function desk(more: Pick<BadPart, 'below' | 'instead' | 'files'> = {}): Project {
  const { below = { section: 'tools', text: '' }, instead, files } = more
  const { [below.section]: last, ...others } = sections
  const config = `version: 1\n${Object.values(others).join('')}${last}${below.text}`
  return project({
    'shared.json': `{ "mcpServers": { "common": ${commonServer} } }`,
    'own.mjs': `export const notes = { name: 'notes', description: 'Finds a note.', inputSchema: { type: 'object', properties: {} }, execute: () => '' }`,
    'skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies up.\nallowed-tools: [read_file]\n---\n',
    'toolgate.yaml': instead === undefined ? config : config.replace(instead.of, () => instead.text),
    ...files,
  })
}

/** The entry as JSON: the flow YAML of a scripted server, with its keys in quotation marks. */
const commonServer = scripted(offering('find', 'fetch')).replace('command:', '"command":').replace('args:', '"args":')

export interface BadPart {
  readonly what: string
  /** Where what is bad is written below the good part. */
  readonly below?: { readonly section: Section; readonly text: string }
  /** Or a piece of the good configuration and what stands there instead. */
  readonly instead?: { readonly of: string; readonly text: string }
  readonly files?: { readonly [file: string]: string }
  readonly code: string
  readonly severity?: Finding['severity']
  /** What is wrong, and what to do. */
  readonly message: RegExp
  readonly hint: RegExp
  /** The file, a piece of the line, and the key. */
  readonly at: { readonly in: string; readonly line: string; readonly key?: RegExp }
  /** The candidate that stands for the bad part, and its code. Absent: there is none. */
  readonly shown?: { readonly id: RegExp; readonly code: string }
}

export const badParts: readonly BadPart[] = [
  {
    what: 'a tool with an unknown key',
    below: { section: 'tools', text: '  - { name: lost, grop: papers, use: "./own.mjs:notes" }\n' },
    code: 'config-unknown-key',
    message: /"?grop"?/,
    hint: /group/,
    at: { in: 'toolgate.yaml', line: 'grop', key: /tools\[2\]/ },
    shown: { id: /^config:lost/, code: 'not-configured' },
  },
  {
    what: 'a tool whose `use` has no export',
    below: { section: 'tools', text: '  - { name: lost, group: papers, use: "./own.mjs" }\n' },
    code: 'use-format',
    message: /own\.mjs/,
    hint: /file\.mjs:export/,
    at: { in: 'toolgate.yaml', line: 'name: lost', key: /tools\[2\]\.use/ },
    shown: { id: /^config:lost/, code: 'load-failed' },
  },
  {
    what: 'a tool whose export is not there',
    below: { section: 'tools', text: '  - { name: lost, group: papers, use: "./own.mjs:nots" }\n' },
    code: 'use-export',
    message: /"nots"/,
    hint: /notes|export/,
    at: { in: 'toolgate.yaml', line: 'name: lost', key: /tools\[2\]\.use/ },
    shown: { id: /^config:lost/, code: 'load-failed' },
  },
  {
    what: 'a tool whose module throws',
    below: { section: 'tools', text: '  - { name: lost, group: papers, use: "./throws.mjs:notes" }\n' },
    files: { 'throws.mjs': 'throw new Error("no database")' },
    code: 'use-load-failed',
    message: /no database/,
    hint: /mend the module/,
    at: { in: 'toolgate.yaml', line: 'name: lost', key: /tools\[2\]\.use/ },
    shown: { id: /^config:lost/, code: 'load-failed' },
  },
  {
    what: 'a tool of a package that is not trusted',
    below: { section: 'tools', text: '  - { name: lost, group: papers, use: "yaml:parse" }\n' },
    code: 'use-not-trusted',
    message: /yaml/,
    hint: /trusted_modules/,
    at: { in: 'toolgate.yaml', line: 'name: lost', key: /tools\[2\]\.use/ },
    shown: { id: /^config:lost/, code: 'load-failed' },
  },
  {
    what: 'a server with a misspelt key',
    below: { section: 'mcp_servers', text: '  lost: { comand: node }\n' },
    code: 'config-unknown-key',
    message: /"?comand"?/,
    hint: /command/,
    at: { in: 'toolgate.yaml', line: 'lost:', key: /mcp_servers\.lost/ },
    shown: { id: /^mcp:lost\/\*$/, code: 'not-configured' },
  },
  {
    what: 'a server whose variable is not set',
    below: { section: 'mcp_servers', text: '  lost:\n    command: node\n    env: { TOKEN: $NOT_SET_ANYWHERE }\n' },
    code: 'config-variable',
    message: /NOT_SET_ANYWHERE/,
    hint: /set it|default/i,
    at: { in: 'toolgate.yaml', line: 'NOT_SET_ANYWHERE', key: /mcp_servers\.lost\.env\.TOKEN/ },
    shown: { id: /^mcp:lost\/\*$/, code: 'not-configured' },
  },
  {
    what: 'a server whose command is a shell line',
    below: { section: 'mcp_servers', text: '  lost: { command: "npx -y some-server" }\n' },
    code: 'command-shell-line',
    message: /mcp_servers\.lost\.command.* shell line/,
    hint: /args/,
    at: { in: 'toolgate.yaml', line: 'lost:', key: /mcp_servers\.lost\.command/ },
    shown: { id: /^mcp:lost\/\*$/, code: 'not-configured' },
  },
  {
    what: 'a server that lists one faulty tool',
    below: {
      section: 'mcp_servers',
      text: `  lost: ${scripted(offering(listed('crooked', { inputSchema: 'none' }), 'straight'))}\n`,
    },
    code: 'tool-quarantined',
    severity: 'warning',
    message: /invalid-schema/,
    hint: /tell the server's author/,
    at: { in: 'toolgate.yaml', line: 'lost:', key: /mcp_servers\.lost/ },
    shown: { id: /^mcp:lost\/crooked$/, code: 'invalid-schema' },
  },
  {
    what: 'a skill whose list cannot be read',
    files: {
      'skills/crooked/SKILL.md': '---\nname: crooked\ndescription: Is crooked.\nallowed-tools: { all: true }\n---\n',
    },
    code: 'skill-allowed-tools',
    message: /it is a mapping, not a list/,
    hint: /list/,
    at: { in: 'skills/crooked/SKILL.md', line: 'allowed-tools', key: /allowed-tools/ },
  },
  {
    what: 'an allow rule that is too wide',
    instead: { of: 'allow: [read_file]', text: 'allow: [read_file, "*"]' },
    code: 'rule-allow-too-wide',
    message: /\*/,
    hint: /name|server|group/i,
    at: { in: 'toolgate.yaml', line: 'allow:', key: /permissions\.allow\[1\]/ },
  },
  {
    what: 'a shared file that is no JSON',
    instead: { of: '[shared.json]', text: '[shared.json, more.json]' },
    files: { 'more.json': '{ "mcpServers": {\n  "lost": ]\n}' },
    code: 'config-syntax',
    message: /./,
    hint: /./,
    at: { in: 'more.json', line: '"lost": ]' },
  },
  {
    what: 'a shared file that is not there',
    instead: { of: '[shared.json]', text: '[shared.json, more.json]' },
    code: 'config-not-found',
    message: /more\.json/,
    hint: /./,
    at: { in: 'toolgate.yaml', line: 'mcp_config_files', key: /mcp_config_files\[1\]/ },
  },
]
