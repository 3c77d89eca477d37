// How the baselines read text. It is not the reading of our engine, so that a change there cannot move what the engine
// is compared with.

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu
const run = /[\p{L}\p{N}]+/gu

/**
 * Words of a text, in order: lower case, split at camelCase, snake_case and every sign; a word of letters and digits
 * whole and in parts; Chinese, Japanese and Korean, which have no blanks, as pairs of characters.
 */
export function words(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(cjk, ' $& ')
    .toLowerCase()
  const found: string[] = []
  for (const [word] of spaced.matchAll(run)) {
    if (word.match(cjk) !== null) found.push(...pairs([...word]))
    else found.push(word, ...parts(word))
  }
  return found
}

const pairs = (characters: readonly string[]): readonly string[] =>
  characters.length < 2 ? characters : characters.slice(1).map((character, at) => `${characters[at]}${character}`)

/** `v2beta` → `v2beta`'s letters and numbers of more than one character; nothing of a word of one kind. */
function parts(word: string): readonly string[] {
  if (!/\d/.test(word) || !/[a-z]/.test(word)) return []
  const found = word.match(/[a-z]+|\d+/g) ?? []
  return found.length > 3 ? [] : found.filter((part) => part.length > 1)
}

/** English words that carry nothing in the text of a tool. */
const textStops = new Set(
  (
    'a an the this that these those some any each all of in on at to from by for with without into onto over under via ' +
    'per about as than and or but nor not no if then else so such also just both either is are was were be been being ' +
    'am do does did doing done has have had having can could may might must shall should will would i you he she it we ' +
    'they me him her us them my your his its our their mine yours who whom whose which what when where why how there ' +
    'here please need want like help let lets'
  ).split(' '),
)
/** Those, and what a person says around a request. */
const queryStops = new Set([
  ...textStops,
  ...'tell give show know looking look using used given provide provided'.split(' '),
])

/** Terms of a text as a baseline indexes them. */
export const textTerms = (text: string): string[] =>
  words(text)
    .filter((word) => !textStops.has(word))
    .map(stem)

/** Terms of a query; one of stop-words alone keeps them. */
export function queryTerms(query: string): string[] {
  const all = words(query)
  const kept = all.filter((word) => !queryStops.has(word))
  return (kept.length > 0 ? kept : all).map(stem)
}

export const isTextStop = (word: string): boolean => textStops.has(word)
export const isQueryStop = (word: string): boolean => queryStops.has(word)

/** A light stem of an English word: plural, -ing, -ed, -ion, a last e or y. Other words stay as they are. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  return plainEnd(withoutIon(withoutVerbEnd(singular(word))))
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is)$/.test(word)) return word
  if (/(?:x|z|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function withoutVerbEnd(word: string): string {
  const end = /(?:ing|ed)$/.exec(word)?.[0]
  if (end === undefined) return word
  const rest = word.slice(0, -end.length)
  if (rest.length < 3 || !/[aeiouy]/.test(rest)) return word
  return /([bdfgkmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest
}

const withoutIon = (word: string): string => (word.length > 6 && /[ts]ion$/.test(word) ? word.slice(0, -3) : word)

function plainEnd(word: string): string {
  if (word.length < 5) return word
  if (word.endsWith('e')) return word.slice(0, -1)
  return word.endsWith('y') ? `${word.slice(0, -1)}i` : word
}
