// Many rules against many tools, in one pass. Two ways of reading names:
//
//   wide   deny and ask: every name a tool has counts, and spelling does not (`foldWide`)
//   exact  allow, and every other list that grants: the surface name, byte for byte, or the server with its own name
//
// A server and a tool meet at `__`, and either may hold more of them. So `mcp__a__b__c` is never cut up: it is
// compared with what each candidate declares as its server and its original name.

import type { Candidate, EffectClass } from '../core/candidate.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import { allowFault } from './allow-fault.ts'
import { foldWide } from './fold-wide.ts'
import { coversAll, globOf, hasWildcard, mapLiterals, matchesGlob } from './glob.ts'
import { identityOf, namesOf } from './names-of.ts'
import { isFault, isIdentity, type ParsedRule, parseRule, type Subject } from './parse-rule.ts'
import { type PatternEntry, type PatternSet, patternSet } from './pattern-set.ts'
import type { RuleFault } from './rule-fault.ts'
import { type ServerRule, type ServerView, serverViews } from './server-views.ts'

export type RuleListKind = 'wide' | 'exact'

/** A rule, whatever else is known about it (effect, scope, origin). */
export interface RuleLike {
  readonly text: string
}

export interface CompiledRule<R extends RuleLike> {
  readonly rule: R
  readonly parsed: ParsedRule
}

/** By what the rule met the tool; `name`: by a bare name, whoever offers it. */
export type MatchedBy = 'name' | 'server' | 'identity' | 'group' | 'effect' | 'role'

export interface RuleMatch<R extends RuleLike> extends CompiledRule<R> {
  /** Its place in the matcher's list of rules. */
  readonly at: number
  readonly by: MatchedBy
  /** Stands for rule and way of matching; no two of a matcher have the same. */
  readonly mark: string
}

export interface RuleMatcher<R extends RuleLike> {
  readonly kind: RuleListKind
  /** In canonical order, the most specific first; the order they were given in makes no difference. */
  readonly rules: readonly CompiledRule<R>[]
  readonly faults: readonly { readonly rule: R; readonly fault: RuleFault }[]
  /**
   * Every rule that names the tool, in canonical order; conditions on arguments are not looked at. A stand-in is
   * matched only by what covers all tools its server could have.
   */
  readonly match: (candidate: Candidate) => readonly RuleMatch<R>[]
  /** The same list, to be read at once: the next call fills it anew. */
  readonly peek: (candidate: Candidate) => readonly RuleMatch<R>[]
  /** For a stand-in: whether a rule names, or may name, some tool of its server. */
  readonly mayMatchPart: (standIn: Candidate) => boolean
}

/** Rules in, a matcher out. What cannot be read, or grants too widely in an exact list, is among its `faults`. */
export function compileRules<R extends RuleLike>(given: readonly R[], kind: RuleListKind): RuleMatcher<R> {
  const { rules, faults } = readable(given, kind)
  const index = indexOf(rules, kind)
  const seen = new Int32Array(rules.length)
  let turn = 0
  // Made once and shared: most rules meet many tools in the same way.
  const made: Record<MatchedBy, (RuleMatch<R> | undefined)[]> = {
    name: [],
    server: [],
    identity: [],
    group: [],
    effect: [],
    role: [],
  }
  const matchAt = (at: number, by: MatchedBy): RuleMatch<R> | undefined => {
    const compiled = rules[at]
    if (compiled === undefined) return undefined
    const known = made[by][at]
    if (known !== undefined) return known
    const mark = String.fromCharCode(at & 0xffff, at >>> 16, waysOfMatching.indexOf(by))
    const fresh = Object.freeze({ ...compiled, at, by, mark })
    made[by][at] = fresh
    return fresh
  }

  // The receivers of hits are made once, not once for each of many thousand tools.
  const found: RuleMatch<R>[] = []
  const receive =
    (by: MatchedBy): ((at: number) => void) =>
    (at) => {
      if (seen[at] === turn) return
      seen[at] = turn
      const hit = matchAt(at, by)
      if (hit !== undefined) found.push(hit)
    }
  const receivers: Receivers = {
    name: receive('name'),
    server: receive('server'),
    identity: receive('identity'),
    group: receive('group'),
    effect: receive('effect'),
    role: receive('role'),
  }
  const peek = (candidate: Candidate): readonly RuleMatch<R>[] => {
    if (rules.length === 0) return nothing
    turn++
    found.length = 0
    hits(index, kind, candidate, receivers)
    inCanonicalOrder(found)
    return found
  }
  return {
    kind,
    rules,
    faults,
    match: (candidate) => [...peek(candidate)],
    peek,
    mayMatchPart: (standIn) => rules.some(({ parsed }) => namesPart(parsed.subject, standIn, kind)),
  }
}

