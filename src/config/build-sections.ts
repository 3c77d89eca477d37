// The sections that hold no entries: from checked keys to facts with defaults and origins.

import { resolve } from 'node:path'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import type { Rule } from '../core/run-facts.ts'
import { rulesOf } from './build-entries.ts'
import type { Config, SandboxLimits } from './config.ts'
import { expanded } from './expand-part.ts'
import type { Intake } from './intake.ts'
import { isMapping, originIn, originOf, type Part, partAt, remark } from './part.ts'
import type { FileData } from './schema.ts'
import { secretsOfUrl } from './secret-words.ts'

/** The part of one top-level key. */
export const sectionPart = (root: Part, key: string): Part =>
  partAt(isMapping(root.value) ? (root.value[key] ?? null) : null, root.place.inside?.get(key) ?? root.place, [key])

/** The items of a list of texts, each with its place. */
export function listed(root: Part, key: string, texts: readonly string[] | undefined) {
  return (texts ?? []).map((text, index) => ({ text, origin: originIn(root, [key, index]) }))
}

/** The origin of a key inside a section, or nothing when it is not there. */
const innerOrigin = (root: Part, key: string, inner: string): Origin | undefined =>
  root.place.inside?.get(key)?.inside?.has(inner) === true ? originIn(root, [key, inner]) : undefined

const placed = <Name extends string>(name: Name, origin: Origin | undefined) =>
  (origin === undefined ? {} : { [name]: origin }) as { readonly [key in Name]?: Origin }

/** The sections without entries, with their defaults. Absent lists stay absent where that is a state of its own. */
export function sectionsOf(data: FileData, root: Part, folder: string) {
  const { skills, permissions, sandbox, delegation, tool_search: search } = data
  return {
    ...(data.tool_groups === undefined ? {} : { toolGroups: data.tool_groups }),
    ...placed('toolGroupsOrigin', originOf(root, 'tool_groups')),
    skills: {
      paths: (skills?.paths ?? []).map((path) => resolve(folder, path)),
      mode: skills?.mode ?? 'active',
      active: skills?.active ?? [],
      disabled: skills?.disabled ?? [],
      ...(skills?.always_reachable === undefined ? {} : { alwaysReachable: skills.always_reachable }),
      ...placed('origin', originOf(root, 'skills')),
    },
    permissions: {
      rules: fileRules(data, root),
      otherwise: permissions?.otherwise ?? 'allow',
      ...placed('otherwiseOrigin', innerOrigin(root, 'permissions', 'otherwise')),
    },
    sandbox: {
      kind: sandbox?.kind ?? 'auto',
      allowHostBash: sandbox?.allow_host_bash ?? false,
      network: sandbox?.network ?? false,
      programs: (sandbox?.programs ?? []).map((path) => resolve(path)),
      limits: sandboxLimits(sandbox?.limits),
      ...placed('origin', originOf(root, 'sandbox')),
    },
    delegation: {
      enabled: delegation?.enabled ?? false,
      depthMax: delegation?.max_depth ?? 1,
      childrenMax: delegation?.max_children ?? 3,
      timeoutMs: delegation?.timeout_ms ?? 900_000,
      ...placed('origin', originOf(root, 'delegation')),
    },
    toolSearch: {
      mode: search?.enabled === true ? 'on' : search?.enabled === false ? 'off' : 'auto',
      budget: search?.budget ?? 0.1,
      always: search?.always ?? [],
      maxResults: search?.max_results ?? 5,
      moreResults: search?.more_results ?? 15,
      queryChars: search?.query_chars ?? 200,
      synonyms: search?.synonyms ?? [],
      autoPromote: search?.auto_promote ?? 3,
      promotedMax: search?.promoted_max ?? 128,
      ...(search?.promoted_budget === undefined ? {} : { promotedBudget: search.promoted_budget }),
      ...(search?.embedder === undefined
        ? {}
        : { embedder: { use: search.embedder, origin: originIn(root, ['tool_search', 'embedder']) } }),
      ...placed('origin', originOf(root, 'tool_search')),
      ...placed('budgetOrigin', innerOrigin(root, 'tool_search', 'budget')),
    },
    sessions: { max: data.sessions?.max ?? 64, idleMs: data.sessions?.idle_ms ?? 300_000 },
    listings: { maxAgeMs: data.listings?.max_age_ms ?? dayMs },
    ...(data.workspace?.path === undefined ? {} : { workspace: { folder: resolve(folder, data.workspace.path) } }),
    trustedModules: data.trusted_modules ?? [],
    pins: { enabled: data.pins?.enabled ?? false },
    require: listed(root, 'require', data.require),
    forbid: listed(root, 'forbid', data.forbid),
  } satisfies Partial<Config>
}

const dayMs = 86_400_000
const mebibyte = 1024 * 1024

/** The bounds of a command; where nothing is said, the ones with their reasons here. */
export function sandboxLimits(said: NonNullable<FileData['sandbox']>['limits'] = {}): SandboxLimits {
  return {
    // Builds and notebooks need one or two GiB; the smallest machine that runs agents has four.
    memoryBytes: said.memory_bytes ?? 2048 * mebibyte,
    // A parallel build has some dozens; threads count, and one process of Node has eleven.
    processes: said.processes ?? 256,
    // A build that talks a lot prints a few MiB; who prints more is in a loop.
    outputBytes: said.output_bytes ?? 16 * mebibyte,
    // Room for an archive or a database; a loop that writes zeros stops within seconds.
    fileBytes: said.file_bytes ?? 512 * mebibyte,
    tempBytes: said.temp_bytes ?? 256 * mebibyte,
    // A machine without room on its disk loses what others write, state and logs among it.
    diskReserveBytes: said.disk_reserve_bytes ?? 512 * mebibyte,
  }
}

/** `permissions`, then the short forms `deny_tools` and `deny_prefixes`, which are deny rules too. */
function fileRules(data: FileData, root: Part): Rule[] {
  const deny = (key: string, texts: readonly string[] | undefined, end: string): Rule[] =>
    listed(root, key, texts).map(
      ({ text, origin }): Rule => ({ effect: 'deny', text: text + end, scope: 'config', origin }),
    )
  return [
    ...rulesOf(data.permissions ?? {}, 'config', (path) => originIn(root, ['permissions', ...path])),
    ...deny('deny_tools', data.deny_tools, ''),
    ...deny('deny_prefixes', data.deny_prefixes, '*'),
  ]
}

/**
 * Where promotions, threads and approvals are kept. An address that cannot be had refuses the file: another store
 * would seem to have forgotten everything.
 */
export function stateOf(
  data: FileData,
  root: Part,
  intake: Intake,
): { readonly url: string; readonly findings: readonly Finding[] } {
  const findings: Finding[] = []
  const url = expanded(data.state?.url, ['state', 'url'], root, intake, findings) ?? stateDefault
  if (findings.length > 0 || stateUrl.test(url)) {
    for (const secret of secretsOfUrl(url)) intake.secret(secret)
    return { url, findings }
  }
  const message = '"state.url" must begin with sqlite: or postgres:'
  return { url, findings: [remark(root, 'config-range', message, { path: ['state', 'url'] })] }
}

const stateDefault = 'sqlite:.toolgate/state.db'
const stateUrl = /^(?:sqlite|postgres|postgresql):/
