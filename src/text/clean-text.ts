// Text of strangers may carry words that people do not see and models read: tag characters, zero-width and
// bidirectional marks, terminal escapes. They are taken out before anybody sees the text, and that is reported.

import type { Json, JsonObject } from '../core/json.ts'

export interface CleanText {
  readonly text: string
  /** Characters that were taken out. */
  readonly removed: number
}

/**
 * The text as a person would see it. Taken out: terminal escape sequences whole, control characters except tab and
 * line breaks, characters that Unicode says to ignore (tags, zero-width, bidirectional, fillers), halves of
 * surrogate pairs. Kept: joiners and presentation selectors inside emoji, joiners between letters of the scripts
 * that need them, and the three flags that are spelled with tags.
 */
export function cleanText(text: string): CleanText {
  if (!isSuspicious(text)) return { text, removed: 0 }
  const chars = [...text]
  const kept: string[] = []
  for (let at = 0; at < chars.length; ) {
    const char = chars[at] ?? ''
    if (char === '\u001b' || char === '\u009b') at = afterEscape(chars, at)
    else if (char === blackFlag) {
      const flag = flagAt(chars, at)
      kept.push(...flag)
      at += flag.length
    } else {
      if (!suspicious.test(char) || hasUse(char, kept.at(-1) ?? '', chars[at + 1] ?? '')) kept.push(char)
      at += 1
    }
  }
  const clean = kept.join('')
  return { text: clean, removed: text.length - clean.length }
}

/** Most texts are plain, and that is seen twice as fast. */
const isSuspicious = (text: string): boolean => beyondPlain.test(text) && suspicious.test(text)

const beyondPlain = /[^\t\n\r -~]/
const suspicious = /(?![\t\n\r])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cc}\p{Cs}]/u
const joiner = /^[\u200c\u200d]$/
const selector = /^[\ufe0e\ufe0f]$/
const picture = /^\p{Extended_Pictographic}$/u
const pictureEnd = /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u
const drawn = /^[\p{Emoji}\p{Extended_Pictographic}]$/u
/** Scripts whose letters change their form where a joiner stands. */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u

/** An invisible character that is part of what is seen: it binds the character before it to the one after. */
function hasUse(char: string, before: string, after: string): boolean {
  if (selector.test(char)) return drawn.test(before)
  if (!joiner.test(char)) return false
  if (char === '\u200d' && pictureEnd.test(before) && picture.test(after)) return true
  return joining.test(before) && (joining.test(after) || after === '' || after === ' ')
}

const blackFlag = '\u{1f3f4}'
const flags = new Set(['gbeng', 'gbsct', 'gbwls'])

/** The black flag alone, or with the tags of England, Scotland or Wales; no other word passes in tags. */
function flagAt(chars: readonly string[], at: number): readonly string[] {
  const tags = chars.slice(at + 1, at + 7)
  const word = tags.slice(0, 5).map((tag) => String.fromCodePoint(Math.max(0, (tag.codePointAt(0) ?? 0) - 0xe0000)))
  return tags[5] === '\u{e007f}' && flags.has(word.join('')) ? [blackFlag, ...tags] : [blackFlag]
}

/**
 * Where the text goes on after a terminal escape: after the final byte of a control sequence, after the end of an
 * operating system command (or of the line, when it never ends), else after the escape itself.
 */
function afterEscape(chars: readonly string[], at: number): number {
  const long = chars[at] === '\u001b'
  const kind = long ? chars[at + 1] : '['
  let next = at + (long ? 2 : 1)
  if (kind === '[') {
    while (isBetween(chars[next], 0x20, 0x3f)) next += 1
    return isBetween(chars[next], 0x40, 0x7e) ? next + 1 : next
  }
  if (kind !== undefined && ']PX^_'.includes(kind)) {
    while (next < chars.length) {
      const char = chars[next]
      if (char === '\n') return next
      if (char === '\u0007' || char === '\u009c') return next + 1
      if (char === '\u001b') return chars[next + 1] === '\\' ? next + 2 : next
      next += 1
    }
    return next
  }
  return at + 1
}

function isBetween(char: string | undefined, first: number, last: number): boolean {
  const code = char?.codePointAt(0) ?? -1
  return code >= first && code <= last
}

export interface CleanJson<T extends Json> {
  readonly value: T
  /** Paths of the strings that were cleaned, like `properties.q.description`. */
  readonly cleaned: readonly string[]
  /** Path of the first property name that holds such characters: it cannot be changed, for calls are made with it. */
  readonly hiddenKey?: string
}

/**
 * Every string in a value (descriptions, titles, defaults, enum values), cleaned. The value itself is returned when
 * nothing was found. `seen` is given each text and each name that stands in it, as it was sent.
 */
export function cleanJson<T extends JsonObject>(
  value: T,
  seen?: (text: string, place: () => string) => void,
): CleanJson<T> {
  const cleaned: string[] = []
  let hiddenKey: string | undefined
  const path: (string | number)[] = []
  const place = (): string =>
    path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
  const inside = (step: string | number, part: Json | undefined): Json | undefined => {
    path.push(step)
    const now = walk(part)
    path.pop()
    return now
  }
  const walk = (item: Json | undefined): Json | undefined => {
    if (typeof item === 'string') {
      seen?.(item, place)
      const { text, removed } = cleanText(item)
      if (removed > 0) cleaned.push(place())
      return text
    }
    if (item === null || typeof item !== 'object') return item
    if (Array.isArray(item))
      return kept(
        item,
        item.map((part: Json, index) => inside(index, part) ?? null),
      )
    const entries = Object.entries(item as JsonObject)
    const walked = entries.map(([key, part]): [string, Json | undefined] => {
      seen?.(key, place)
      if (hiddenKey === undefined && isSuspicious(key))
        hiddenKey = [place(), key].filter((step) => step !== '').join('.')
      return [key, inside(key, part)]
    })
    // fromEntries defines own keys, so a key `__proto__` stays a key.
    return kept(
      item,
      walked.some(([, part], index) => part !== entries[index]?.[1]) ? Object.fromEntries(walked) : item,
    )
  }
  const result = walk(value) as T
  return { value: result, cleaned, ...(hiddenKey === undefined ? {} : { hiddenKey }) }
}

/** The old value when nothing in it changed. */
function kept(old: Json, now: Json): Json {
  if (!Array.isArray(old) || !Array.isArray(now)) return now
  return old.every((item, index) => item === now[index]) ? old : now
}
