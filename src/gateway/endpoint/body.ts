// Reads the body of a request within bounds: its length while it comes, its depth and its number of values before it is
// parsed, so that no short text becomes a large thing in memory.

import type { IncomingMessage } from 'node:http'
import type { HttpLimits } from './limits.ts'
import type { Refusal } from './refusal.ts'

type BodyLimits = Pick<HttpLimits, 'bodyBytes' | 'depth' | 'elements' | 'receiveMs'>

/** The parsed body, or why it is not read. Rejects where the client is gone. */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<{ readonly value: unknown } | Refusal> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limits.bodyBytes) return tooBig(limits)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return { status: 415, word: 'content-encoding', message: 'a body is sent as it is, without compression' }
  const bytes = await bytesOf(request, limits)
  return Buffer.isBuffer(bytes) ? parsed(bytes, limits) : bytes
}

const tooBig = (limits: BodyLimits): Refusal => ({
  status: 413,
  word: 'too-big',
  message: `the body is over ${limits.bodyBytes} bytes`,
})

function bytesOf(request: IncomingMessage, limits: BodyLimits): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const end = (outcome: Buffer | Refusal) => {
      clearTimeout(timer)
      request.off('data', take).off('end', whole).off('close', gone).off('error', gone)
      request.on('error', () => {})
      resolve(outcome)
    }
    const timer = setTimeout(
      () => end({ status: 408, word: 'too-slow', message: `the body took longer than ${limits.receiveMs} ms` }),
      limits.receiveMs,
    )
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > limits.bodyBytes) end(tooBig(limits))
      else chunks.push(chunk)
    }
    const whole = () => end(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length))
    const gone = () => {
      clearTimeout(timer)
      reject(new Error('the client is gone'))
    }
    request.on('data', take).once('end', whole).once('close', gone).once('error', gone)
  })
}

function parsed(bytes: Buffer, limits: BodyLimits): { readonly value: unknown } | Refusal {
  const fault = shapeFault(bytes, limits)
  if (fault !== undefined) return fault
  try {
    // Bytes that are no UTF-8 are an error, not a question mark: what is judged is what was sent.
    return { value: JSON.parse(utf8.decode(bytes)) as unknown }
  } catch {
    return { status: 400, code: -32700, word: 'parse-error', message: '-32700, the body is not JSON in UTF-8' }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** One pass over the bytes. A text that is no JSON gives a number that means nothing, and is refused by the parser. */
export function shapeFault(
  bytes: Uint8Array,
  { depth: depthMax, elements: elementsMax }: Pick<HttpLimits, 'depth' | 'elements'>,
): Refusal | undefined {
  let depth = 0
  let elements = 1
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === backslash) at += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) elements += 1
    else if (byte === bracket || byte === brace) {
      depth += 1
      elements += 1
      if (depth > depthMax)
        return {
          status: 400,
          code: -32600,
          word: 'too-deep',
          message: `the body has more than ${depthMax} levels (depth)`,
        }
    } else if (byte === closingBracket || byte === closingBrace) depth -= 1
    if (elements > elementsMax)
      return {
        status: 413,
        code: -32600,
        word: 'too-big',
        message: `the body has more than ${elementsMax} values (elements)`,
      }
  }
  return undefined
}

const [quote, backslash, comma, bracket, brace, closingBracket, closingBrace] = [34, 92, 44, 91, 123, 93, 125]
