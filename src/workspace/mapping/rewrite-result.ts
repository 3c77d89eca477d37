// Results of servers as the agent may read them: host paths of the thread become virtual, other paths of the host
// that nobody named become a word that tells nothing. Rewriting what is rewritten changes nothing.

import { type Forms, formsOf } from './path-forms.ts'
import type { PathView } from './path-view.ts'

/** What stands in place of a path that the agent has no business with. */
export const outsideWord = '[path outside the workspace]'

/** A text with its paths rewritten. Time is linear in its length. */
export function virtualText(text: string, view: PathView): string {
  const forms = formsOf(view)
  const named = /file:/i.test(text) ? text.replace(fileUrl, (url) => fromFileUrl(url, forms)) : text
  return linked(rewritten(named, forms), view)
}

/**
 * Browser servers link what they wrote by relative paths: `[Screenshot](./shot.png)`. Links are rewritten where there
 * is such a file; relative paths in running text are not, for most of them are text of somebody's file.
 */
function linked(text: string, { base }: PathView): string {
  if (base === undefined || !text.includes('](')) return text
  return text.replace(linkTarget, (whole, target: string) => {
    const path = target.replace(/^(?:\.\/)+/, '')
    if (path === '' || upwards.test(path) || !base.has(path)) return whole
    return `](${base.virtual}/${path})`
  })
}

/** A relative target: no scheme, no slash at its beginning. */
const linkTarget = /\]\((?![a-z][a-z0-9+.-]*:|\/)([^\s()<>"'\\]{1,512})\)/gi
const upwards = /(?:^|\/)\.\.(?:\/|$)/

/** The same for every text in a value; keys too, for some results are keyed by path. Bytes in base64 stay. */
export function virtualJson<T>(value: T, view: PathView): T {
  const walk = (item: unknown, key: string, type: unknown): unknown => {
    if (typeof item === 'string') {
      if (key === 'blob' || (key === 'data' && (type === 'image' || type === 'audio'))) return item
      return key === 'uri' ? virtualUri(item, view) : virtualText(item, view)
    }
    if (item === null || typeof item !== 'object') return item
    if (Array.isArray(item)) return item.map((inner) => walk(inner, '', undefined))
    const kind = (item as { readonly type?: unknown }).type
    const entries = new Map<string, unknown>()
    for (const [name, inner] of Object.entries(item))
      entries.set(freeName(virtualText(name, view), entries), walk(inner, name, kind))
    return Object.fromEntries(entries)
  }
  return walk(value, '', undefined) as T
}

/** Two names that tell nothing are still two. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`
  return free
}

/** A resource is named by a URI and stays one. */
function virtualUri(uri: string, view: PathView): string {
  if (!/^file:/i.test(uri)) return virtualText(uri, view)
  const path = pathOf(uri)
  if (path === undefined) return virtualText(uri, view)
  const seen = wholePath(path, formsOf(view))
  return seen === path ? uri : seen.startsWith('/') ? `file://${encodeURI(seen)}` : seen
}

function rewritten(text: string, forms: Forms): string {
  let out = ''
  let at = 0
  forms.pattern.lastIndex = 0
  for (let found = forms.pattern.exec(text); found !== null; found = forms.pattern.exec(text)) {
    const [form] = found
    const fate = forms.fateOf(form)
    const end = found.index + form.length
    if (fate === undefined || fate === 'open' || isBehindHost(text, found.index)) continue
    if (fate === 'private') {
      const stop = endOfPath(text, found.index, end)
      out += text.slice(at, found.index) + outsideWord
      at = stop
      forms.pattern.lastIndex = stop
    } else {
      out += text.slice(at, found.index) + fate.virtual
      at = end
    }
  }
  return at === 0 ? text : out + text.slice(at)
}

/** True inside an address of another machine, whose paths are its own: `https://a.example/srv/a`. */
function isBehindHost(text: string, at: number): boolean {
  if (text[at - 1] !== '/') return false
  const scheme = addressWithHost.exec(text.slice(Math.max(0, at - addressMax), at))?.[1]
  return scheme !== undefined && !/file$/i.test(scheme)
}

const addressMax = 300
const addressWithHost = /\b([a-z][a-z0-9+.-]{0,20}):\/\/[A-Za-z0-9_[][^\s/"'`<>]*\/$/i

/** Where a path ends that began at `from`: at the quote that it began behind, else at the first blank or bracket. */
function endOfPath(text: string, from: number, end: number): number {
  const before = from === 0 ? '' : (text[from - 1] ?? '')
  const quoted = quotes.has(before) ? text.indexOf(before, end) : -1
  if (quoted !== -1 && !text.slice(end, quoted).includes('\n')) return quoted
  pathEnd.lastIndex = end
  const found = pathEnd.exec(text)
  if (found === null) return text.length
  // A sentence that ends behind a path keeps its period.
  return found.index
}

const quotes: ReadonlySet<string> = new Set(['"', "'", '`'])
const pathEnd = /[\s"'`<>()[\]{}|,;:*?!]|\.(?=\s|$)/g
const fileUrl = /\bfile:(?:\/\/[A-Za-z0-9._-]{0,255})?\/[^\s"'`<>()[\]{}|,;]*/gi

/** A path in place of the URL where the agent may know it; else the URL as it was, for the words of `rewritten`. */
function fromFileUrl(url: string, forms: Forms): string {
  const path = pathOf(url)
  if (path === undefined) return url
  const seen = wholePath(path, forms)
  return seen === path ? url : seen
}

/** A text that is a path and nothing else: what is private in it goes to its end, blanks included. */
function wholePath(path: string, forms: Forms): string {
  const seen = rewritten(path, forms)
  return seen.startsWith(outsideWord) ? outsideWord : seen
}

function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.replace(/^file:(?:\/\/[^/]*)?/i, ''))
  } catch {
    return undefined
  }
}
