// The servers for people: one line each, below it what is wrong, where and what to do, and the sessions that run; at
// the end the programs that hold sessions. What other programs tell of themselves counts as foreign text.

import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { ageText } from './age-text.ts'
import { columnWidths, grouped, tableLine, widthOf, wrapped } from './layout.ts'
import { type Paint, type PaintText, styleOf, type TextStyle } from './paint.ts'
import type { ProgramLine, ServerLine, ServersReport, SessionLine } from './servers.ts'
import type { Lang } from './words.ts'

interface Texts {
  readonly heads: readonly [name: string, state: string, asked: string, tools: string, tokens: string, protocol: string]
  readonly none: string
  readonly now: string
  readonly ago: (age: string) => string
  readonly of: (exposed: string, tools: string) => string
  readonly stored: string
  readonly required: string
  readonly at: string
  readonly todo: string
  readonly running: string
  readonly program: (program: string, pid: string) => string
  readonly phase: (phase: string, age: string) => string
  /** Phases that need more than their name. */
  readonly phases: { readonly [phase: string]: (age: string) => string }
  readonly session: (session: SessionLine, phase: string) => string
  readonly upFor: (program: string, age: string) => string
}

const texts: { readonly [L in Lang]: Texts } = {
  en: {
    heads: ['SERVER', 'STATE', 'ASKED', 'TOOLS', 'TOKENS', 'PROTOCOL'],
    none: 'no servers are configured',
    now: 'now',
    ago: (age) => `${age} ago`,
    of: (exposed, tools) => `${exposed} of ${tools}`,
    stored: 'Not asked now: the tools are those of the last listing. --refresh asks every server.',
    required: 'it is required: there is no run without it',
    at: 'at',
    todo: 'do',
    running: 'run',
    program: (program, pid) => `${program} (process ${pid})`,
    phase: (phase, age) => `${phase} for ${age}`,
    phases: {
      waiting: (age) => `waiting: it failed ${age} ago and will be tried again`,
      broken: (age) => `broken for ${age}: it failed again and again, and is left alone for a while`,
    },
    session: ({ pid, owner }, phase) =>
      [
        `${pid === undefined ? 'no process' : `process ${pid}`}, ${phase}`,
        `user ${printable(owner.user, 64)}, thread ${printable(owner.thread, 64)}`,
      ].join(', '),
    upFor: (program, age) => `Running: ${program}, up for ${age}`,
  },
  zh: {
    heads: ['服务器', '状态', '询问', '工具', '词元', '协议'],
    none: '没有配置服务器',
    now: '刚刚',
    ago: (age) => `${age}前`,
    of: (exposed, tools) => `${exposed}/${tools}`,
    stored: '本次未询问者,其工具来自上次的列表。--refresh 会询问所有服务器。',
    required: '它是必需的:缺少它便没有运行',
    at: '位置',
    todo: '建议',
    running: '运行',
    program: (program, pid) => `${program} (进程 ${pid})`,
    phase: (phase, age) => `${phase} ${age}`,
    phases: {
      waiting: (age) => `waiting: ${age}前失败,将会重试`,
      broken: (age) => `broken ${age}: 多次失败,暂时搁置`,
    },
    session: ({ pid, owner }, phase) =>
      [
        `${pid === undefined ? '没有进程' : `进程 ${pid}`}, ${phase}`,
        `用户 ${printable(owner.user, 64)}, 线程 ${printable(owner.thread, 64)}`,
      ].join(', '),
    upFor: (program, age) => `正在运行: ${program}, 已 ${age}`,
  },
}

export interface ServersTextOptions extends TextStyle {
  readonly lang: Lang
  /** Milliseconds since 1970: what ages are counted from. */
  readonly now: number
}

interface Page {
  readonly say: Texts
  readonly paint: Paint
  readonly width: number
  readonly age: (at: string) => string
}

