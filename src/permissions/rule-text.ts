// Rules written by the program: what to put into a file so that it means this tool and no other.

import type { Candidate } from '../core/candidate.ts'
import { escapeRuleText } from './escapes.ts'

/** The exact rule for one tool: `server/tool`, or its name; for a stand-in `server/*`. */
export function ruleTextOf(candidate: Candidate): string {
  const { server, originalName, name, standIn } = candidate
  if (server === undefined) return escapeRuleText(name)
  return `${escapeRuleText(server)}/${standIn === true ? '*' : escapeRuleText(originalName)}`
}
