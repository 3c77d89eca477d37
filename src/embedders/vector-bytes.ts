// The vectors of one embedder as bytes. Numbers are in the byte order of the machine; the order mark tells a file that
// was carried over from another one, which is then made anew.
//
//   "tgvect1\n"  order mark  dimensions  count  bytes of names │ names: JSON, padded with blanks │ numbers │ CRC-32
//      8 bytes       4           4         4         4          │ { id, keys }                    │ 4 each  │ 4
//
// Ten thousand tools are 20 MB: the work is done in parts, and other work of the process gets its turn between them.

import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { VectorOwner } from '../catalog/embedding/vector-cache.ts'

const magic = Buffer.from('tgvect1\n')
const orderMark = 0x01020304
const headBytes = magic.length + 16
const checkBytes = 4

const partBytes = 2 * 1024 * 1024

/** `vectors` must not change meanwhile. */
export async function toBytes(
  { id, dimensions }: VectorOwner,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<Uint8Array> {
  const names = padded(Buffer.from(JSON.stringify({ id, keys: [...vectors.keys()] })))
  const numbersAt = headBytes + names.length
  const checkAt = numbersAt + vectors.size * dimensions * 4
  const buffer = new ArrayBuffer(checkAt + checkBytes)
  const bytes = new Uint8Array(buffer)
  bytes.set(magic)
  new Uint32Array(buffer, magic.length, 4).set([orderMark, dimensions, vectors.size, names.length])
  bytes.set(names, headBytes)
  const numbers = new Float32Array(buffer, numbersAt, vectors.size * dimensions)
  let at = 0
  for (const vector of vectors.values()) {
    numbers.set(vector, at)
    at += dimensions
    if (at % (partBytes / 4) < dimensions) await turn()
  }
  new Uint32Array(buffer, checkAt, 1)[0] = await checkOf(bytes.subarray(0, checkAt))
  return bytes
}

/** The vectors, or what is wrong with the bytes. A sound file of another embedder is wrong as well. */
export async function fromBytes(
  given: Uint8Array,
  { id, dimensions }: VectorOwner,
): Promise<ReadonlyMap<string, Float32Array> | string> {
  if (given.length < headBytes + checkBytes || given.length % 4 !== 0) return 'it is torn'
  // Numbers are read where their place is a multiple of 4; a small buffer may lie anywhere in a bigger one.
  const bytes = given.byteOffset === 0 ? given : Uint8Array.from(given)
  const { buffer } = bytes
  if (!magic.equals(bytes.subarray(0, magic.length))) return 'it holds no vectors'
  const [order, columns = 0, count = 0, namesBytes = 0] = new Uint32Array(buffer, magic.length, 4)
  if (order !== orderMark) return 'it was written on another machine'
  const numbersAt = headBytes + namesBytes
  const checkAt = bytes.length - checkBytes
  if (namesBytes % 4 !== 0 || numbersAt + count * columns * 4 !== checkAt) return 'it is torn'
  if (new Uint32Array(buffer, checkAt, 1)[0] !== (await checkOf(bytes.subarray(0, checkAt)))) return 'it is torn'
  const keys = keysOf(bytes.subarray(headBytes, numbersAt), id)
  if (keys === undefined || keys.length !== count || columns !== dimensions) return 'it belongs to another embedder'
  await turn()
  return new Map(keys.map((key, at) => [key, new Float32Array(buffer, numbersAt + at * columns * 4, columns)]))
}

async function checkOf(bytes: Uint8Array): Promise<number> {
  let check = 0
  for (let from = 0; from < bytes.length; from += partBytes) {
    check = crc32(bytes.subarray(from, from + partBytes), check)
    await turn()
  }
  return check
}

function keysOf(names: Uint8Array, id: string): readonly string[] | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(names).toString('utf8'))
    if (read === null || typeof read !== 'object' || !('id' in read) || !('keys' in read)) return undefined
    if (read.id !== id || !Array.isArray(read.keys)) return undefined
    return read.keys.every((key) => typeof key === 'string') ? read.keys : undefined
  } catch {
    return undefined
  }
}

/** Blanks after a JSON text change nothing. */
const padded = (text: Buffer): Buffer => Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')])
