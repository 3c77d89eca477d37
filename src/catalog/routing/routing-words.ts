// Words of messages and keywords, as they are compared. Letter case, width, accents and invisible characters make no
// difference. In scripts that are written without blanks (and in Korean, whose particles join the noun) each character
// is a word of its own: so one rule, "these words stand here in a row", serves phrases and parts of a sentence alike.

/** What stands between sentences and the items of a list: a phrase does not reach over it. */
export const pause = ''

/**
 * The words of a text in order, with pauses between its sentences. `reports` is `report`; `create_report` is two
 * words, `node.js` as well; `database` is never `data`. Time grows with the length of the text alone.
 */
export function routingWords(text: string): string[] {
  const isPlain = /^[\0-\x7f]*$/.test(text)
  const words: string[] = []
  for (const [found] of isPlain ? text.toLowerCase().matchAll(plainPieces) : folded(text).matchAll(pieces)) {
    if (!isPause(found)) words.push(singular(found))
    else if (words.length > 0 && words.at(-1) !== pause) words.push(pause)
  }
  if (words.at(-1) === pause) words.pop()
  return words
}

/** True for a word that is one character of a script without blanks. */
export const isSign = (word: string): boolean => sign.test(word)

/** Kana and Hangul are put together again, so that their marks stay; accents of Latin, Greek and Cyrillic go. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFC')
    .replace(/[ßæœøđðłıςþ]/g, (letter) => spelled.get(letter) ?? letter)
}

/** Letters that people without the keyboard write otherwise, and that no decomposition names. */
const spelled = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', ς: 'σ', þ: 'th' }),
)

const signs =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\u30fc'
const sign = new RegExp(`^[${signs}]$`, 'u')

/**
 * Pieces of a folded text: signs, words, pauses. `c++` and `c#` are words, `a+b` is two. A point, comma or colon within
 * `node.js`, `1,000` and `10:30` is no pause.
 */
const piecesOf = (letter: string): string =>
  `(?:${letter})+(?:[+#]{1,2}(?!${letter}|[+#]))?|[!?;。、।]|(?<![a-z0-9])[.,:]|[.,:](?![a-z0-9])|\\n[^\\S\\n]*\\n`
const pieces = new RegExp(`[${signs}]|${piecesOf(`(?![${signs}])[\\p{L}\\p{N}\\p{M}]`)}`, 'gu')
/** The same for ASCII alone, several times as fast. */
const plainPieces = new RegExp(piecesOf('[a-z0-9]'), 'g')

const isPause = (piece: string): boolean => /^[!?;。、।.,:\n]/.test(piece)

/** The singular of an English word by its ending; both sides are treated alike, so that it need not be a word. */
function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+s$/.test(word) || /(?:ss|us|is|ics)$/.test(word) || notPlural.has(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** Words whose singular is another word. */
const notPlural = new Set(['news', 'goods', 'customs', 'means', 'does', 'lens', 'always', 'species', 'series', 'https'])
