// Servers from files in the common form of other clients, `{"mcpServers": {"name": {…}}}`. Such a file may come with
// somebody else's repository: it says how a server is reached and may narrow it, and nothing more. It is read, never
// started from, until the configuration approves the server.

import { resolve } from 'node:path'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { entriesOf, hasError, isMapping, type Mapping, type Part, partAt, remark } from './part.ts'
import type { Place } from './place.ts'
import { readJson } from './read-json.ts'
import { readText } from './read-text.ts'
import { freePrefix, sharedServerKeys } from './schema.ts'
import { withOurKeys } from './server-keys.ts'

export interface SharedServer {
  readonly name: string
  readonly value: Mapping
  readonly place: Place
  /** Where the configuration names the file. */
  readonly namedAt: Origin
}

export interface SharedFiles {
  /** In the order of files and, inside one, of the file; names may still be unsound or twice. */
  readonly servers: readonly SharedServer[]
  readonly findings: readonly Finding[]
  /** Folder of each file that was read, absolute. */
  readonly folders: ReadonlyMap<string, string>
}

/**
 * Reads the files that `mcp_config_files` names, relative to the folder of the configuration. A file that cannot be
 * read is one finding (`config-not-found`, a code of the readers, `config-type`, `config-missing-key`) and costs the
 * others nothing.
 */
export async function readSharedServers(
  files: readonly { readonly path: string; readonly origin: Origin }[],
  folder: string,
): Promise<SharedFiles> {
  const servers: SharedServer[] = []
  const findings: Finding[] = []
  const folders = new Map<string, string>()
  for (const { path, origin } of files) {
    const at = resolve(folder, path)
    const text = await readText(at, path, { trusted: true })
    if ('fault' in text) {
      findings.push(missing(text.fault, origin))
      continue
    }
    folders.set(path, resolve(at, '..'))
    const reading = readJson(text.text, path)
    if ('faults' in reading) {
      findings.push(...reading.faults)
      continue
    }
    const found = serversIn(reading.value, reading.place, origin)
    servers.push(...found.servers)
    findings.push(...reading.warnings, ...found.findings)
  }
  return { servers, findings, folders }
}

/** A file that is not there is mended where it is named. */
function missing(fault: Finding, origin: Origin): Finding {
  if (fault.code !== 'config-not-found') return fault
  const message = `"${origin.key}" names a file that is not there: ${fault.subject}`
  return finding('config-not-found', 'error', message, { subject: fault.subject ?? '', origin })
}

/** Root keys under which other clients keep their servers (reference: data/client-configs). */
const foreignRoots: ReadonlyMap<string, string> = new Map([
  ['servers', 'VS Code'],
  ['context_servers', 'Zed'],
  ['mcp_servers', 'Codex and this program'],
  ['mcp', 'opencode'],
  ['extensions', 'goose'],
])

/** Beside the servers in files of known clients, and of no meaning here. */
const quietRoots: ReadonlySet<string> = new Set(['$schema', 'inputs'])

function serversIn(root: Json, place: Place, namedAt: Origin): { servers: SharedServer[]; findings: Finding[] } {
  const file = partAt(root, place, [])
  const findings: Finding[] = []
  if (!isMapping(root)) {
    return { servers: [], findings: [remark(file, 'config-type', 'the file must be an object with "mcpServers"')] }
  }
  const { mcpServers: list, ...others } = root
  if (list === undefined) return { servers: [], findings: [noServers(root, place)] }
  const part = partAt(list, place.inside?.get('mcpServers') ?? place, ['mcpServers'])
  if (!isMapping(list)) {
    return { servers: [], findings: [remark(part, 'config-type', '"mcpServers" must be an object')] }
  }
  for (const key of Object.keys(others)) {
    if (quietRoots.has(key) || key.startsWith(freePrefix)) continue
    const message = `the key "${printable(key, 60)}" has no meaning here`
    findings.push(remark(file, 'config-unknown-key', message, { path: [key], severity: 'warning' }))
  }
  const servers: SharedServer[] = []
  for (const [name, given] of entriesOf(part)) {
    const read = sharedServer(name, given, namedAt)
    findings.push(...read.findings)
    if (read.server !== undefined) servers.push(read.server)
  }
  return { servers, findings }
}

function noServers(root: Mapping, place: Place): Finding {
  const foreign = Object.keys(root).find((key) => foreignRoots.has(key))
  const file = partAt(root, place, [])
  if (foreign === undefined) {
    const hint = 'write {"mcpServers": {"name": {…}}}'
    return remark(file, 'config-missing-key', '"mcpServers" is missing', { hint })
  }
  const message = `"mcpServers" is missing; "${foreign}" is the key of ${foreignRoots.get(foreign)}`
  return remark(file, 'config-missing-key', message, { path: [foreign], hint: `rename "${foreign}" to "mcpServers"` })
}

function sharedServer(
  name: string,
  given: Part,
  namedAt: Origin,
): { readonly server?: SharedServer; readonly findings: readonly Finding[] } {
  if (!isMapping(given.value)) {
    return { findings: [remark(given, 'config-type', `"${printable(name, 60)}" must be an object`)] }
  }
  const { part, findings } = withOurKeys(given)
  const kept: Record<string, Json> = {}
  const ignored: string[] = []
  for (const [key, item] of Object.entries(part.value as Mapping)) {
    if (sharedServerKeys.includes(key)) kept[key] = item
    else if (!key.startsWith(freePrefix)) ignored.push(key)
  }
  if (hasError(findings)) return { findings }
  const server: SharedServer = { name, value: kept, place: part.place, namedAt }
  if (ignored.length === 0) return { server, findings }
  const message = `"${printable(name, 60)}": ${ignored.map((key) => `"${printable(key, 40)}"`).join(', ')} cannot be set in a shared file`
  const hint = `set what you need under mcp_servers.${printable(name, 60)} in the configuration`
  const path = [ignored[0] ?? '']
  return {
    server,
    findings: [...findings, remark(given, 'config-unknown-key', message, { path, severity: 'warning', hint })],
  }
}
