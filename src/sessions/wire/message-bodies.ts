// Bodies of HTTP responses, read no further than they may be long.

type Body = ReadableStream<Uint8Array> | null

export interface ReadBody {
  readonly text: Buffer
  /** Bytes that came, when that were more than may be; what came is not kept then. */
  readonly over?: number
}

/** The whole body, or how long it had got when it was over the limit. Rejects when the connection ends before the body. */
export async function bodyWithin(body: Body, bytesMax: number, received: (bytes: number) => void): Promise<ReadBody> {
  const parts: Uint8Array[] = []
  let bytes = 0
  if (body === null) return { text: Buffer.alloc(0) }
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: Buffer.concat(parts) }
    bytes += value.byteLength
    received(value.byteLength)
    if (bytes > bytesMax) {
      await reader.cancel().catch(() => {})
      return { text: Buffer.alloc(0), over: bytes }
    }
    parts.push(value)
  }
}

/** The beginning of a body as text. Never rejects. */
export async function beginningWithin(body: Body, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  const reader = body?.getReader()
  try {
    while (reader !== undefined && bytes < bytesMax) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      bytes += value.byteLength
    }
  } catch {
    // What came before the connection ended says enough.
  }
  await reader?.cancel().catch(() => {})
  return Buffer.concat(parts).subarray(0, bytesMax).toString('utf8')
}

/** The values of a JSON text: one, or those of a list. Nothing: it is no JSON. */
export function valuesOf(text: Buffer): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    return Array.isArray(value) ? value : [value]
  } catch {
    return undefined
  }
}
