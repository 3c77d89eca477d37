// Images go to models that see, where they are of a kind and size that is taken. Everything else that is no text is
// kept as a file, and a line says so: handed on, it would be refused with the whole conversation.

import type { JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { imageHeader, imageLimits } from '../../workspace/files/image-header.ts'
import type { Keep } from './keeper.ts'
import type { ResultPiece } from './result-piece.ts'

/** What one result may show. */
export const shownMax = { images: 20, bytes: 15 * 1024 * 1024 } as const

export interface ImageRoom {
  /** Absent images: the model sees none. */
  readonly sees: boolean
  /** Images and their bytes that were shown before this one. */
  readonly images: number
  readonly bytes: number
}

type Binary = Extract<ResultPiece, { kind: 'binary' }>

export interface ShownBinary {
  /** A line for the model. Absent: the image speaks for itself. */
  readonly note?: string
  /** The image, with the type that its content has. Absent: it is not shown. */
  readonly image?: { readonly block: JsonObject; readonly bytes: number }
}

export async function shownBinary(piece: Binary, room: ImageRoom, keep: Keep): Promise<ShownBinary> {
  const bytes = Buffer.from(piece.data, 'base64')
  const header = imageHeader(bytes)
  const size = header === undefined ? '' : `, ${header.width} × ${header.height} pixels`
  const mime = header?.mime ?? printable(piece.mime, 80)
  const from = piece.uri === undefined ? '' : `${printable(piece.uri, 200)}: `
  const about = `${from}${mime}${size}, ${bytes.length} bytes`
  const why = whyNotShown(piece, header, bytes.length, room)
  if (why === undefined) {
    const block =
      piece.what === 'image' ? { ...piece.block, mimeType: mime } : { type: 'image', data: piece.data, mimeType: mime }
    return { image: { block, bytes: bytes.length }, ...(from === '' ? {} : { note: `[${about}]` }) }
  }
  const { words } = await keep(bytes, endings.get(mime) ?? 'bin')
  return { note: `[${about}: ${why}; ${words}]` }
}

function whyNotShown(
  { what }: Binary,
  header: ReturnType<typeof imageHeader>,
  bytes: number,
  { sees, images, bytes: before }: ImageRoom,
): string | undefined {
  if (header === undefined)
    return what === 'image' ? 'no png, jpeg, webp or gif, and not shown' : `a ${what}, and not shown`
  if (!sees) return 'this model sees no images'
  if (bytes > imageLimits.bytes || Math.max(header.width, header.height) > imageLimits.side)
    return 'too large to be shown'
  return images >= shownMax.images || before + bytes > shownMax.bytes ? 'one image too many to be shown' : undefined
}

const endings: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/json', 'json'],
  ['text/plain', 'txt'],
])
