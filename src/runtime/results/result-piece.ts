// The blocks of a result, told apart by what a model can do with them.

import { isJsonObject, type JsonObject } from '../../core/json.ts'

export type ResultPiece =
  /** Read as text; `bytes` is what the block costs. */
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number; readonly block: JsonObject }
  /** Bytes in base64. `uri`: of a resource. */
  | {
      readonly kind: 'binary'
      readonly data: string
      readonly mime: string
      readonly what: 'image' | 'sound' | 'file'
      readonly uri?: string
      readonly block: JsonObject
    }

/** What a block is. A block of an unknown form is a text: its JSON. */
export function resultPiece(block: JsonObject): ResultPiece {
  const { type, text, data, mimeType, resource } = block
  if (type === 'text' && typeof text === 'string')
    return { kind: 'text', text, bytes: Buffer.byteLength(text) + bytesBeside(block, 'text'), block }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { kind: 'binary', data, mime: mimeOf(mimeType), what: type === 'image' ? 'image' : 'sound', block }
  }
  if (type === 'resource' && isJsonObject(resource)) {
    const uri = typeof resource.uri === 'string' ? { uri: resource.uri } : {}
    const mime = mimeOf(resource.mimeType)
    if (typeof resource.blob === 'string')
      return { kind: 'binary', data: resource.blob, mime, what: 'file', ...uri, block }
    if (typeof resource.text === 'string') {
      const bytes = Buffer.byteLength(resource.text) + bytesBeside(resource, 'text')
      return { kind: 'text', text: resource.text, bytes, block }
    }
  }
  const json = JSON.stringify(block)
  return { kind: 'text', text: json, bytes: Buffer.byteLength(json), block }
}

/** What a block says beside its text, where that is more than its form. */
function bytesBeside(block: JsonObject, key: string): number {
  const { [key]: _text, type: _type, ...rest } = block
  return Object.keys(rest).length === 0 ? 0 : Buffer.byteLength(JSON.stringify(rest))
}

const mimeOf = (value: unknown): string => (typeof value === 'string' ? value : 'application/octet-stream')
