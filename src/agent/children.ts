// Helpers that an agent starts with `task`: each an agent of its own, whose run is made of the parent's run at that
// moment and so lies inside of it. It shares the parent's folders, sessions and policy; its conversation and its
// promotions are its own.
//
//   task ──▶ a place among those that run at once ──▶ a turn of the child ──▶ its last words, what it was refused
//
// A child that waits for a person ends, and with it the turn of its parent. The next turn calls `task` again under the
// same id, and the conversation of that id goes on.

import pLimit from 'p-limit'
import { childRun } from '../assembly/derived-run.ts'
import type { JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { AgentThread } from '../runtime/agent-thread.ts'
import type { ToolCall } from '../runtime/tool-call.ts'
import type { View } from '../runtime/view.ts'
import type { ChildAccess } from '../tools/tool.ts'
import type { AgentEvent } from './agent-event.ts'
import type { Conversation, Turn } from './conversation.ts'

export interface ChildrenInput {
  /** The thread of the parent, which is open when a call is made. */
  readonly parent: () => AgentThread
  readonly turn: Turn
  /** A conversation of a child on its view. `run`: id of the call that starts it; `loaded`: what its parent has loaded. */
  readonly open: (child: {
    readonly view: View
    readonly run: string
    readonly loaded: readonly string[]
  }) => Conversation
  /** Children of one turn that run at one time; the others wait for their place. */
  readonly max: number
  readonly timeoutMs: number
}

type ChildStatus = 'answered' | 'waiting' | 'limit' | 'timed-out' | 'cancelled' | 'failed'

/** What is seen of a child while it runs. */
interface Seen {
  /** What it has said since its last call. */
  text: string
  status: ChildStatus
  fault?: string
  readonly refused: Map<string, string>
  readonly artifacts: JsonObject[]
}

/** Characters of what a child says that are kept; the runtime cuts what the parent sees by its own budget. */
const textMax = 1024 * 1024

export function childrenOf({ parent, turn, open, max, timeoutMs }: ChildrenInput): (call: ToolCall) => ChildAccess {
  const places = pLimit(max)
  return ({ callId = '' }) => ({
    run: (request) =>
      places(async () => {
        const thread = parent()
        const view = thread.view().derived((run) => childRun(run, request.agent))
        // Throws where there is no such child, before anything of it is begun.
        const agent = view.current().run.surface.facts.agent.name
        const loaded = (await thread.loaded()).map(({ name }) => name)
        const child = open({ view, run: callId, loaded })
        const seen: Seen = { text: '', status: 'failed', refused: new Map(), artifacts: [] }
        const late = AbortSignal.timeout(timeoutMs)
        const signal = AbortSignal.any([turn.signal, late])
        const { isNew, waiting } = await child.kept()
        // Words of the person are the answer of a child that has asked; a child that is new is given its task.
        const asks = waiting.some(({ kind }) => kind === 'clarification')
        const words = isNew ? request.prompt : asks ? turn.message : undefined
        for await (const event of child.turn(words, {
          signal,
          onEnd: async (outcome) => void turn.childWaits.set(callId, outcome.waiting),
        })) {
          turn.tell({ type: 'child', id: callId, agent, event })
          notice(seen, event)
        }
        if (seen.status === 'cancelled' && late.aborted && !turn.signal.aborted) seen.status = 'timed-out'
        return resultOf(seen, agent, timeoutMs)
      }),
  })
}

function notice(seen: Seen, event: AgentEvent): void {
  switch (event.type) {
    case 'text':
      seen.text = (seen.text + event.text).slice(-textMax)
      break
    case 'call':
      seen.text = ''
      break
    case 'refusal':
      seen.refused.set(event.tool, event.code)
      break
    case 'artifact':
      seen.artifacts.push({ path: event.path })
      break
    case 'end':
      seen.status = event.because
      if (event.message !== undefined) seen.fault = event.message
      break
    default:
  }
}

function resultOf(seen: Seen, agent: string, timeoutMs: number): JsonObject {
  const { status, text, fault, artifacts } = seen
  const refused = [...seen.refused].map(([tool, code]) => ({ tool: printable(tool, 128), code }))
  const ends: { readonly [S in ChildStatus]: string } = {
    answered: '',
    waiting: 'It waits for the person; its work goes on after the answer.',
    limit: 'It was ended: it took more steps than it may.',
    'timed-out': `It was ended: it took longer than ${timeoutMs} ms.`,
    cancelled: 'It was called off.',
    failed: `It failed: ${printable(fault ?? 'nobody knows why', 600)}.`,
  }
  const lines = [
    text.trim(),
    ends[status],
    ...(refused.length === 0
      ? []
      : [`It was refused: ${refused.map(({ tool, code }) => `${tool} (${code})`).join(', ')}.`]),
  ].filter((line) => line !== '')
  return {
    content: [{ type: 'text', text: lines.length === 0 ? 'It ended without a word.' : lines.join('\n\n') }],
    structuredContent: { status, agent, text: text.trim(), refused, artifacts },
    isError: status !== 'answered' && status !== 'waiting',
  }
}
