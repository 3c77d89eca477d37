// A stored inventory with something of everything: each source, tools that fail, names that clash, names and schemas
// that a target does not take, and one word that every description holds.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidate } from '../../src/core/candidate.ts'
import { aCandidate, aStandIn, someFacts } from '../../src/testing/world.ts'

/** The word that a prompt matches everything by. */
export const everywhere = 'desklike'

const described = (given: Partial<Candidate>): Candidate =>
  aCandidate({
    definition: {
      description: `A ${everywhere} tool: ${given.originalName}.`,
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, words: { type: 'array', items: { type: 'string' } } },
      },
    },
    ...given,
  })

const all = ['read', 'write', 'execute', 'network'] as const

export const candidates: readonly Candidate[] = [
  described({ originalName: 'read_file', group: 'papers', role: 'file-read', marks: ['claw:simple-by-name'] }),
  described({ originalName: 'str_replace', group: 'papers', role: 'file-edit', effects: ['write'] }),
  described({ originalName: 'bash', group: 'papers', role: 'shell', needs: ['host-shell'], effects: ['execute'] }),
  described({ originalName: 'git_log', group: 'code' }),
  described({ originalName: 'mcp_notes', marks: ['claw:mcp-by-substring'], effects: ['write'] }),
  described({ originalName: 'lost', availability: { state: 'load-failed', detail: 'use-export: no such export' } }),
  described({ source: 'builtin', originalName: 'view_image', needs: ['vision'] }),
  described({ source: 'builtin', originalName: 'ask_clarification', form: 'interrupts', needs: ['person'] }),
  described({ source: 'builtin', originalName: 'task', form: 'delegates', role: 'subagent' }),
  described({ source: 'builtin', originalName: 'tool_search', role: 'tool-search' }),
  described({ server: 'files', originalName: 'read_file', group: 'papers' }),
  described({ server: 'files', originalName: 'move_file', group: 'papers', effects: ['write'] }),
  described({ server: 'files', originalName: 'list.pages', group: 'papers' }),
  described({ server: 'bare', originalName: 'git_log', name: 'git_log', effects: all, effectsBy: 'assumed' }),
  described({ server: 'bare', originalName: 'git_push', name: 'git_push', effects: ['write', 'network'] }),
  described({ server: 'bare', originalName: 'bash', name: 'bash', effects: all }),
  described({
    server: 'bare',
    originalName: 'any_of',
    name: 'any_of',
    definition: {
      description: `A ${everywhere} tool whose schema not every target takes.`,
      inputSchema: {
        type: 'object',
        properties: { at: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
        additionalProperties: false,
      },
    },
  }),
  described({ server: 'bare', originalName: 'broken', faults: [{ code: 'invalid-schema', detail: 'it has none' }] }),
  described({ server: 'crm', originalName: 'find', effects: ['read', 'network'] }),
  described({ server: 'crm', originalName: 'delete_all', effects: ['write', 'network'] }),
  described({
    server: 'crm',
    originalName: 'gone',
    availability: { state: 'no-longer-listed', detail: 'not any more' },
  }),
  aStandIn('down', { availability: { state: 'timed-out', detail: 'no answer' } }),
  described({ source: 'acp', originalName: 'invoke_acp_agent', form: 'delegates', effects: all }),
]

const config = (otherwise: string): string => `version: 1
models:
  - { name: plain, can: [tools], context_tokens: 32000 }
  - { name: sighted, can: [tools, vision] }
agents:
  main: { model: sighted, skills: [tidy, free] }
  child: { model: plain, groups: [papers], permissions: { deny: ["files/move_file"] } }
skills: { paths: [skills] }
permissions:
  deny: ["crm/delete_all"]
  ask: ["effect:execute"]
  allow: [read_file, "files/*", git_push, task, "bare/any_of", "bare/git_log"]
  otherwise: ${otherwise}
delegation: { enabled: true }
sandbox: { kind: none }
tool_search: { enabled: auto, budget: 400, always: ["files__read_file"] }
`

const skill = (name: string, tools: string): string => `---\nname: ${name}\ndescription: Does one thing.\n${tools}---\n`

export interface InventoryFolder {
  readonly folder: string
  readonly snapshot: string
  readonly configOf: (otherwise: 'ask' | 'deny') => string
  readonly remove: () => void
}

/** The inventory and two configurations in a fresh folder. */
export async function inventoryFolder(): Promise<InventoryFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-agreement-'))
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  await mkdir(join(folder, 'skills/tidy'), { recursive: true })
  await mkdir(join(folder, 'skills/free'), { recursive: true })
  write(
    'skills/tidy/SKILL.md',
    skill('tidy', 'allowed-tools: [read_file, "files__read_file", git_push, task, any_of]\n'),
  )
  write('skills/free/SKILL.md', skill('free', ''))
  for (const otherwise of ['ask', 'deny']) write(`${otherwise}.yaml`, config(otherwise))
  const document = {
    schema: 'toolgate.snapshot/1',
    takenAt: '2026-01-01T00:00:00Z',
    preset: 'default',
    facts: someFacts(),
    servers: [],
    findings: [],
    candidates,
  }
  write('inventory.json', JSON.stringify(document))
  return {
    folder,
    snapshot: join(folder, 'inventory.json'),
    configOf: (otherwise) => join(folder, `${otherwise}.yaml`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
