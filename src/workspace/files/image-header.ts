// What an image says of itself in its first bytes: its kind and its size in pixels. Only these four kinds are taken by
// models that see. The forms are those of the PNG, GIF89a, JPEG (ITU T.81) and WebP (RFC 9649) specifications.

export interface ImageHeader {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  /** Pixels, at least 1. */
  readonly width: number
  readonly height: number
}

/** What one image may have to be handed to a model. */
export const imageLimits = {
  /** Bytes of the file: in base64 they are 5 MiB, the least that one of the big providers takes (Anthropic). */
  bytes: 3_932_160,
  /** Pixels of its longer side, likewise. */
  side: 8000,
} as const

/** The header of an image, by content alone. Undefined: it is none of these kinds, or it is cut off before its size. */
export function imageHeader(bytes: Buffer): ImageHeader | undefined {
  for (const read of readers) {
    const found = read(bytes)
    if (found !== undefined) return found.width > 0 && found.height > 0 ? found : undefined
  }
  return undefined
}

type Read = (bytes: Buffer) => ImageHeader | undefined

const at = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.length >= offset + text.length && bytes.toString('latin1', offset, offset + text.length) === text

const png: Read = (bytes) =>
  at(bytes, 0, '\x89PNG\r\n\x1a\n') && at(bytes, 12, 'IHDR') && bytes.length >= 24
    ? { mime: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

const gif: Read = (bytes) =>
  (at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a')) && bytes.length >= 10
    ? { mime: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    : undefined

/** From segment to segment, up to the one that begins a frame. */
const jpeg: Read = (bytes) => {
  if (!at(bytes, 0, '\xff\xd8\xff')) return undefined
  for (let offset = 2; offset + 9 <= bytes.length; ) {
    if (bytes[offset] !== 0xff) return undefined
    const marker = bytes[offset + 1] ?? 0
    // A marker may be filled up with more 0xff before it.
    if (marker === 0xff) offset += 1
    else if (isFrame(marker))
      return { mime: 'image/jpeg', height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) }
    else offset += 2 + (standsAlone(marker) ? 0 : bytes.readUInt16BE(offset + 2))
  }
  return undefined
}

/** SOF0 to SOF15, but for the three numbers between them that mean tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** TEM, RST0 to RST7, SOI: no length follows. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

const webp: Read = (bytes) => {
  if (!at(bytes, 0, 'RIFF') || !at(bytes, 8, 'WEBP') || bytes.length < 30) return undefined
  const mime = 'image/webp'
  if (at(bytes, 12, 'VP8X')) return { mime, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (at(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21)
    return { mime, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (at(bytes, 12, 'VP8 ') && at(bytes, 23, '\x9d\x01\x2a'))
    return { mime, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  return undefined
}

const readers: readonly Read[] = [png, jpeg, webp, gif]
