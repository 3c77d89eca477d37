// What an exact list (allow, and every other list that grants) refuses: wildcards that would grant tools which
// nobody has seen yet, of servers which nobody has named.

import { printable } from '../core/printable.ts'
import { hasWildcard, literalHead } from './glob.ts'
import type { ParsedRule, Subject } from './parse-rule.ts'
import type { RuleFault } from './rule-fault.ts'

/** A fault when the rule grants too widely; it then grants nothing. */
export function allowFault({ text, subject }: ParsedRule): RuleFault | undefined {
  if (!tooWide(subject)) return undefined
  return {
    code: 'rule-allow-too-wide',
    message: `"${printable(text, 80)}" has a wildcard that is not bound to a named server, so it allows nothing`,
    hint: 'name the tool, or write server/*, server/get_*, mcp__server__*, group:NAME or effect:NAME',
  }
}

function tooWide(subject: Subject): boolean {
  switch (subject.kind) {
    case 'name': {
      if (!hasWildcard(subject.pattern)) return false
      const named = subject.pattern.startsWith('mcp__') ? subject.pattern.slice(5) : subject.pattern
      const head = literalHead(named)
      return head.includes(':') || head.indexOf('__', 1) < 0
    }
    case 'tool':
      return hasWildcard(subject.server)
    case 'group':
      return hasWildcard(subject.pattern)
    default:
      return false
  }
}
