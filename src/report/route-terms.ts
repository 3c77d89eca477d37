// Words out of names, descriptions and prompts. Names are split at letter case, digits and separators; Chinese,
// Japanese and Korean runs become pairs of characters. One pass over the characters, no backtracking.

/**
 * The terms of a text, folded, without those that carry no weight; in order, repeated ones kept. At most `charsMax`
 * characters are read.
 */
export function termsOf(text: string, charsMax = 4000): string[] {
  const terms: string[] = []
  let word = ''
  let run = ''
  const flush = (): void => {
    if (word !== '' && !weightless.has(word)) terms.push(word)
    word = ''
  }
  const flushRun = (): void => {
    const chars = [...run]
    if (chars.length === 1) terms.push(run)
    for (let at = 0; at + 1 < chars.length; at++) terms.push(`${chars[at]}${chars[at + 1]}`)
    run = ''
  }
  let last: Kind = 'other'
  for (const char of text.slice(0, charsMax).normalize('NFKC')) {
    const kind = kindOf(char)
    if (kind === 'han') {
      flush()
      run += char
    } else {
      if (run !== '') flushRun()
      // `readFile` and `file2` are two words each; `HTTPServer` stays one, and is found by its beginning.
      if (kind === 'other' || (kind === 'upper' && last === 'lower') || (last !== 'other' && isDigit(kind, last)))
        flush()
      if (kind !== 'other') word += char.toLowerCase()
    }
    last = kind
  }
  flush()
  if (run !== '') flushRun()
  return terms
}

/** True for a term of a CJK run, which is looked up as it is: no beginnings, no misspellings. */
export const isPair = (term: string): boolean => han.test(term)

type Kind = 'upper' | 'lower' | 'digit' | 'han' | 'other'

function kindOf(char: string): Kind {
  const code = char.charCodeAt(0)
  if (code < 0x80) {
    if (code >= 97 && code <= 122) return 'lower'
    if (code >= 65 && code <= 90) return 'upper'
    return code >= 48 && code <= 57 ? 'digit' : 'other'
  }
  if (han.test(char)) return 'han'
  if (!letter.test(char)) return 'other'
  return char.toLowerCase() === char ? 'lower' : 'upper'
}

const isDigit = (kind: Kind, last: Kind): boolean => (kind === 'digit') !== (last === 'digit')

const han = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const letter = /[\p{L}\p{N}]/u

/** Words that stand in every request and every description: they would match everything and say nothing. */
const weightless: ReadonlySet<string> = new Set(
  (
    'a an the this that these those my your our their its it he she we you i me us them ' +
    'and or but not no nor so if then else than as at by for from in into of off on onto out over to up with without ' +
    'is are was were be been being am do does did done has have had will would can could should may might must shall ' +
    'please what which who whom whose when where why how all any both each some such only own same too very just also ' +
    'there here about again once let lets want need like use using used via per ' +
    'tool tools function functions'
  ).split(' '),
)
