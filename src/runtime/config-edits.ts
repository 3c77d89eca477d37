// What an edit of the configuration means for what is in service.

import type { Config, McpServerConfig } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { finding, ToolgateError } from '../errors.ts'
import { launchFingerprint } from '../sessions/pool/session-key.ts'

/** The files that are watched. */
export const filesOf = ({ file, sharedFiles }: Config): readonly string[] => [file, ...(sharedFiles ?? [])]

/** True when both say the same, with the places where it is said. */
export const isSameConfig = (one: Config, other: Config): boolean =>
  canonicalJson(one as unknown as Json) === canonicalJson(other as unknown as Json)

/** Servers whose sessions must not be used any more: their entry is started in another way than before, off, or gone. */
export function changedServers(before: Config, after: Config): readonly string[] {
  const isMoved = before.workspace?.folder !== after.workspace?.folder
  return before.mcpServers.filter((server) => isMoved || !isInForce(server, after)).map(({ name }) => name)
}

/** True when this very entry may be started under a configuration. */
export function isInForce(server: McpServerConfig, { mcpServers }: Config): boolean {
  const entry = mcpServers.find(({ name }) => name === server.name)
  if (entry === undefined || !entry.enabled || !entry.approved) return false
  return entry === server || launchFingerprint(entry) === launchFingerprint(server)
}

/** What an edit asks for and a running program does not do, one line each. */
export function notAppliedBy(before: Config, after: Config): readonly string[] {
  const { sessions, state } = before
  return [
    ...(sessions.max === after.sessions.max && sessions.idleMs === after.sessions.idleMs ? [] : ['sessions']),
    ...(state.url === after.state.url ? [] : ['state']),
  ].map((key) => `"${key}" was edited, and holds from the next start of this program on`)
}

/** Why an edit is not in force, for one that was read and of which no run can be made. */
export function faultOfEdit(error: unknown): Finding {
  if (error instanceof ToolgateError) return error.finding
  const said = error instanceof Error ? error.message : String(error)
  return finding('internal-error', 'error', `the edited configuration cannot be used: ${printable(said, 300)}`)
}

/** The same findings without secrets: an edit that cannot be read names values as they were found. */
export const redactedFindings = (
  findings: readonly Finding[],
  redacted: (text: string) => string,
): readonly Finding[] =>
  findings.map((found) => {
    const { message, subject, hint, origin } = found
    return {
      ...found,
      message: redacted(message),
      ...(subject === undefined ? {} : { subject: redacted(subject) }),
      ...(hint === undefined ? {} : { hint: redacted(hint) }),
      ...(origin?.key === undefined ? {} : { origin: { ...origin, key: redacted(origin.key) } }),
    }
  })
