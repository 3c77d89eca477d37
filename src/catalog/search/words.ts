// Words out of names, descriptions and queries. Names are split at letter case, digits and separators; runs of
// Chinese, Japanese and Korean become pairs of characters. One pass over the characters, no pattern that goes back.

/** Longest text that is read when nobody says. */
const charsMaxDefault = 4000
/** What is longer is no word but data (a token, a hash, an image); its beginning stands for it. */
const wordCharsMax = 48
/** A word of letters and digits in turn is taken apart as far as this: `pdf2text`, but not `a1b2c3d4`. */
const partsMax = 3

/**
 * The words of a text, in order, repeated ones kept, in lower case, without accents.
 *
 * `readFile`, `read_file` and `read-file` give `read`, `file`; `HTTPServer` gives `http`, `server`. Letters and digits
 * that stand together give the whole and those of its parts that have two characters or more: `pdf2text` gives
 * `pdf2text`, `pdf`, `text`; `v2` gives `v2`. A run of CJK characters gives each pair of neighbours; a single one gives
 * itself. At most `charsMax` characters are read.
 */
export function words(text: string, charsMax = charsMaxDefault): string[] {
  const found: string[] = []
  const read = folded(text.length > charsMax ? text.slice(0, charsMax) : text)
  const end = read.length
  // The word at hand: where it begins (-1: none), and of which kinds of characters it is.
  let start = -1
  let kinds = 0
  let last: Kind = none
  for (let at = 0; at <= end; at++) {
    const code = at < end ? read.charCodeAt(at) : 0
    const kind = code < 128 ? (kindsOfAscii[code] ?? none) : kindBeyond(read, at, code)
    // Most characters go on in a word of small letters, or stand between words.
    if (kind === last && kind === lower) continue
    if (start >= 0) {
      // `readFile`: the capital begins a word. `HTTPServer`: the capital before a small letter does. `3D` is one word.
      if (kind === none || (kind === pair) !== (last === pair) || (kind === upper && isHump(read, at, last))) {
        take(found, read.slice(start, at), kinds)
        start = -1
      } else if (kind === lower && last === upper && at - 1 > start) {
        take(found, read.slice(start, at - 1), kinds)
        start = at - 1
        kinds = upper
      }
    }
    if (kind !== none) {
      if (start < 0) {
        start = at
        kinds = 0
      }
      kinds |= kind
    } else if ((code === 0x27 || code === 0x2019) && isClitic(read, at, last)) {
      // `user's`, `don't`: what stands behind the apostrophe says nothing.
      while (at + 1 < end && kindAt(read, at + 1) !== none) at++
    }
    last = kind
  }
  return found
}

/**
 * Words of a text that are spelled with a capital inside (`GitHub`, `JavaScript`, `OpenAI`), each as one word in lower
 * case. `words` takes them apart; people and servers write them in one as well.
 */
export function brandWords(text: string, charsMax = charsMaxDefault): readonly string[] {
  const read = text.length > charsMax ? text.slice(0, charsMax) : text
  return hump.test(read) ? (read.match(brand) ?? noWords).map((word) => word.toLowerCase()) : noWords
}

const hump = /[a-z][A-Z]/
const brand = /\b[A-Z][a-z]{1,20}(?:[A-Z][a-z]{1,20}|[A-Z]{1,10})\b/g
const noWords: readonly string[] = []

const isHump = (text: string, at: number, before: Kind): boolean =>
  before === lower || before === other || (before === digit && at + 1 < text.length && kindAt(text, at + 1) === lower)

/** True for a word of a CJK run: it is looked up as it is, never taken for a misspelling. */
export const isPair = (word: string): boolean => word.length <= 4 && kindAt(word, 0) === pair

type Kind = number
const none = 0
const lower = 1
const upper = 2
const digit = 4
const pair = 8
/** A letter outside of ASCII, or half of one. */
const other = 16

const kindsOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return lower
  if (code >= 65 && code <= 90) return upper
  return code >= 48 && code <= 57 ? digit : none
})

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at)
  return code < 128 ? (kindsOfAscii[code] ?? none) : kindBeyond(text, at, code)
}

/** The kind of a character outside of ASCII; of one that takes two places, both halves have the kind of the whole. */
function kindBeyond(text: string, at: number, code: number): Kind {
  if (isCjk(code)) return pair
  if (code < 0xd800 || code > 0xdfff) return letter.test(text.charAt(at)) ? other : none
  const point = (code < 0xdc00 ? text.codePointAt(at) : text.codePointAt(at - 1)) ?? 0
  if (point < 0x10000) return none
  if (point >= 0x20000 && point <= 0x3ffff) return pair
  return letter.test(String.fromCodePoint(point)) ? other : none
}

const letter = /[\p{L}\p{N}\p{M}]/u

/** Han, kana and Hangul: scripts that put no blanks between words, or that are searched by syllables. */
const isCjk = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0xac00 && code <= 0xd7af) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0x3005 && code <= 0x3007)

/** Compatibility forms unified, Latin accents taken off. Most texts are plain, and that is seen at once. */
function folded(text: string): string {
  if (!beyondAscii.test(text)) return text
  return text.normalize('NFKD').replace(accents, '').normalize('NFC')
}

const beyondAscii = /[^\x20-\x7e\t\n\r]/
const accents = /[\u0300-\u036f]/g

const isClitic = (text: string, at: number, before: Kind): boolean => {
  if (before !== lower && before !== upper) return false
  let end = at + 1
  while (end < text.length && end <= at + 3 && kindAt(text, end) !== none) end++
  return end > at + 1 && clitics.has(text.slice(at + 1, end).toLowerCase())
}

const clitics: ReadonlySet<string> = new Set(['s', 't', 're', 've', 'll', 'd', 'm'])

function take(found: string[], run: string, kinds: number): void {
  if ((kinds & pair) !== 0) {
    takePairs(found, run)
    return
  }
  const cut = run.length > wordCharsMax ? run.slice(0, wordCharsMax) : run
  const word = kinds === lower ? cut : cut.toLowerCase()
  found.push(word)
  if ((kinds & digit) !== 0 && kinds !== digit) takeParts(found, word)
}

function takePairs(found: string[], run: string): void {
  const chars = [...run]
  if (chars.length === 1) found.push(run)
  for (let at = 0; at + 1 < chars.length; at++) found.push(`${chars[at]}${chars[at + 1]}`)
}

function takeParts(found: string[], word: string): void {
  const parts: string[] = []
  let start = 0
  for (let at = 1; at <= word.length; at++) {
    if (at < word.length && isDigit(word, at) === isDigit(word, at - 1)) continue
    parts.push(word.slice(start, at))
    start = at
    if (parts.length > partsMax) return
  }
  for (const part of parts) if (part.length > 1) found.push(part)
}

const isDigit = (word: string, at: number): boolean => {
  const code = word.charCodeAt(at)
  return code >= 48 && code <= 57
}
