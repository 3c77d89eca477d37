// Shows the events of a turn while they come: the text of the model as it is said, all else in whole lines, and what a
// helper does behind its name.

import type { AgentEvent } from '../../agent/agent-event.ts'
import { printable } from '../../core/printable.ts'
import { grouped } from '../../report/layout.ts'
import type { Terminal } from '../terminal.ts'
import {
  approvalLines,
  artifactLine,
  callLine,
  clarificationLines,
  endLines,
  type LineStyle,
  promotionLine,
  refusalLines,
  resultLine,
  skillLine,
} from './event-lines.ts'
import { helperSink, type LineSink, terminalSink } from './line-sink.ts'

export interface EventView {
  readonly show: (event: AgentEvent) => void
  /** What the person says, where nobody has typed it. */
  readonly asked: (words: string) => void
  /** The turn is over: what is held back is shown, and the cursor stands at the beginning of a line. */
  readonly settle: () => void
}

/** One object a line, for programs. */
export const jsonView = ({ print }: Pick<Terminal, 'print'>): EventView => ({
  show: (event) => print(JSON.stringify({ schema: 'toolgate.event/1', ...event })),
  asked: () => {},
  settle: () => {},
})

export function eventView(terminal: Terminal): EventView {
  const sink = terminalSink(terminal)
  const { paint } = terminal
  const turn = turnLines(sink)
  const open = new Map<string, string>()
  let isBegun = false
  return {
    show: (event) => {
      if (event.type === 'turn' && !isBegun) {
        isBegun = true
        const { agent, tools, thread } = event
        sink.line(paint.dim(`${printable(agent, 64)}  ${grouped(tools.length)} tools  thread ${printable(thread, 64)}`))
      }
      turn.show(event)
      if (event.type === 'call') open.set(event.id, printable(event.tool, 60))
      else if ('id' in event && event.type !== 'child') open.delete(event.id)
      if (isFollowed(event))
        terminal.progress(`  … ${open.size === 0 ? 'the model' : [...open.values()].slice(0, 4).join(', ')}`)
    },
    asked: (words) => {
      if (isBegun) sink.line('')
      sink.line(`${paint.cyan('>')} ${paint.bold(printable(words, 2000))}`)
    },
    settle: () => {
      turn.settle()
      open.clear()
      terminal.settle()
    },
  }
}

/** What goes on after it is told. In the middle of a text, a line of progress would take that text away with it. */
const isFollowed = ({ type }: AgentEvent): boolean => !['text', 'clarification', 'approval', 'end'].includes(type)

interface TurnLines extends Pick<EventView, 'show' | 'settle'> {
  /** A result that is held is shown. */
  readonly release: () => void
}

function turnLines(sink: LineSink): TurnLines {
  const helpers = helperLines(sink)
  /** The call whose line is the last one: what comes of it needs no name. */
  let lastCall: string | undefined
  const lines = (...all: readonly string[]): void => {
    for (const line of all) sink.line(line)
  }
  const outcome = (event: Outcome, linesOf: (named: string | undefined) => readonly string[]): void => {
    const isLast = event.id === lastCall
    lines(...linesOf(isLast ? undefined : event.tool))
    if (!isLast) lastCall = undefined
  }
  const result = heldResult((event) => outcome(event, (named) => [resultLine(event, named, sink)]))

  const shown = (event: AgentEvent): void => {
    if (event.type === 'text') sink.say(event.text)
    else if (event.type === 'result') result.hold(event)
    else if (event.type === 'child') helpers.show(event)
    else if (event.type === 'refusal' || event.type === 'failure')
      outcome(event, (named) => refusalLines(event, named, sink))
    else lines(...ownLines(event, sink))
  }
  return {
    show: (event) => {
      if (event.type === 'clarification') result.drop(event.id)
      result.release()
      if (event.type !== 'child') helpers.release()
      shown(event)
      if (event.type === 'call') lastCall = event.id
      else if (event.type === 'child') lastCall = undefined
    },
    release: () => {
      result.release()
      helpers.release()
    },
    settle: () => {
      result.release()
      helpers.settle()
      sink.rest()
    },
  }
}

/** The lines of an event that needs nothing of those before it. */
function ownLines(event: Exclude<AgentEvent, Outcome | ChildEvent | { readonly type: 'text' }>, style: LineStyle) {
  switch (event.type) {
    case 'turn':
      return []
    case 'call':
      return [callLine(event, style)]
    case 'promotion':
      return [promotionLine(event, style)]
    case 'skill':
      return [skillLine(event, style)]
    case 'artifact':
      return [artifactLine(event, style)]
    case 'clarification':
      return ['', ...clarificationLines(event.question, style)]
    case 'approval':
      return ['', ...approvalLines(event, style)]
    case 'end':
      return endLines(event, style)
  }
}

type Outcome = Extract<AgentEvent, { readonly type: 'result' | 'refusal' | 'failure' }>
type ResultEvent = Extract<AgentEvent, { readonly type: 'result' }>

/** A result waits until what came with it is there: where a question was put, no line says that it was. */
function heldResult(show: (event: ResultEvent) => void) {
  let held: ResultEvent | undefined
  let timer: NodeJS.Immediate | undefined
  const release = (): void => {
    clearImmediate(timer)
    const event = held
    held = undefined
    if (event !== undefined) show(event)
  }
  return {
    release,
    hold: (event: ResultEvent): void => {
      held = event
      timer = setImmediate(release)
    },
    drop: (id: string): void => {
      if (held?.id === id) held = undefined
    },
  }
}

type ChildEvent = Extract<AgentEvent, { readonly type: 'child' }>

/** The helpers that are at work, by the call that started each. Two of one name are numbered. */
function helperLines(sink: LineSink) {
  const working = new Map<string, { readonly label: string; readonly turn: TurnLines }>()
  const helperOf = ({ id, agent }: ChildEvent): TurnLines => {
    const known = working.get(id)
    if (known !== undefined) return known.turn
    const labels = new Set([...working.values()].map(({ label }) => label))
    const name = printable(agent, 32)
    let label = name
    for (let count = 2; labels.has(label); count += 1) label = `${name} ${count}`
    const turn = turnLines(helperSink(sink, label))
    working.set(id, { label, turn })
    return turn
  }
  return {
    show: (event: ChildEvent): void => {
      const turn = helperOf(event)
      for (const other of working.values()) if (other.turn !== turn) other.turn.release()
      turn.show(event.event)
      if (event.event.type !== 'end') return
      turn.settle()
      working.delete(event.id)
    },
    release: (): void => {
      for (const { turn } of working.values()) turn.release()
    },
    settle: (): void => {
      for (const { turn } of working.values()) turn.settle()
      working.clear()
    },
  }
}
