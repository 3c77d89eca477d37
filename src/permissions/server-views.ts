// What the rules say about one server: worked out once for each server, not once for each of its tools.

import { foldWide } from './fold-wide.ts'
import { coversAll, type Glob, globOf, hasWildcard, literalHead, matchesGlob, unknownText } from './glob.ts'
import { type PatternEntry, type PatternSet, patternSet } from './pattern-set.ts'

/** A rule that names a server, read as its list is read. */
export type ServerRule =
  /** `server/tool` */
  | { readonly how: 'tool'; readonly server: string; readonly tool: string; readonly item: number }
  /** `mcp__…` without that beginning, or `server__…` */
  | { readonly how: 'qualified'; readonly rest: string; readonly overMcp: boolean; readonly item: number }

export interface ServerView {
  /** The server's name, read as the list is read. */
  readonly server: string
  /** Rules that cover the whole server. */
  readonly whole: readonly number[]
  /** Rules for some of its tools, by original name. */
  readonly tools: PatternSet | undefined
  /** Rules with a wildcard in the server's name, by `server__tool`. */
  readonly qualified: PatternSet | undefined
}

/** Gives the view of a server, by its name and whether it is reached over MCP. */
export function serverViews(
  rules: readonly ServerRule[],
  kind: 'wide' | 'exact',
): (server: string, overMcp: boolean) => ServerView {
  const views = [new Map<string, ServerView>(), new Map<string, ServerView>()] as const
  const sorted = sortedRules(rules)
  return (server, overMcp) => {
    const cache = views[overMcp ? 1 : 0]
    let view = cache.get(server)
    if (view === undefined) {
      view = viewOf(kind === 'wide' ? foldWide(server) : server, overMcp, kind, sorted)
      cache.set(server, view)
    }
    return view
  }
}

interface ToolRule {
  readonly tool: string
  readonly item: number
}

interface SortedRules {
  /** `server/…` with a literal server, by that. */
  readonly literal: ReadonlyMap<string, readonly ToolRule[]>
  readonly patterned: readonly (ToolRule & { readonly server: Glob })[]
  /** `mcp__…` and `server__…` under every server that they may mean: what stands before each `__`. */
  readonly before: ReadonlyMap<string, readonly (ToolRule & { readonly overMcp: boolean })[]>
  /** `mcp__server` with nothing behind it. */
  readonly alone: ReadonlyMap<string, readonly number[]>
  /** `mcp__…` with a wildcard in the server's name. */
  readonly open: readonly PatternEntry[]
}

function sortedRules(rules: readonly ServerRule[]): SortedRules {
  const literal = new Map<string, ToolRule[]>()
  const before = new Map<string, (ToolRule & { overMcp: boolean })[]>()
  const alone = new Map<string, number[]>()
  const patterned: (ToolRule & { server: Glob })[] = []
  const open: PatternEntry[] = []
  for (const rule of rules) {
    if (rule.how === 'tool') {
      if (hasWildcard(rule.server)) patterned.push({ server: globOf(rule.server), tool: rule.tool, item: rule.item })
      else append(literal, rule.server, rule)
      continue
    }
    const { rest, overMcp, item } = rule
    const head = literalHead(rest)
    if (overMcp && head === rest) append(alone, rest, item)
    if (overMcp && head !== rest && !head.includes('__')) open.push({ pattern: rest, item })
    for (let at = head.indexOf('__', 1); at > 0; at = head.indexOf('__', at + 1)) {
      append(before, head.slice(0, at), { tool: rest.slice(at + 2), overMcp, item })
    }
  }
  return { literal, patterned, before, alone, open }
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

function viewOf(server: string, overMcp: boolean, kind: 'wide' | 'exact', rules: SortedRules): ServerView {
  const whole: number[] = []
  const tools: PatternEntry[] = []
  const open: PatternEntry[] = []
  const add = ({ tool, item }: ToolRule): void => {
    // `mcp__server__` names the server and no tool; a ban that is cut short like this still means all of it.
    if (coversAll(tool) || (tool === '' && kind === 'wide')) whole.push(item)
    else tools.push({ pattern: tool, item })
  }
  for (const rule of rules.literal.get(server) ?? []) add(rule)
  for (const rule of rules.patterned) if (matchesGlob(rule.server, server)) add(rule)

  // A server whose own name holds `__` could be taken for another server's tools; a grant must use `server/tool`.
  if (kind === 'wide' || !server.includes('__')) {
    for (const rule of rules.before.get(server) ?? []) if (overMcp || !rule.overMcp) add(rule)
    if (overMcp) whole.push(...(rules.alone.get(server) ?? []))
  }
  for (const { pattern, item } of overMcp ? rules.open : []) {
    if (matchesGlob(globOf(pattern), `${server}__${unknownText}`)) whole.push(item)
    else open.push({ pattern, item })
  }
  return {
    server,
    whole,
    tools: tools.length > 0 ? patternSet(tools) : undefined,
    qualified: open.length > 0 ? patternSet(open) : undefined,
  }
}
