// A stand-in on loopback for the model service that the Gemini agent talks to: it answers each request of the model with
// the next turn of a script, as server-sent events.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model says in one answer: pieces of text, and a call of a tool. */
export interface ModelTurn {
  readonly texts?: readonly string[]
  readonly call?: { readonly name: string; readonly args: object }
}

export interface FakeGemini {
  readonly url: string
  /** Paths that were asked for, and the bodies of the turns that were streamed. */
  readonly asked: { readonly paths: string[]; readonly bodies: string[] }
  readonly close: () => Promise<void>
}

export async function fakeGemini(turns: readonly ModelTurn[]): Promise<FakeGemini> {
  const asked: FakeGemini['asked'] = { paths: [], bodies: [] }
  let next = 0
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const path = String(request.url)
    asked.paths.push(path)
    if (path.includes(':countTokens')) return response.end(JSON.stringify({ totalTokens: 10 }))
    if (!path.includes(':streamGenerateContent')) return response.end(JSON.stringify(answer([{ text: '{}' }], true)))
    asked.bodies.push(body)
    const { texts = [], call } = turns[next] ?? { texts: ['(the script is over)'] }
    next += 1
    const parts = [...texts.map((text) => ({ text })), ...(call === undefined ? [] : [{ functionCall: call }])]
    response.setHeader('content-type', 'text/event-stream')
    for (const [index, part] of parts.entries())
      response.write(`data: ${JSON.stringify(answer([part], index === parts.length - 1))}\r\n\r\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const answer = (parts: readonly object[], isLast: boolean) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
