// The servers for people: one line each, below it what is wrong and what to do, and the processes that run.

import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { ageText } from './age-text.ts'
import { columnWidths, grouped, tableLine, wrapped } from './layout.ts'
import { type PaintText, styleOf, type TextStyle } from './paint.ts'
import type { ServerLine, ServersReport } from './servers.ts'
import type { Lang } from './words.ts'

interface Texts {
  readonly heads: readonly [name: string, state: string, since: string, tools: string, tokens: string, protocol: string]
  readonly none: string
  readonly stored: string
  readonly required: string
  readonly todo: string
  readonly process: (line: ServerLine['sessions'][number], age: string) => string
}

const texts: { readonly [L in Lang]: Texts } = {
  en: {
    heads: ['SERVER', 'STATE', 'SINCE', 'TOOLS', 'TOKENS', 'PROTOCOL'],
    none: 'no servers are configured',
    stored: 'from its stored listing',
    required: 'required',
    todo: 'do',
    process: (line, age) =>
      `${line.program} ${line.programPid}: ${line.pid === undefined ? 'session' : `process ${line.pid}`} ${line.phase}${line.busy > 0 ? ` (${line.busy} ${line.busy === 1 ? 'call' : 'calls'})` : ''} for ${age}, ${line.owner.user}/${line.owner.thread}`,
  },
  zh: {
    heads: ['服务器', '状态', '时间', '工具', '词元', '协议'],
    none: '没有配置服务器',
    stored: '来自已存的列表',
    required: '必需',
    todo: '建议',
    process: (line, age) =>
      `${line.program} ${line.programPid}: ${line.pid === undefined ? '会话' : `进程 ${line.pid}`} ${line.phase}${line.busy > 0 ? `(${line.busy} 个调用)` : ''} ${age},${line.owner.user}/${line.owner.thread}`,
  },
}

export interface ServersTextOptions extends TextStyle {
  readonly lang: Lang
  /** Milliseconds since 1970: what ages are counted from. */
  readonly now: number
}

/** The report as lines of text; nothing is wider than `width` columns. */
export function serversText({ servers }: ServersReport, options: ServersTextOptions): string {
  const { paint, width } = styleOf(options)
  const say = texts[options.lang]
  if (servers.length === 0) return say.none
  const age = (at: string | undefined): string =>
    at === undefined ? '' : ageText(options.now - Date.parse(at), options.lang)
  const rows = servers.map((server) => [
    printable(server.name, 64),
    server.state,
    age(server.since),
    server.exposed === server.tools ? grouped(server.tools) : `${grouped(server.exposed)}/${grouped(server.tools)}`,
    grouped(server.tokens),
    printable(server.protocolVersion ?? '', 20),
  ])
  const [name, state, since, tools, tokens, protocol] = say.heads
  const columns = [
    { head: name, max: 32 },
    { head: state },
    { head: since, side: 'right' as const },
    { head: tools, side: 'right' as const },
    { head: tokens, side: 'right' as const },
    { head: protocol },
  ]
  const widths = columnWidths(columns, rows, width)
  const lines = rows.flatMap((row, at) => {
    const server = servers[at]
    if (server === undefined) return []
    const colour = colourOfState(server, paint)
    const line = tableLine(row, columns, widths, (cell, column) => (column === 1 ? colour(cell) : cell))
    return [line, ...notes(server, say, age, width).map((note) => paint.dim(`  ${note}`))]
  })
  return [paint.dim(tableLine([...say.heads], columns, widths)), ...lines].join('\n')
}

function notes(server: ServerLine, say: Texts, age: (at: string) => string, width: number): string[] {
  const { reason, next, required, cached, state, sessions, origin } = server
  const about = [
    cached ? say.stored : '',
    reason === undefined ? '' : printable(reason, 400),
    state === 'available' ? '' : printable(originText(origin), 160),
    required && state !== 'available' ? say.required : '',
  ].filter((part) => part !== '')
  const told = [
    about.join(' · '),
    next === undefined ? '' : `${say.todo} ${next}`,
    ...sessions.flatMap((line) => [
      say.process(line, age(line.since)),
      line.lastError === undefined ? '' : printable(line.lastError, 400),
    ]),
  ]
  return told.filter((line) => line !== '').flatMap((line) => wrapped(line, width - 2))
}

function colourOfState(
  { state, required }: ServerLine,
  paint: { readonly green: PaintText; readonly dim: PaintText; readonly red: PaintText; readonly yellow: PaintText },
): PaintText {
  if (state === 'available') return paint.green
  if (state === 'not-started' || state === 'disabled') return paint.dim
  return required ? paint.red : paint.yellow
}
