// Takes secrets out of a text, in each form in which a log, an error or a page may hold them. It is fed with the real
// values: a list of secret-looking names would miss a variable with a harmless name.

const mark = '***'

/** Shorter values stand in too many innocent texts: taking out every `1` or `debug` would make an answer unreadable. */
export const secretLengthMin = 6

/**
 * Returns a function that replaces each secret in a text by `***`: as it is, URL-encoded, Base64-encoded (also in the
 * middle of something longer, and the URL form), escaped for JSON or HTML. Secrets shorter than `secretLengthMin`
 * and the words of `plainWords` are left. Time is linear in text times secrets.
 */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const needles = new Set<string>()
  for (const secret of new Set(secrets)) {
    for (const part of partsOf(secret)) for (const form of formsOf(part)) needles.add(form)
  }
  if (needles.size === 0) return (text) => text
  return (text) => {
    const found: { readonly from: number; readonly to: number }[] = []
    for (const needle of needles) {
      for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
        found.push({ from: at, to: at + needle.length })
      }
    }
    return found.length === 0 ? text : withMarks(text, found)
  }
}

/** Values that are set in many environments and tell nobody anything. */
const plainWords: ReadonlySet<string> = new Set([
  'production',
  'development',
  'staging',
  'localhost',
  'warning',
  'verbose',
  'disabled',
  'enabled',
  'default',
])

/** The whole, and each longer line: a key in PEM form may be quoted one line at a time. */
function partsOf(secret: string): string[] {
  if (secret.length < secretLengthMin || plainWords.has(secret.toLowerCase())) return []
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= longLine)
  return lines.length > 1 ? [secret, ...lines] : [secret]
}

const longLine = 16

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const forms = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    asciiJson(json),
    JSON.stringify(json).slice(1, -1),
    htmlOf(secret),
    ...base64Forms(secret),
  ]
  // A lone surrogate cannot be URL-encoded, so such a secret cannot stand in a URL.
  if (!loneSurrogate.test(secret)) {
    for (const encoded of [encodeURIComponent(secret), encodeURI(secret), formEncoded(secret)]) {
      forms.push(
        encoded,
        encoded.replaceAll('%20', '+'),
        encoded.replace(percent, (code) => code.toLowerCase()),
      )
    }
  }
  return forms
}

const loneSurrogate = /\p{Cs}/u
const percent = /%[0-9A-F]{2}/g

const formEncoded = (secret: string): string => new URLSearchParams([['', secret]]).toString().slice(1)

/** JSON as programs write it that keep to ASCII. */
const asciiJson = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const htmlOf = (secret: string): string =>
  secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/**
 * Base64 turns three bytes into four characters, so a secret inside a longer text looks different for each of the
 * three places where it may begin. Kept are the characters that depend on the secret alone.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const forms: string[] = []
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    if (inner.length >= secretLengthMin) forms.push(inner, inner.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}

/** Overlapping and touching finds become one mark. */
function withMarks(text: string, found: { readonly from: number; readonly to: number }[]): string {
  found.sort((a, b) => a.from - b.from)
  let out = ''
  let at = 0
  let marked = false
  for (const { from, to } of found) {
    if (to <= at) continue
    if (from > at || !marked) out += text.slice(at, from) + mark
    at = to
    marked = true
  }
  return out + text.slice(at)
}
