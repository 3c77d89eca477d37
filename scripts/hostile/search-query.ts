// Kind `search-query`: a query to `tool_search` over the catalog of the data, through everything that stands around a
// call: known tool, middlewares, the index, promotions in a store.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import { readDeferredNames } from '../../src/catalog/prompt/deferred-names.ts'
import { promptParts, promptTools } from '../../src/catalog/prompt/prompt-parts.ts'
import type { Config } from '../../src/config/config.ts'
import { assemble } from '../../src/core/assemble.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import type { Surface } from '../../src/core/surface.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { composed } from '../../src/runtime/compose.ts'
import { invoke } from '../../src/runtime/invoke.ts'
import { knownTool } from '../../src/runtime/known-tool.ts'
import type { CallContext } from '../../src/runtime/middleware.ts'
import { type RunCatalogs, runCatalogs } from '../../src/runtime/run-catalogs.ts'
import { threadCatalog } from '../../src/runtime/thread-catalog.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import type { SessionPool } from '../../src/sessions/pool/pool.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { openState } from '../../src/state/open-state.ts'
import { aCandidate, aSearchTool, someFacts } from '../../src/testing/world.ts'
import { toolSearch } from '../../src/tools/index.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { misses, type Told } from './expected.ts'

export const searchQuery: Kind = {
  kind: 'search-query',
  prepare: async (dataDir) => {
    // What a run has before anybody asks: the surface and the index of its catalog.
    for (const bulk of [false, true]) await worldOf(dataDir, bulk).then(({ index }) => index())
    warm ??= worldOf(dataDir, false).then((world) => searched('warm', world))
    await warm
  },
  run: async (one, dataDir) => {
    const { query, bulk } = entryOf(one, dataDir) as unknown as { readonly query: unknown; readonly bulk?: boolean }
    const done = await searched(query, await worldOf(dataDir, bulk === true))
    return judged(one, query, done)
  },
}

/** The store and what stands around a call are loaded by the first of them. */
let warm: Promise<unknown> | undefined

