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
import { deliver, sendJson } from './deliver.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { type Script, scriptedModelName } from './script.ts'
import { scriptPlayer } from './script-player.ts'
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
  const player = scriptPlayer(script)
  const requests: RecordedRequest[] = []
  const ending = new AbortController()

  const respond = async (wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (message: string, status = 400): void =>
      sendJson(response, status, wire.error(status, message), false)
    const unreadable = (message: string, status?: number): void => {
      player.fault(message)
      refuse(message, status)
    }
    const json = await read(request)
    if (json === undefined) return unreadable(`the request has more than ${bodyBytes} bytes`, 413)
    const body = parsed(json)
    if (body === undefined) return unreadable('the body of the request is no JSON object')
    const asked = wire.read(body, json)
    if ('unreadable' in asked) return unreadable(asked.unreadable)

    const played = player.answer(asked, wire, textOf(request.headers['x-script-child']))
    const index = requests.length
    const record = (outcome: RecordedRequest['outcome']): void => {
      const { conversation, position, place } = played
      const step = place === undefined ? {} : { step: place }
      requests[index] = { ...asked, protocol: wire.protocol, conversation, position, ...step, outcome, body }
    }
    if ('objection' in played) {
      record('refused')
      return refuse(played.objection)
    }
    record('open')
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { answer, step, failure } = played
    const outcome = await deliver({
      response,
      wire,
      answer,
      step,
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
    respond(wire, request, response).catch(() => void response.destroy())
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
    faults: player.faults,
    unplayed: player.unplayed,
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
