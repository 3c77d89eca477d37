// Whether a rule on a path means a given path. Both are brought into one form first (`.`, `..`, `//` worked out), and
// then compared piece by piece, never as a beginning of text: `/ws/../etc` is not in `/ws`, nor is `/ws-other`.

import { anyRun, coversAll, globOf, hasWildcard, matchesGlob } from './glob.ts'

/** Where relative paths stand when nobody says otherwise: the virtual workspace of a thread. */
export const workspaceRoot = '/mnt/user-data/workspace'

/**
 * Whether the path is, or (for a ban) may be, one that the pattern means. `*` and `?` stay inside one piece, `**`
 * spans any number. For a ban a pattern also means everything below what it names, and a relative one counts at any
 * depth; for a grant it stands in `base`. Links are not looked at: whoever opens the file compares its real path too.
 */
export function meansPath(
  pattern: string,
  prefix: boolean,
  value: string,
  side: { readonly ban: boolean; readonly base: string },
): boolean {
  const { ban, base } = side
  const below = prefix || pattern.endsWith('/')
  const wanted = pieces(pattern)
  const patterns: string[][] = []
  if (isAbsolute(pattern)) {
    patterns.push(wanted)
  } else {
    patterns.push([...pieces(base), ...wanted])
    if (ban) patterns.push([spanning, ...wanted])
  }
  const ready = patterns.flatMap((one) => [resolved(one), ...(below || ban ? [[...resolved(one), spanning]] : [])])
  const readings = new Set([value, value.replaceAll('\\', '/'), fileUrlPath(value)])
  const meant = [...readings].map((reading) => {
    const place = resolved(isAbsolute(reading) ? pieces(reading) : [...pieces(base), ...pieces(reading)])
    return ready.some((one) => covers(one, place))
  })
  return ban ? meant.includes(true) : !meant.includes(false)
}

const spanning = `${anyRun}${anyRun}`

const isAbsolute = (path: string): boolean => path.startsWith('/')
const pieces = (path: string): string[] => path.split('/').filter((piece) => piece !== '' && piece !== '.')

/** `..` takes back the piece before it; at the root there is nothing to take back. */
function resolved(path: readonly string[]): string[] {
  const out: string[] = []
  for (const piece of path) {
    if (piece !== '..') out.push(piece)
    else if (out.at(-1) !== spanning) out.pop()
  }
  return out
}

/** Walks both once; only the last `**` is ever widened, as with the star in `glob.ts`. */
function covers(pattern: readonly string[], path: readonly string[]): boolean {
  let at = 0
  let from = 0
  let span = -1
  let spanFrom = 0
  while (from < path.length) {
    const piece = pattern[at]
    if (piece !== undefined && isSpanning(piece)) {
      span = at++
      spanFrom = from
    } else if (piece !== undefined && coversPiece(piece, path[from] ?? '')) {
      at++
      from++
    } else if (span >= 0) {
      at = span + 1
      from = ++spanFrom
    } else {
      return false
    }
  }
  while (isSpanning(pattern[at] ?? '')) at++
  return at === pattern.length
}

const isSpanning = (piece: string): boolean => piece.length > 1 && coversAll(piece)

const coversPiece = (piece: string, name: string): boolean =>
  hasWildcard(piece) ? matchesGlob(globOf(piece), name) : piece === name

function fileUrlPath(value: string): string {
  if (!/^file:\/\//i.test(value)) return value
  try {
    return decodeURIComponent(value.replace(/^file:\/\/[^/]*/i, ''))
  } catch {
    return value
  }
}