const nothing: readonly never[] = []
const waysOfMatching: readonly MatchedBy[] = ['name', 'server', 'identity', 'group', 'effect', 'role']

/** In place, by insertion: the lists are short and nearly in order, and the built-in sort makes copies of its own. */
function inCanonicalOrder(found: { readonly at: number }[]): void {
  for (let end = 1; end < found.length; end++) {
    const item = found[end]
    if (item === undefined) continue
    let place = end
    for (; place > 0; place--) {
      const before = found[place - 1]
      if (before === undefined || before.at <= item.at) break
      found[place] = before
    }
    found[place] = item
  }
}

function readable<R extends RuleLike>(given: readonly R[], kind: RuleListKind) {
  const faults: { rule: R; fault: RuleFault }[] = []
  const rules: CompiledRule<R>[] = []
  for (const rule of given) {
    const parsed = parseRule(rule.text)
    const fault = isFault(parsed) ? parsed : kind === 'exact' ? allowFault(parsed) : undefined
    if (fault !== undefined) faults.push({ rule, fault })
    else if (!isFault(parsed)) rules.push({ rule, parsed })
  }
  faults.sort((a, b) => inOrder(a.rule, b.rule))
  const rank = new Map(rules.map((compiled) => [compiled, specificity(compiled.parsed.subject)]))
  rules.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || inOrder(a.rule, b.rule))
  return { rules, faults }
}

function inOrder(a: RuleLike, b: RuleLike): number {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1
  const [left, right] = [canonicalJson(a as unknown as Json), canonicalJson(b as unknown as Json)]
  return left === right ? 0 : left < right ? -1 : 1
}

/** Lower is more specific: what a person would name first when asked why. */
function specificity(subject: Subject): number {
  switch (subject.kind) {
    case 'name':
      return hasWildcard(subject.pattern) ? 1 : 0
    case 'tool':
      return coversAll(subject.pattern) ? 4 : hasWildcard(subject.pattern) ? 3 : 2
    case 'group':
      return 5
    case 'role':
      return 6
    case 'effect':
      return 7
  }
}

interface RuleIndex {
  readonly names: PatternSet
  /** `a/b` as the name of one tool, in a wide list. */
  readonly slashed: PatternSet
  /** `mcp__…`, for tools that belong to no server: literal names in an exact list, what came over MCP in a wide one. */
  readonly serverless: PatternSet
  /** Rules written as an identity, `mcp:files/read_file`; no other pattern is compared with identities. */
  readonly identities: PatternSet | undefined
  /** What the identities end in. Absent: one of them has a wildcard. */
  readonly identityEnds: ReadonlySet<string> | undefined
  readonly views: (server: string, overMcp: boolean) => ServerView
  readonly ofGroup: (group: string) => readonly number[]
  readonly effects: ReadonlyMap<EffectClass, readonly number[]>
  readonly roles: ReadonlyMap<string, readonly number[]>
}

function indexOf<R extends RuleLike>(rules: readonly CompiledRule<R>[], kind: RuleListKind): RuleIndex {
  const names: PatternEntry[] = []
  const serverless: PatternEntry[] = []
  const slashed: PatternEntry[] = []
  const identities: PatternEntry[] = []
  const groups: PatternEntry[] = []
  const ofServers: ServerRule[] = []
  const effects = new Map<EffectClass, number[]>()
  const roles = new Map<string, number[]>()
  const read = (pattern: string): string => (kind === 'wide' ? mapLiterals(pattern, foldWide) : pattern)

  rules.forEach(({ parsed: { subject } }, item) => {
    switch (subject.kind) {
      case 'name': {
        const pattern = read(subject.pattern)
        const overMcp = pattern.startsWith('mcp__')
        // INVARIANT: an exact list grants nothing by the look of a name, only by a declared server or identity.
        const byServer = overMcp || (kind === 'exact' && hasWildcard(pattern))
        if (byServer) ofServers.push({ how: 'qualified', rest: overMcp ? pattern.slice(5) : pattern, overMcp, item })
        const byIdentity = isIdentity(pattern)
        if (byIdentity) identities.push({ pattern, item })
        if (kind === 'wide' || !(byServer || byIdentity)) names.push({ pattern, item })
        if (overMcp && (kind === 'wide' || !hasWildcard(pattern))) serverless.push({ pattern, item })
        break
      }
      case 'tool': {
        const [server, tool] = [read(subject.server), read(subject.pattern)]
        ofServers.push({ how: 'tool', server, tool, item })
        if (kind === 'wide') slashed.push({ pattern: `${server}/${tool}`, item })
        break
      }
      case 'group':
        groups.push({ pattern: read(subject.pattern), item })
        break
      case 'effect':
        effects.set(subject.effect, [...(effects.get(subject.effect) ?? []), item])
        break
      case 'role':
        roles.set(subject.role, [...(roles.get(subject.role) ?? []), item])
        break
    }
  })
  return {
    names: patternSet(names),
    slashed: patternSet(slashed),
    serverless: patternSet(serverless),
    identities: identities.length > 0 ? patternSet(identities) : undefined,
    identityEnds: identities.some(({ pattern }) => hasWildcard(pattern)) ? undefined : new Set(identities.map(endOf)),
    views: serverViews(ofServers, kind),
    ofGroup: groupIndex(patternSet(groups), kind),
    effects,
    roles,
  }
}

