// The scripted model as a server on loopback, for whatever client speaks to a provider.
//
//   request ─ wire (which protocol, what it says) ─ conversation and step ─ expectations ─ answer ─ delivery
//
// Whatever the script does not have is refused with one error in the protocol's form, which no client tries again.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { answerOf } from './answer-of.ts'
import { conversationsOf } from './conversation.ts'
import { deliver, sendJson } from './deliver.ts'
import { judge } from './judge.ts'
import { pathText, scriptFrom } from './read-script.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { type Script, type ScriptFailure, scriptedModelName } from './script.ts'
import { anthropicMessages } from './wires/anthropic-messages.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { wires } from './wires/order.ts'
import { recordOf, type Wire } from './wires/wire.ts'

export interface ScriptedModelOptions {
  /** Absent: a free one. */
  readonly port?: number
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** What clients of OpenAI take as base address: it ends in `/v1`. */
  readonly openaiUrl: string
  /** What clients of Anthropic take as base address. */
  readonly anthropicUrl: string
  /** What came in so far, in order; a request is there before it is answered. */
  readonly requests: () => readonly RecordedRequest[]
  /** What the script did not have, and expectations that did not hold, in order. Empty: all went as it is written. */
  readonly faults: () => readonly string[]
  /** Steps that nobody asked for so far, as `turns[0].steps[2]`. */
  readonly unplayed: () => readonly string[]
  /** Ends it and what it still sends. Safe to call again. */
  readonly close: () => Promise<void>
}

/** Most bytes of a request: a long conversation with images. */
const bodyBytes = 32 * 1024 * 1024

/**
 * Starts a server that answers as the script has it, over the protocols in wires/order.ts, on 127.0.0.1 only. Keys are
 * not asked for. Throws a ToolgateError `script-invalid`, and whatever listening throws (a port in use).
 */
export async function startScriptedModel(script: Script, options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const conversations = conversationsOf(scriptFrom(script))
  const requests: RecordedRequest[] = []
  const faults: string[] = []
  const failed = new Map<string, number>()
  const played = new Set<string>()
  const ending = new AbortController()

  /** The failure of a step, unless it failed as often as it should. */
  const dueFailure = (place: string, failure: ScriptFailure | undefined): ScriptFailure | undefined => {
    if (failure?.times === undefined) return failure
    const before = failed.get(place) ?? 0
    failed.set(place, before + 1)
    return before < failure.times ? failure : undefined
  }

  const answer = async (wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (message: string, status = 400): void => {
      faults.push(message)
      sendJson(response, status, wire.error(status, message), false)
    }
    const json = await read(request)
    if (json === undefined) return refuse(`the request has more than ${bodyBytes} bytes`, 413)
    const body = parsed(json)
    if (body === undefined) return refuse('the body of the request is no JSON object')
    const asked = wire.read(body, json)
    if ('unreadable' in asked) return refuse(asked.unreadable)

    const tag = request.headers['x-script-child']
    const { conversation, position, placed, objection } = judge(wire, conversations, asked, textOf(tag))
    const place = placed === undefined ? undefined : pathText(placed.path)
    const index = requests.length
    const record = (outcome: RecordedRequest['outcome']): void => {
      const { protocol } = wire
      const step = place === undefined ? {} : { step: place }
      requests[index] = { ...asked, protocol, conversation: conversation.name, position, ...step, outcome, body }
    }
    if (placed === undefined || place === undefined || objection !== undefined) {
      record('refused')
      return refuse(objection ?? 'there is no such step')
    }
    record('open')
    played.add(place)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const failure = dueFailure(place, placed.step.fail)
    const outcome = await deliver({
      response,
      wire,
      answer: answerOf(conversation, placed, position, asked),
      step: placed.step,
      ...(failure === undefined ? {} : { failure }),
      stream: asked.stream,
      body,
      signal: AbortSignal.any([gone.signal, ending.signal]),
    })
    record(outcome)
  }

  const server = createServer((request, response) => {
    // A client that goes away is no error of the server.
    response.on('error', () => {})
    const [pathname] = (request.url ?? '').split('?')
    const wire = request.method === 'POST' ? wires.find(({ path }) => path === pathname) : undefined
    if (request.method === 'GET' && pathname === '/v1/models') return sendJson(response, 200, modelList())
    if (wire === undefined) {
      const { error } = request.headers['anthropic-version'] === undefined ? openaiChat : anthropicMessages
      return sendJson(response, 404, error(404, addressText(request)), false)
    }
    answer(wire, request, response).catch(() => void response.destroy())
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // A server that nobody closed must not keep the process alive.
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    openaiUrl: `${url}/v1`,
    anthropicUrl: url,
    requests: () => [...requests],
    faults: () => [...faults],
    unplayed: () =>
      conversations.flatMap(({ steps }) => steps.map(({ path }) => pathText(path)).filter((step) => !played.has(step))),
    close: async () => {
      ending.abort()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The body as text; undefined when it is too long. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  // Read to its end even then, for a client that still writes would not see the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= bodyBytes) chunks.push(chunk)
  }
  return length > bodyBytes ? undefined : Buffer.concat(chunks).toString('utf8')
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return value === recordOf(value) ? recordOf(value) : undefined
  } catch {
    return undefined
  }
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0]

/** Both providers list their models at this address; the keys of the one do not disturb the other. */
const modelList = (): JsonObject => ({
  object: 'list',
  data: [
    {
      id: scriptedModelName,
      object: 'model',
      created: 0,
      owned_by: 'toolgate',
      type: 'model',
      display_name: 'a written conversation that is replayed',
      created_at: '1970-01-01T00:00:00Z',
    },
  ],
  has_more: false,
  first_id: scriptedModelName,
  last_id: scriptedModelName,
})

const addressText = ({ method = '', url = '' }: IncomingMessage): string =>
  `the scripted model does not answer ${printable(method, 12)} ${printable(url)}; it answers ` +
  `${wires.map(({ path }) => `POST ${path}`).join(', ')} and GET /v1/models`
