// What the forms of an English word have in common. Lightly for what counts as the same word (plurals, -ing, -ed, -tion,
// a final e): a heavy stemmer throws together what names keep apart. Heavily for what is counted as related only.

/**
 * The stem of a word in lower case. Words that are short, not of a to z, or of another form come back as they are.
 * `creating`, `created`, `creates`, `creation` and `create` give `creat`.
 */
export function stem(word: string): string {
  if (word.length < 4 || !isPlain(word)) return word
  let rest = singular(word)
  if (rest.length > 5 && rest.endsWith('ing') && hasVowel(rest, rest.length - 3)) rest = verb(rest.slice(0, -3))
  else if (
    rest.length > 4 &&
    rest.endsWith('ed') &&
    rest.charAt(rest.length - 3) !== 'e' &&
    hasVowel(rest, rest.length - 2)
  )
    rest = verb(rest.slice(0, -2))
  if (rest.length > 6 && (rest.endsWith('ation') || rest.endsWith('tion') || rest.endsWith('sion')))
    rest = rest.slice(0, -3)
  if (rest.length > 4 && rest.endsWith('e')) rest = rest.slice(0, -1)
  if (rest.length > 4 && rest.endsWith('y')) rest = `${rest.slice(0, -1)}i`
  return rest
}

/**
 * What a stem has in common with words derived from it or from the same word: `calculator`, `calculat` and `calculabl`
 * give `calcul`. It throws words together that only look alike as well.
 */
export function root(stemOfWord: string): string {
  if (stemOfWord.length <= rootCharsMin || !isPlain(stemOfWord)) return stemOfWord
  let rest = stemOfWord
  for (let round = 0; round < rootRounds; round++) {
    const ending = derivations.find((each) => rest.endsWith(each) && rest.length - each.length >= rootCharsMin)
    if (ending === undefined) break
    rest = rest.slice(0, -ending.length)
  }
  return rest
}

const rootCharsMin = 4
const rootRounds = 3

/** Endings that derive a word from another, as they stand at the end of a stem; longer ones first. */
const derivations = [
  'ization',
  'isation',
  'ement',
  'ation',
  'izer',
  'ical',
  'ment',
  'ness',
  'able',
  'ible',
  'ance',
  'ence',
  'ancy',
  'ency',
  'ator',
  'ativ',
  'iti',
  'ful',
  'ant',
  'ent',
  'iv',
  'ic',
  'al',
  'at',
  'iz',
  'er',
  'or',
  'li',
  'i',
]

function singular(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  for (const ending of hissing) if (word.endsWith(ending)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const hissing = ['xes', 'ches', 'shes', 'sses', 'zes']

/** What -ing and -ed stood behind: `runn` is `run`, `fil` is `file`; `call` and `miss` keep both letters. */
function verb(word: string): string {
  const end = word.charAt(word.length - 1)
  const before = word.charAt(word.length - 2)
  if (word.length >= 3 && before === end && doubled.includes(end)) return word.slice(0, -1)
  const isShort = word.length === 3 && !isVowel(word.charAt(0)) && isVowel(before) && !isVowel(end)
  return isShort && !'wx'.includes(end) ? `${word}e` : word
}

const doubled = 'bdfgkmnprt'
const isVowel = (letter: string): boolean => 'aeiouy'.includes(letter)

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word.charAt(at))) return true
  return false
}

function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    if (code < 97 || code > 122) return false
  }
  return true
}