interface Listed {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

interface Catalogue {
  readonly deferred: readonly Listed[]
  readonly denied: readonly Listed[]
  readonly bulk: { readonly count: number; readonly name: string; readonly description: string }
}

interface SearchWorld {
  readonly surface: Surface
  readonly catalogs: RunCatalogs
  readonly index: () => Promise<unknown>
}

const worlds = new Map<string, Promise<SearchWorld>>()

function worldOf(dataDir: string, bulk: boolean): Promise<SearchWorld> {
  const key = `${dataDir} ${bulk}`
  const known = worlds.get(key)
  if (known !== undefined) return known
  const made = madeWorld(dataDir, bulk)
  worlds.set(key, made)
  return made
}

async function madeWorld(dataDir: string, bulk: boolean): Promise<SearchWorld> {
  const listed = JSON.parse(readFileSync(join(dataDir, 'search/catalog.json'), 'utf8')) as Catalogue
  const { count, name, description } = listed.bulk
  const more = Array.from({ length: bulk ? count : 0 }, (_, number): Listed => {
    const numbered = (text: string): string => text.replaceAll('{i}', String(number))
    return { name: numbered(name), description: numbered(description), inputSchema: { type: 'object' } }
  })
  const candidates = [...listed.deferred, ...listed.denied, ...more].map(({ name: own, ...text }) =>
    aCandidate({ source: 'mcp', server: 'm', name: own, originalName: own, definition: text }),
  )
  const rules = listed.denied.map(({ name: text }) => ({
    effect: 'deny' as const,
    text,
    scope: 'config',
    origin: { in: 'toolgate.yaml' },
  }))
  const facts = someFacts({
    permissions: { rules, otherwise: 'allow' },
    deferral: { mode: 'on', budgetTokens: 0, always: [] },
  })
  const surface = assemble(facts, [...candidates, aSearchTool()], gateOrder.default, { sha256 })
  const catalogs = runCatalogs()
  return { surface, catalogs, index: catalogs.of(surface, settings).index }
}

const settings: Config['toolSearch'] = {
  mode: 'on',
  budget: 0,
  always: [],
  maxResults: 5,
  moreResults: 15,
  queryChars: 200,
  synonyms: [],
  autoPromote: 3,
  promotedMax: 128,
}

interface Done {
  readonly outcome: CallOutcome
  /** Names of deferred tools whose definition the model has afterwards. */
  readonly promoted: readonly string[]
  readonly surface: Surface
}

async function searched(query: unknown, { surface, catalogs }: SearchWorld): Promise<Done> {
  const state = await openState('sqlite::memory:')
  try {
    const run = { surface } as PreparedRun
    const now = () => ({ run, config: { toolSearch: settings } as Config })
    const owner = { user: 'u', thread: 't' }
    const catalog = threadCatalog({ catalogs, state: async () => state, owner, now })
    const context: CallContext = {
      surface,
      gates: gateOrder.default,
      viewOf: () => undefined,
      isPromoted: catalog.isPromoted,
      redacted: (text) => text,
    }
    const call = knownTool({ name: 'tool_search', args: { query } }, context)
    const outcome =
      'kind' in call
        ? call
        : await composed(
            (known) =>
              invoke(known, {
                modules: new Map([[known.decision.candidate.id, toolSearch]]),
                servers: new Map(),
                pool: {} as SessionPool,
                owner,
                catalog: { search: (asked) => catalog.search(asked, now()) },
              }),
            context,
          )(call)
    const { tools } = await catalog.visible()
    const promoted = tools.filter((decision) => decision.outcome === 'deferred').map(({ name }) => name)
    return { outcome, promoted, surface }
  } finally {
    await state.close()
  }
}

function judged(one: HostileCase, query: unknown, { outcome, promoted, surface }: Done): string[] {
  const failed = outcome.kind === 'result' ? undefined : outcome
  const errors: Told[] =
    failed === undefined
      ? []
      : [{ code: failed.code, subject: '', message: failed.message, hint: failed.action, at: '' }]
  const text = outcome.kind === 'result' ? String(outcome.content[0]?.text) : ''
  const answer = (outcome.kind === 'result' ? outcome.structuredContent : undefined) ?? {}
  const matches = ((answer.tools ?? []) as readonly { readonly name: string }[]).map(({ name }) => name)
  const named = [...matches, ...((answer.more ?? []) as readonly string[])]
  const out = misses(one, {
    outcome: failed === undefined ? 'accept' : 'reject',
    errors,
    told: errors,
    shown: [text],
  })
  if (failed !== undefined) return out

  const { yields = {}, invariants = [] } = one.expect
  for (const [fact, wanted] of Object.entries(yields))
    out.push(...notYielded(fact, wanted, { matches, named, promoted }))
  const known = new Set(surface.withOutcome('deferred').map(({ name }) => name))
  for (const name of named) if (!known.has(name)) out.push(`it names ${printable(name)}, which is not deferred`)
  if (JSON.stringify([...promoted].sort()) !== JSON.stringify([...matches].sort()))
    out.push(`it gave ${matches.join(', ')} and promoted ${promoted.join(', ')}`)
  for (const invariant of new Set([...invariants, 'prompt-intact', 'single-line-error']))
    out.push(...broken(invariant, text, { query, surface }))
  return out
}

function notYielded(
  fact: string,
  wanted: unknown,
  seen: {
    readonly matches: readonly string[]
    readonly named: readonly string[]
    readonly promoted: readonly string[]
  },
): string[] {
  const list = Array.isArray(wanted) ? wanted.map(String) : []
  const { matches, named, promoted } = seen
  switch (fact) {
    case 'matches':
      return same(matches, list) ? [] : [`it gives ${matches.join(', ')}, not ${list.join(', ')}`]
    case 'promoted':
      return same(promoted, list) ? [] : [`it promotes ${promoted.join(', ')}, not ${list.join(', ')}`]
    case 'matches_include':
      return list.filter((name) => !matches.includes(name)).map((name) => `it does not give ${name}`)
    case 'matches_exclude':
      return list.filter((name) => named.includes(name)).map((name) => `it names ${name}`)
    case 'promoted_at_most':
      return promoted.length <= Number(wanted) ? [] : [`it promotes ${promoted.length} tools`]
    case 'bounded':
      return matches.length <= 5 && named.length <= 20 ? [] : [`it names ${named.length} tools`]
  }
  return [`the runner knows no fact "${fact}"`]
}

const same = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort())

function broken(
  invariant: string,
  text: string,
  { query, surface }: { readonly query: unknown; readonly surface: Surface },
): string[] {
  switch (invariant) {
    case 'not-executed':
    case 'no-pollution':
      // No tool but the search itself can be carried out here; prototypes are watched around every case.
      return []
    case 'prompt-intact': {
      const { names } = promptParts(promptTools(surface))
      const isWhole = (readDeferredNames(names)?.length ?? 0) > 0
      return isWhole && !/[<>]/.test(text) ? [] : [`the answer to ${printable(String(query), 60)} holds markup`]
    }
    case 'single-line-error':
      return unprintable.test(text) ? ['the answer holds characters that command a terminal'] : []
  }
  return [`the runner knows no invariant "${invariant}"`]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/