/** The last piece of an identity or a name: what stands behind the last `/` or `:`. */
const endOf = ({ pattern }: { readonly pattern: string }): string =>
  pattern.slice(Math.max(pattern.lastIndexOf('/'), pattern.lastIndexOf(':')) + 1)

/** Most identities end in the tool's own name: then another ending is enough to tell that none of them is meant. */
const mayBear = (ends: ReadonlySet<string> | undefined, { id, originalName }: Candidate, own: string): boolean =>
  ends === undefined || !id.endsWith(originalName) || ends.has(endOf({ pattern: own }))

function isEach(effects: readonly EffectClass[], only: EffectClass): boolean {
  for (const effect of effects) if (effect !== only) return false
  return true
}

/** Groups are few and their tools many: what the rules say of a group is worked out once. */
function groupIndex(groups: PatternSet, kind: RuleListKind): (group: string) => readonly number[] {
  const known = new Map<string, readonly number[]>()
  return (group) => {
    let items = known.get(group)
    if (items === undefined) {
      const found: number[] = []
      groups(kind === 'wide' ? foldWide(group) : group, (item) => found.push(item))
      items = found
      known.set(group, items)
    }
    return items
  }
}

type Receivers = { readonly [by in MatchedBy]: (item: number) => void }

function hits(index: RuleIndex, kind: RuleListKind, candidate: Candidate, receivers: Receivers): void {
  const { server, group, role, effects } = candidate
  const { name: byName, server: byServer, effect: byEffect } = receivers
  const names = namesOf(candidate, kind)
  if (kind === 'exact' || server === undefined) {
    // In an exact list, a name that any server could give its tool grants nothing by itself.
    index.names(names.full, byName)
  } else if (names.shownInFull) {
    index.names(names.full, byName, names.own)
  } else {
    // It goes by its own name, so whoever writes the server's name in front means that server's tool.
    index.names(names.own, byName)
    index.names(names.full, byServer)
  }
  if (names.own.includes('/')) index.slashed(names.own, byName)
  for (const other of names.others) {
    index.names(other, byName)
    if (other.includes('/')) index.slashed(other, byName)
  }
  if (index.identities !== undefined && mayBear(index.identityEnds, candidate, names.own)) {
    index.identities(identityOf(candidate, kind), receivers.identity)
  }
  if (server !== undefined) {
    const view = index.views(server, candidate.protocol === 'mcp')
    for (const item of view.whole) byServer(item)
    view.tools?.(names.own, byServer)
    view.qualified?.(`${view.server}__${names.own}`, byServer)
  } else if (kind === 'exact') {
    index.serverless(candidate.name, byName)
  } else if (candidate.protocol === 'mcp') {
    index.serverless(`mcp__${names.own}`, byServer)
  }
  if (group !== undefined) for (const item of index.ofGroup(group)) receivers.group(item)
  if (role !== undefined) for (const item of index.roles.get(role) ?? nothing) receivers.role(item)
  // A grant by effect covers what does this and nothing else; a ban covers everything that can do it.
  if (index.effects.size === 0) return
  const only = effects[0]
  if (kind === 'wide') {
    // In the order of the index, which is that of the rules: so the hits come sorted.
    for (const [effect, items] of index.effects) if (effects.includes(effect)) for (const item of items) byEffect(item)
  } else if (only !== undefined && isEach(effects, only)) {
    for (const item of index.effects.get(only) ?? nothing) byEffect(item)
  }
}

function namesPart(subject: Subject, standIn: Candidate, kind: RuleListKind): boolean {
  // Single tools may be given a group, a role or effects of their own, so these can always meet one of them.
  if (subject.kind !== 'name' && subject.kind !== 'tool') return true
  const read = (written: string): string => (kind === 'wide' ? mapLiterals(written, foldWide) : written)
  const server = read(standIn.server ?? '')
  if (subject.kind === 'tool') return matchesGlob(globOf(read(subject.server)), server)
  const shownAs = standIn.name.endsWith('*') ? read(standIn.name.slice(0, -1)) : `${server}__`
  const pattern = read(subject.pattern)
  const heads = [shownAs, `${server}__`, `mcp__${server}__`, `${standIn.source}:${server}/`]
  return pattern === `mcp__${server}` || heads.some((head) => pattern.startsWith(head))
}
