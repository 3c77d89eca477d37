// Threads for people: a table of them, or one with what it waits for.

import { printable } from '../core/printable.ts'
import { ageText } from '../report/age-text.ts'
import { type Column, clipped, columnWidths, tableLine } from '../report/layout.ts'
import type { ThreadRecord, TurnState, WaitingFor } from '../state/thread-state.ts'
import type { LineStyle } from './run/event-lines.ts'
import { answerLines, waitLines } from './run/waiting-lines.ts'

const columns: readonly Column[] = [
  { head: 'THREAD', max: 40 },
  { head: 'AGENT', max: 24 },
  { head: 'STATE' },
  { head: 'LAST' },
  { head: 'TURNS', side: 'right' },
  { head: 'TITLE' },
]

/** What is seen of a state from outside: a turn that runs may be one whose program was ended. */
const stateWords: { readonly [S in TurnState]: string } = {
  running: 'running',
  answered: 'answered',
  waiting: 'waiting',
  limit: 'stopped',
  cancelled: 'called off',
  failed: 'failed',
}

/** One line a thread, and one for each thing that it waits for. `now`: milliseconds of `Date`. */
export function threadsText(records: readonly ThreadRecord[], { paint, width }: LineStyle, now: number): string {
  if (records.length === 0) return 'no threads'
  const rows = records.map((record) => [
    printable(record.thread, 64),
    printable(record.agent, 64),
    stateWords[record.state],
    agoText(record.updatedAt, now),
    String(record.turns),
    printable(record.title, 120),
  ])
  const widths = columnWidths(columns, rows, width)
  const heads = tableLine(
    columns.map(({ head }) => head),
    columns,
    widths,
  )
  return [
    paint.dim(heads),
    ...records.flatMap((record, at) => [
      tableLine(rows[at] ?? [], columns, widths, (cell, place) =>
        place === 2 ? stateColour(record.state, { paint, width })(cell) : cell,
      ),
      ...record.waitingFor.map((wait) => paint.yellow(clipped(`  ${waitText(wait)}`, width))),
    ]),
  ].join('\n')
}

const stateColour = (state: TurnState, { paint }: LineStyle) =>
  state === 'waiting' ? paint.yellow : state === 'failed' || state === 'limit' ? paint.red : paint.dim

const agoText = (at: string, now: number): string => `${ageText(now - Date.parse(at), 'en')} ago`

function waitText(wait: WaitingFor): string {
  if (wait.kind === 'approval') return `waits until somebody approves ${printable(wait.tool, 128)}`
  const { question } = wait.question
  return `waits for an answer: ${printable(typeof question === 'string' ? question : '', 300)}`
}

export interface OneThread {
  readonly records: readonly ThreadRecord[]
  /** Where its files are, as it is shown. */
  readonly files: string
  /** The command line that goes on with it, up to the words. */
  readonly again: (record: ThreadRecord) => string
  readonly now: number
}

/** Each conversation of a thread with what it waits for whole, and how to go on. */
export function threadText({ records, files, again, now }: OneThread, style: LineStyle): string {
  const { paint } = style
  return [
    ...records.flatMap((record) => {
      const { thread, agent, state, title, startedAt, updatedAt, turns, skills, waitingFor } = record
      const counted = `${turns} ${turns === 1 ? 'turn' : 'turns'}`
      const since = `begun ${agoText(startedAt, now)}, last ${agoText(updatedAt, now)}`
      return [
        `${paint.bold(printable(thread, 64))}  ${printable(agent, 64)}  ${stateColour(state, style)(stateWords[state])}`,
        `  ${printable(title, 120)}`,
        `  ${counted}, ${since}`,
        ...(skills.length === 0 ? [] : [`  skills in use: ${skills.map((skill) => printable(skill, 64)).join(', ')}`]),
        ...waitingFor.flatMap((wait) => ['', ...waitLines(wait, style)]),
        '',
        ...onward(record, again(record)),
        '',
      ]
    }),
    `Its files: ${files}`,
  ].join('\n')
}

function onward({ thread, state, waitingFor }: ThreadRecord, again: string): readonly string[] {
  if (waitingFor.length > 0) return answerLines(thread, waitingFor, again)
  if (state === 'answered') return [`To go on: ${again} "…"`]
  const isRunning = state === 'running' ? ['A program carries it on, or was ended in the midst of it.'] : []
  return [...isRunning, `To go on: ${again} --resume`]
}
