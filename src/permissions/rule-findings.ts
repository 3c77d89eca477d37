// What is wrong with a rule, put into findings: each says what, where and what to do.

import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import type { Rule } from '../core/run-facts.ts'
import { finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { isUrlArgument, primaryArguments } from './arguments.ts'
import type { CompiledRule } from './compile-rules.ts'
import { foldWide } from './fold-wide.ts'
import { hasWildcard, patternText } from './glob.ts'
import type { Condition } from './parse-conditions.ts'
import type { Subject } from './parse-rule.ts'
import type { RuleFault } from './rule-fault.ts'

/** A rule that cannot be used. An error: what it would restrict is restricted until it is mended. */
export const faultFinding = (rule: Rule, { code, message, hint }: RuleFault): Finding =>
  finding(code, 'error', `${rule.effect} rule ${shown(rule.text)}: ${message}`, { ...about(rule), hint })

/** A rule that names no known tool, with the nearest names. */
export function matchesNothing(
  { rule, parsed: { subject } }: CompiledRule<Rule>,
  candidates: readonly Candidate[],
): Finding {
  const message = `${rule.effect} rule ${shown(rule.text)} matches 0 of ${candidates.length} tools`
  return finding('rule-matches-nothing', 'warning', message, {
    ...about(rule),
    hint: meantInstead(subject, candidates),
  })
}

function meantInstead(subject: Subject, candidates: readonly Candidate[]): string {
  const servers = candidates.flatMap(({ server }) => (server === undefined ? [] : [server]))
  switch (subject.kind) {
    case 'group': {
      const groups = candidates.flatMap(({ group }) => (group === undefined ? [] : [group]))
      return offered('group', nearest(patternText(subject.pattern), groups), groups.length)
    }
    case 'effect':
    case 'role':
      return 'no tool is declared so; remove the rule, or declare it where the tool is configured'
    case 'tool': {
      const wanted = foldWide(subject.server)
      const known = hasWildcard(subject.server) || servers.some((server) => foldWide(server) === wanted)
      if (!known) return offered('server', nearest(subject.server, servers), servers.length)
      return toolsLike(`${subject.server}/${subject.pattern}`, candidates)
    }
    case 'name': {
      const { pattern } = subject
      if (servers.includes(pattern)) return `for all tools of that server, write "${printable(pattern, 60)}/*"`
      const command = shellCommands.has(pattern) && !candidates.some(({ originalName }) => originalName === pattern)
      return command
        ? `it looks like a shell command; write "bash(command:${pattern} *)"`
        : toolsLike(pattern, candidates)
    }
  }
}

/** The tools whose name is nearest, in the form that a rule would have to name them. */
function toolsLike(pattern: string, candidates: readonly Candidate[]): string {
  const forms = new Map<string, string>()
  for (const { name, originalName, server } of candidates) {
    forms.set(name, name)
    if (server === undefined) continue
    const qualified = `${server}/${originalName}`
    forms.set(qualified, qualified)
    if (!forms.has(originalName)) forms.set(originalName, qualified)
  }
  const near = nearest(patternText(pattern), forms.keys()).map((word) => forms.get(word) ?? word)
  return offered('tool', [...new Set(near)], forms.size)
}

/** Conditions on arguments that none of the tools it names has; such a condition never holds. */
export function conditionFindings(
  { rule, parsed: { conditions } }: CompiledRule<Rule>,
  tools: readonly Candidate[],
): Finding[] {
  if (conditions.length === 0) return []
  const lists = tools.map(({ definition, standIn }) =>
    standIn === true ? undefined : argumentsOf(definition.inputSchema),
  )
  if (lists.some((list) => list === undefined)) return []
  const known = new Set(lists.flatMap((list) => list ?? []))
  return conditions
    .filter((condition) => !takes(condition, known))
    .map((condition) => unknownArgument(rule, condition, known))
}

function unknownArgument(rule: Rule, { argument }: Condition, known: ReadonlySet<string>): Finding {
  const has =
    known.size === 0 ? 'the tool has no arguments' : `its arguments: ${[...known].slice(0, 8).map(shown).join(', ')}`
  if (argument === undefined) {
    const message = `${rule.effect} rule ${shown(rule.text)} names no argument, and the tool takes none of ${primaryArguments.join(', ')}`
    return finding('rule-condition-unknown-argument', 'warning', message, {
      ...about(rule),
      hint: `write argument:pattern; ${has}`,
    })
  }
  const near = nearest(argument, known)
  const message = `${rule.effect} rule ${shown(rule.text)} has a condition on ${shown(argument)}, which no tool that it names takes`
  const hint = near.length > 0 ? `did you mean ${near.map(shown).join(' or ')}` : has
  return finding('rule-condition-unknown-argument', 'warning', message, { ...about(rule), hint })
}

function takes({ argument }: Condition, known: ReadonlySet<string>): boolean {
  if (argument === undefined) return primaryArguments.some((name) => known.has(name))
  return known.has(argument) || (argument === 'domain' && [...known].some(isUrlArgument))
}

/** Names of a tool's arguments; undefined when its schema does not list them or takes more than it lists. */
function argumentsOf({
  properties,
  additionalProperties,
}: Candidate['definition']['inputSchema']): readonly string[] | undefined {
  if (properties === undefined || properties === null || typeof properties !== 'object' || Array.isArray(properties))
    return undefined
  const open =
    additionalProperties === true || (additionalProperties !== null && typeof additionalProperties === 'object')
  return open ? undefined : Object.keys(properties)
}

function offered(kind: string, near: readonly string[], known: number): string {
  if (near.length > 0) return `did you mean ${near.map(shown).join(' or ')}`
  return known === 0
    ? `no ${kind} is known; remove the rule`
    : `no ${kind} is called anything like it; remove the rule, or see \`toolgate tools\``
}

/** The text of a rule or a name, safe to print. */
export const shown = (text: string): string => `"${printable(text, 80)}"`

/** What a finding about a rule carries. */
export const about = (rule: Rule): Pick<Finding, 'subject' | 'origin'> => ({
  subject: printable(rule.text, 80),
  origin: rule.origin,
})

/** Commands that people list as if they were tools. */
const shellCommands: ReadonlySet<string> = new Set([
  'awk',
  'cargo',
  'cat',
  'cd',
  'chmod',
  'cp',
  'curl',
  'docker',
  'echo',
  'find',
  'git',
  'go',
  'grep',
  'head',
  'kubectl',
  'ls',
  'make',
  'mkdir',
  'mv',
  'node',
  'npm',
  'npx',
  'pip',
  'pip3',
  'pnpm',
  'pytest',
  'python',
  'python3',
  'rm',
  'rsync',
  'ruby',
  'sed',
  'ssh',
  'sudo',
  'tail',
  'tar',
  'terraform',
  'touch',
  'uv',
  'wget',
  'yarn',
])
