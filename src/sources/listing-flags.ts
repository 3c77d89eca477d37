// What shows only when the texts of several servers stand side by side: one that names a tool of another. It may be an
// honest hint, or an order to use the other tool in another way; both tools are kept.

import { setImmediate as turn } from 'node:timers/promises'
import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'

/** Findings that are told one by one. */
const findingsMax = 50
/** Characters that are read in one go before other work gets its turn. */
const charsInOneGo = 500_000

/**
 * Names that a text can only mean as names: made of several parts, or with a capital inside. `search` in a text means
 * anything. Of 2,543 real tools of 71 servers, side by side, six name such a tool of another server.
 */
const isUnmistakable = (name: string): boolean => /[_.-]|[a-z][A-Z]/.test(name)
const word = /[A-Za-z0-9_.-]{3,}/g
/** What ends a sentence, and may end a name as well. */
const trimmed = (found: string): string => found.replace(/^[.-]{1,9}/, '').replace(/[.-]{1,9}$/, '')

/**
 * One finding for each tool whose text names tools of another server, by the name that a model would call them by or by
 * that of their owner. A server that has a tool of that name itself means its own. Each text is read once, whatever the
 * number of tools.
 */
export async function shadowingFindings(candidates: readonly Candidate[]): Promise<readonly Finding[]> {
  const listed = candidates.filter(({ source, standIn }) => source === 'mcp' && standIn !== true)
  const ownersOf = new Map<string, Set<string>>()
  for (const { name, originalName, server = '' } of listed) {
    for (const known of [name, originalName]) {
      if (!isUnmistakable(known)) continue
      const owners = ownersOf.get(known) ?? new Set()
      ownersOf.set(known, owners.add(server))
    }
  }
  const found: Finding[] = []
  const servers = new Set(listed.map(({ server }) => server))
  if (servers.size < 2) return found
  let read = 0
  let rest = 0
  for (const candidate of listed) {
    const { server = '', originalName, origin } = candidate
    const named = new Map<string, string>()
    for (const text of textsOf(candidate)) {
      read += text.length
      for (const found of text.match(word) ?? []) {
        const owners = ownersOf.get(found) ?? ownersOf.get(trimmed(found))
        if (owners === undefined || owners.has(server)) continue
        const [owner = ''] = owners
        named.set(trimmed(found), owner)
      }
    }
    if (named.size > 0 && found.length < findingsMax) {
      const [first, ...more] = [...named].map(([other, owner]) => `"${printable(other, 80)}" of "${owner}"`)
      const message = `its text names the tool ${first}${more.length === 0 ? '' : ` and ${more.length} more of other servers`}`
      found.push(
        finding('shadowing', 'warning', message, { subject: `${server}/${printable(originalName, 80)}`, origin }),
      )
    } else if (named.size > 0) rest += 1
    if (read > charsInOneGo) {
      read = 0
      await turn()
    }
  }
  if (rest > 0) found.push(finding('shadowing', 'warning', `${rest} more tools name tools of other servers`))
  return found
}

function textsOf({ definition }: Candidate): readonly string[] {
  const { title, description, inputSchema, outputSchema, annotations } = definition
  const texts: string[] = title === undefined ? [description] : [description, title]
  for (const part of [inputSchema, outputSchema, annotations]) collect(part, texts)
  return texts
}

/** Every text in a value that was bounded in depth. Names of properties are no texts. */
function collect(value: Json | undefined, texts: string[]): void {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const item of value) collect(item, texts)
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value as JsonObject)) collect(item, texts)
}
