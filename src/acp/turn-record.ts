// What an agent says and does in one turn, as it comes and within bounds. Whatever ends the turn, this is kept.

import { isJsonObject, type JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'

/** A sign of life that a person may watch: a line about what the agent does, or whole lines of its answer. */
export interface AcpProgress {
  readonly message?: string
  readonly text?: string
}

export interface AcpToolCall {
  readonly title: string
  /** Of the protocol, such as `read` or `execute`. */
  readonly kind: string
  readonly status: string
}

export interface TurnSoFar {
  readonly text: string
  readonly textIsCut: boolean
  readonly toolCalls: readonly AcpToolCall[]
  /** How many more there were than are kept. */
  readonly toolCallsMore: number
  /** Titles of permission requests that were denied. */
  readonly denied: readonly string[]
}

export interface TurnRecord {
  /** Takes one update of the session; what is not of a known form is let go by. */
  readonly take: (update: unknown) => void
  /** A person or the operator is asked: what the agent says next is another message. */
  readonly pause: () => void
  readonly deny: (title: string) => void
  /** The title of a tool call that was told of. */
  readonly titleOf: (id: string) => string | undefined
  /** Tells what was kept back until its line is whole. To be called when the turn is over. */
  readonly finish: () => TurnSoFar
}

export const turnLimits = {
  textBytes: 1024 * 1024,
  toolCalls: 200,
  denied: 200,
  titleChars: 200,
  /** Signs of life of one turn: one that changes a title for ever is not followed for ever. */
  signs: 10_000,
  /** Characters of a line that are waited for before they are told. */
  lineChars: 4096,
} as const

export function turnRecord(onProgress: (progress: AcpProgress) => void = () => {}): TurnRecord {
  const answer = answerText(turnLimits.textBytes)
  const toolCalls = new Map<string, AcpToolCall>()
  const denied: string[] = []
  let toolCallsMore = 0
  let signs = 0
  const tell = (progress: AcpProgress) => {
    signs += 1
    if (signs > turnLimits.signs) return
    try {
      onProgress(progress)
    } catch {
      // Whoever watches must not end what is watched.
    }
  }
  const lines = wholeLines((text) => tell({ text }))

  const tookToolCall = (update: JsonObject, isNew: boolean) => {
    const id = String(update.toolCallId).slice(0, turnLimits.titleChars)
    const before = toolCalls.get(id)
    if (before === undefined && toolCalls.size >= turnLimits.toolCalls) {
      if (isNew) toolCallsMore += 1
      return
    }
    const after: AcpToolCall = {
      title: shortText(update.title) ?? before?.title ?? 'a tool without a title',
      kind: shortText(update.kind) ?? before?.kind ?? 'other',
      status: shortText(update.status) ?? before?.status ?? 'pending',
    }
    toolCalls.set(id, after)
    if (before?.title === after.title && before.status === after.status) return
    lines.flush()
    tell({ message: after.status === 'pending' ? after.title : `${after.title}: ${after.status}` })
  }

  return {
    take: (update) => {
      if (!isJsonObject(update)) return
      const { sessionUpdate, content } = update
      if (sessionUpdate === 'agent_message_chunk' && isJsonObject(content) && typeof content.text === 'string') {
        const kept = answer.add(content.text)
        if (kept !== '') lines.add(kept)
      } else if (sessionUpdate === 'tool_call') {
        answer.breakOff()
        tookToolCall(update, true)
      } else if (sessionUpdate === 'tool_call_update') tookToolCall(update, false)
    },
    pause: answer.breakOff,
    deny: (title) => {
      if (denied.length < turnLimits.denied) denied.push(title)
      lines.flush()
      tell({ message: `denied: ${title}` })
    },
    titleOf: (id) => toolCalls.get(id.slice(0, turnLimits.titleChars))?.title,
    finish: () => {
      lines.flush()
      return { ...answer.soFar(), toolCalls: [...toolCalls.values()], toolCallsMore, denied }
    },
  }
}

const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? printable(value.trim(), turnLimits.titleChars) : undefined

/** The answer in its order; what is said after a tool call or a question begins a paragraph of its own. */
function answerText(bytesMax: number) {
  const parts: string[] = []
  let bytes = 0
  let isCut = false
  let isBroken = false
  return {
    /** What of it is kept, without the gap before it. */
    add: (text: string): string => {
      const last = parts.at(-1)
      const gap = isBroken && last !== undefined && !/\s$/.test(last) && !/^\s/.test(text) ? '\n\n' : ''
      const whole = gap + text
      const kept = cutToBytes(whole, bytesMax - bytes)
      if (kept !== whole) isCut = true
      if (kept === '') return ''
      isBroken = false
      parts.push(kept)
      bytes += Buffer.byteLength(kept)
      return kept.slice(gap.length)
    },
    breakOff: () => {
      isBroken = true
    },
    soFar: () => ({ text: parts.join(''), textIsCut: isCut }),
  }
}

/** The beginning of a text that has at most so many bytes, without half a character at its end. */
function cutToBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  // What the end of the bytes breaks in two is held back by the decoder.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, Math.max(0, bytesMax)), {
    stream: true,
  })
}

/**
 * Tells whole lines: a path that comes in two pieces would be told before anybody could see that it is one. A line that
 * grows long is told up to its last blank.
 */
function wholeLines(tell: (text: string) => void) {
  let held = ''
  const tellUpTo = (end: number) => {
    if (end > 0) tell(held.slice(0, end))
    held = held.slice(Math.max(end, 0))
  }
  return {
    add: (text: string) => {
      held += text
      tellUpTo(held.lastIndexOf('\n') + 1)
      if (held.length > turnLimits.lineChars) tellUpTo(held.lastIndexOf(' ') + 1 || held.length)
    },
    flush: () => tellUpTo(held.length),
  }
}
