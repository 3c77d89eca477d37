// Patterns of strangers (the `pattern` of a JSON Schema), looked at before anybody carries them out. The engine of
// JavaScript goes back and tries again: twenty-eight letters against `^(a+)+$` take it seconds. RE2 never goes back;
// what cannot be done without going back (look-around, references to groups) it does not do at all.

/** Longest pattern that is looked at. The longest of 2,543 real tools has 288 characters. */
const charsMax = 1000
/** Most steps that a pattern may be made of. The largest of those patterns has 255. */
export const patternSizeMax = 5000

/**
 * Why RE2 cannot look for a pattern, in words; undefined when it can. Reads the pattern once and compiles nothing that
 * is big.
 */
export function patternFault(source: string): string | undefined {
  if (source.length > charsMax) return `it has ${source.length} characters, and ${charsMax} are allowed`
  if (!isRegExp(source)) return 'it is no regular expression of JavaScript'
  if (/\(\?<?[=!]/.test(source)) return 'it looks around'
  if (/\\[1-9k]/.test(source.replaceAll('\\\\', ''))) return 'it refers back to a group'
  if (/\[(?:\\[^b]|[^\]\\])*\\b/.test(source)) return 'it looks for a backspace'
  if (/\\[pP]\{[^}]*=/.test(source)) return 'it names a property of Unicode by key and value'
  return patternSize(source) > patternSizeMax ? 'it repeats too much' : undefined
}

/**
 * At least as many steps as the compiled pattern has: counted repeats multiply what they repeat, and those of groups
 * are taken to stand around the whole pattern.
 */
export function patternSize(source: string): number {
  let ofGroups = 1
  let chars = source.length
  for (const [, after, least = '', most = ''] of source.matchAll(/([)}])?\{(\d{1,9})(?:,(\d{0,9}))?\}/g)) {
    const times = Math.max(1, Number(least), Number(most))
    if (after === undefined) chars += times
    else ofGroups *= times
  }
  return chars * ofGroups
}

function isRegExp(source: string): boolean {
  return compiles(source, 'u') || compiles(source, '')
}

function compiles(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== ''
  } catch {
    return false
  }
}

const atom = String.raw`(?:\\[dDwWsS.\/-]|[^\\()[\]{}|*+?^$]|\[(?:\\.|[^\]\\])*\])`
const plain = new RegExp(`^\\^?(?:${atom}|${atom}\\{\\d{1,3}\\})*(?:${atom}[*+?]${atom}{0,50})?\\$?$`, 'u')

/** A pattern of single characters, one of them at most repeated: no engine can go back far in it. */
export const isPlainPattern = (source: string): boolean =>
  source.length <= 200 && plain.test(source) && compiles(source, 'u')
