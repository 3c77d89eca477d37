// A hundred queries from people who mean harm: fifty texts, each as it is and between the slashes that ask for a regular
// expression. Made from a fixed seed, so that two runs ask the same. Most are as long as a query may be: a longer one is
// refused at once.

import { randomOf } from './random.ts'

const seed = 20_261_201
/** 200, less the slashes. */
const charsMax = 198

/** The hundred, each once. */
export function hostileQueries(): readonly string[] {
  const random = randomOf(seed)
  const texts = families.flatMap((family) => family(random))
  return texts.flatMap((text) => [text, `/${text}/`])
}

type Random = () => number
type Family = (random: Random) => readonly string[]

const listOf = (count: number, make: () => string): readonly string[] => Array.from({ length: count }, make)
const lettersOf = (random: Random, count: number): string =>
  listOf(count, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
const letterOf = (random: Random): string => lettersOf(random, 1)

/** The beginning of what goes on for ever. */
function filled(make: (at: number) => string): string {
  let text = ''
  for (let at = 0; text.length < charsMax; at++) text += make(at)
  return text.slice(0, charsMax)
}

const nestedQuantifiers: Family = (random) => {
  const x = letterOf(random)
  return [
    '(a+)+$',
    `(${x}*)*$`,
    '([a-zA-Z]+)*$',
    '(\\w+\\s?)*$',
    `(${x}+${x}+)+y`,
    '((a*)*)*b',
    '(([a-z])+.)+[A-Z]([a-z])+$',
  ]
}

const alternations: Family = (random) => [
  '(a|a)*$',
  '(a|ab|abc|b|bc)*d',
  `(?:${listOf(40, () => lettersOf(random, 2)).join('|')})*$`,
  listOf(39, () => lettersOf(random, 4)).join('|'),
]

const anything: Family = () => [
  '(.*a){20}',
  '[\\s\\S]*[\\s\\S]*[\\s\\S]*Z',
  '.*.*.*.*.*=.*',
  '.*',
  '|',
  '(?:a?){30}a{30}',
]

const countBombs: Family = () => ['a{99999}', '((a{1,100}){1,100}){1,100}', '(\\d{1,900}){900}', '(?:[a-z]{0,999}){2}!']

const repeats: Family = (random) => [
  filled(() => 'a'),
  letterOf(random).repeat(2001),
  filled(() => 'tool '),
  filled(() => '_'),
]

const unbalanced: Family = () => ['issue(', filled(() => ')('), '[a-', '((((((((((', '{{{{{{1,', 'a\\']

const lookAround: Family = () => ['(?=issue)issue_create', '(?<=a)b', '(?!.*a)(?!.*b).*$', '(a)\\1', '(?<n>a+)\\k<n>+$']

/** What correcting spelling, joining and splitting words, or dividing a request could cost. */
const words: Family = (random) => [
  lettersOf(random, charsMax),
  filled(() => `${lettersOf(random, 5 + Math.floor(random() * 4))} `),
  filled(() => `${lettersOf(random, 6)} ${lettersOf(random, 7)}; and then `),
  filled((at) => `${lettersOf(random, 3)}${at}${lettersOf(random, 3).toUpperCase()}_`),
  listOf(2000, () => lettersOf(random, 10)).join(' '),
]

const scripts: Family = (random) => {
  const han = () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))
  return [
    filled(han),
    listOf(5000, han).join(''),
    filled(() => '👩‍👩‍👧‍👦'),
    filled((at) => (at === 0 ? 'e' : '\u0301')),
  ]
}

const unseen: Family = () => [
  'create\u0000issue\u001b[2J\u0007',
  filled(() => '\u202e\u2066\u200b'),
  filled(() => '\ud800'),
]

const forms: Family = (random) => [
  `select:${listOf(17, () => lettersOf(random, 10)).join(',')}`,
  filled(() => `+${lettersOf(random, 2)} `),
]

const families: readonly Family[] = [
  nestedQuantifiers,
  alternations,
  anything,
  countBombs,
  repeats,
  unbalanced,
  lookAround,
  words,
  scripts,
  unseen,
  forms,
]
