// What a prompt says of configured keywords: which requests are for which tools. A line for all tools that share
// their keywords, because a server's words hold for every tool of it. The highest priority stands first.
//
//   <tool-routing-hints>
//   For "sales report", "报表": prefer crm__export, crm__report; fetch with tool_search first
//   For "weather": prefer forecast
//   </tool-routing-hints>

import { quotedName, quotedText, unquoted } from './quoted-text.ts'

/** A tool as its keywords are told. A catalog entry is one. */
export interface HintedTool {
  /** Surface name. */
  readonly name: string
  /** `[]`: there is nothing to tell. */
  readonly keywords: readonly string[]
  readonly priority: number
  /** The model has its schema already. Absent: it is deferred, and is to be fetched first. */
  readonly eager?: true
}

export type RoutingHint = Omit<HintedTool, 'priority'>

const open = '<tool-routing-hints>'
const close = '</tool-routing-hints>'
const fetchFirst = '; fetch with tool_search first'
const more = (count: number): string => `(keywords of ${count} more ${count === 1 ? 'tool' : 'tools'} are not listed)`

/** Tools that are told on one line, with that line but for its names. */
export interface HintGroup {
  readonly tools: readonly HintedTool[]
  readonly keywords: readonly string[]
  readonly eager: boolean
}

/** The tools that have keywords, by descending priority, then by name; those of one line together. */
export function hintGroups(tools: readonly HintedTool[]): readonly HintGroup[] {
  const sorted = tools
    .filter(({ keywords }) => keywords.length > 0)
    .sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const groups = new Map<string, HintedTool[]>()
  for (const tool of sorted) {
    const key = JSON.stringify([tool.priority, tool.eager === true, tool.keywords])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [tool])
    else group.push(tool)
  }
  return [...groups.values()].map((group) => {
    const { keywords = [], eager } = group[0] ?? {}
    return { tools: group, keywords, eager: eager === true }
  })
}

/** The line of a group with these names. */
export const hintLine = ({ keywords, eager }: Omit<HintGroup, 'tools'>, names: readonly string[]): string =>
  `For ${keywords.map(quotedText).join(', ')}: prefer ${names.map(quotedName).join(', ')}${eager ? '' : fetchFirst}`

const block = (lines: readonly string[], unlisted: number): string =>
  lines.length === 0 && unlisted === 0
    ? ''
    : [open, ...lines, ...(unlisted > 0 ? [more(unlisted)] : []), close].join('\n')

/** The block for the tools that have keywords; none: no block. `unlisted` says how many such tools there are besides. */
export function routingHints(tools: readonly HintedTool[], unlisted = 0): string {
  const lines = hintGroups(tools).map((group) =>
    hintLine(
      group,
      group.tools.map(({ name }) => name),
    ),
  )
  return block(lines, unlisted)
}

/**
 * The hints that a block holds, in its order, one for each tool; undefined when the text is not one whole block as
 * `routingHints` writes it.
 */
export function readRoutingHints(text: string): readonly RoutingHint[] | undefined {
  const lines = text === '' ? [] : text.split('\n').slice(1, -1)
  const unlisted = Number(/^\(keywords of (\d{1,15}) more /.exec(lines.at(-1) ?? '')?.[1] ?? 0)
  const groups: { readonly names: readonly string[]; readonly keywords: readonly string[]; readonly eager: boolean }[] =
    []
  for (const line of unlisted > 0 ? lines.slice(0, -1) : lines) {
    const parts = hint.exec(line)
    if (parts === null) return undefined
    const [, keywords = '', names = '', fetched] = parts
    groups.push({
      keywords: (keywords.match(/"[^"]*"/g) ?? []).map(unquoted),
      names: names.split(', ').map(unquoted),
      eager: fetched === undefined,
    })
  }
  const written = block(
    groups.map((group) => hintLine(group, group.names)),
    unlisted,
  )
  if (written !== text) return undefined
  return groups.flatMap(({ names, keywords, eager }) =>
    names.map((name) => ({ name, keywords, ...(eager ? { eager } : {}) })),
  )
}

const hint = /^For ("[^"]*"(?:, "[^"]*")*): prefer ([^ ,;]+(?:, [^ ,;]+)*)(; fetch with tool_search first)?$/