/** The report as lines of text; nothing is wider than `width` columns, from 80 on. */
export function serversText({ servers, programs }: ServersReport, options: ServersTextOptions): string {
  const { paint, width } = styleOf(options)
  const say = texts[options.lang]
  const age = (at: string): string => ageText(options.now - Date.parse(at), options.lang)
  const page: Page = { say, paint, width, age }
  const table = servers.length === 0 ? [say.none] : serverTable(servers, page)
  const stored = servers.some(({ cached }) => cached) ? wrapped(say.stored, width).map(paint.dim) : []
  const running = programLines(programs, page)
  return [table, stored, running]
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')
}

function serverTable(servers: readonly ServerLine[], page: Page): string[] {
  const { say, paint, width, age } = page
  const askedText = ({ asked, since }: ServerLine): string =>
    asked ? say.now : since === undefined ? '' : say.ago(age(since))
  const rows = servers.map((server) => [
    printable(server.name, 64),
    server.state,
    askedText(server),
    server.exposed === server.tools ? grouped(server.tools) : say.of(grouped(server.exposed), grouped(server.tools)),
    grouped(server.tokens),
    printable(server.protocolVersion ?? '', 20),
  ])
  const [name, state, asked, tools, tokens, protocol] = say.heads
  const columns = [
    { head: name, max: 32 },
    { head: state },
    { head: asked, side: 'right' as const },
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
    return [line, ...notes(server, page)]
  })
  return [paint.dim(tableLine([...say.heads], columns, widths)), ...lines]
}

/** What stands below the line of a server: why, where, what to do, and which sessions it has. */
function notes(server: ServerLine, page: Page): string[] {
  const { reason, next, required, state, sessions, origin } = server
  const { say } = page
  const isGood = state === 'available'
  return [
    ...(reason === undefined ? [] : labelled('', printable(reason, 400), page)),
    ...(required && !isGood ? labelled('', say.required, page) : []),
    ...(isGood ? [] : labelled(say.at, printable(originText(origin), 160), page)),
    ...(next === undefined ? [] : labelled(say.todo, printable(next, 400), page)),
    ...sessions.flatMap((session) => {
      const where = say.program(printable(session.program, 40), String(session.programPid))
      return sessionLines(session, `${where}: `, reason, page)
    }),
  ]
}

/** The error is told only where it is not the reason that stands above. */
function sessionLines(session: SessionLine, before: string, reason: string | undefined, page: Page): string[] {
  const { lastError, phase, since } = session
  const { say, age } = page
  const words = Object.hasOwn(say.phases, phase) ? say.phases[phase]?.(age(since)) : undefined
  const told = words ?? say.phase(printable(phase, 20), age(since))
  return [
    ...labelled(say.running, `${before}${say.session(session, told)}`, page),
    ...(lastError === undefined || lastError === reason ? [] : labelled('', printable(lastError, 400), page)),
  ]
}

/** A program is told of at the end as well: it may hold no session, or one of a server that is not configured here. */
function programLines(programs: readonly ProgramLine[], page: Page): string[] {
  return programs.flatMap(({ pid, program, startedAt, sessions }) => {
    const about = page.say.upFor(page.say.program(printable(program, 40), String(pid)), page.age(startedAt))
    return [
      ...wrapped(about, page.width),
      ...sessions.flatMap((session) => sessionLines(session, `${printable(session.server, 64)}: `, undefined, page)),
    ]
  })
}

/** An indented line with a word before it; what is too long goes on below the text, not below the word. */
function labelled(label: string, text: string, { paint, width }: Page): string[] {
  if (text === '') return []
  const indent = label === '' ? 0 : widthOf(label) + 1
  return wrapped(text, width - 2 - indent).map((line, at) => {
    const word = label === '' ? '' : at === 0 ? `${paint.dim(label)} ` : ' '.repeat(indent)
    return `  ${word}${line}`
  })
}

function colourOfState({ state, required }: ServerLine, paint: Paint): PaintText {
  if (state === 'available') return paint.green
  if (state === 'not-started' || state === 'disabled') return paint.dim
  return required ? paint.red : paint.yellow
}
