// What a file is, as a MIME type: by its content where that tells, and by the end of its name only where the content
// is a text, which says nothing of itself.

/** Bytes from the beginning of a file that are enough to tell its kind. */
export const kindHeadBytes = 65_536

/** The MIME type of a file. `head`: its first bytes, at most `kindHeadBytes`; `whole`: there are no more. */
export function fileKind(name: string, head: Buffer, whole: boolean): string {
  const ending = /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const beginning = head.toString('latin1', 0, 16)
  const signed = signatures.find(({ offset = 0, text }) => beginning.startsWith(text, offset))
  if (signed !== undefined) return signed.mime === 'application/zip' ? (zipped.get(ending) ?? signed.mime) : signed.mime
  return isText(head, whole) ? (texts.get(ending) ?? 'text/plain') : 'application/octet-stream'
}

const signatures: readonly { readonly text: string; readonly offset?: number; readonly mime: string }[] = [
  { text: '\x89PNG\r\n\x1a\n', mime: 'image/png' },
  { text: '\xff\xd8\xff', mime: 'image/jpeg' },
  { text: 'GIF8', mime: 'image/gif' },
  { text: 'WEBP', offset: 8, mime: 'image/webp' },
  { text: '%PDF-', mime: 'application/pdf' },
  { text: 'PK\x03\x04', mime: 'application/zip' },
  { text: '\x1f\x8b', mime: 'application/gzip' },
  { text: 'II*\0', mime: 'image/tiff' },
  { text: 'MM\0*', mime: 'image/tiff' },
  { text: 'ftypavif', offset: 4, mime: 'image/avif' },
  { text: 'ftyphei', offset: 4, mime: 'image/heic' },
  { text: 'ftyp', offset: 4, mime: 'video/mp4' },
  { text: 'WAVE', offset: 8, mime: 'audio/wav' },
  { text: 'ID3', mime: 'audio/mpeg' },
  { text: 'OggS', mime: 'audio/ogg' },
  { text: 'SQLite format 3\0', mime: 'application/vnd.sqlite3' },
]

const office = 'application/vnd.openxmlformats-officedocument'

/** Kinds that are zip archives inside. */
const zipped: ReadonlyMap<string, string> = new Map([
  ['docx', `${office}.wordprocessingml.document`],
  ['xlsx', `${office}.spreadsheetml.sheet`],
  ['pptx', `${office}.presentationml.presentation`],
  ['epub', 'application/epub+zip'],
])

const texts: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['svg', 'image/svg+xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
])

function isText(head: Buffer, whole: boolean): boolean {
  if (head.includes(0)) return false
  try {
    // A head may end in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !whole })
    return true
  } catch {
    return false
  }
}
