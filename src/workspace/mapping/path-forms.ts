// Every form in which a host folder may stand in a text, and what it becomes. Forms are matched at the borders of
// path segments: `/srv/a` does not stand in `/srv/ab`, nor in `/x/srv/a`.

import { isAbsolute, sep } from 'node:path'
import type { PathView } from './path-view.ts'

/** What a found path becomes: another beginning, itself, or a word that tells nothing. */
type Fate = { readonly virtual: string } | 'open' | 'private'

export interface Forms {
  /** Finds a beginning; global, sticky use is the caller's. `undefined`: there is nothing to find. */
  readonly pattern: RegExp
  readonly fateOf: (form: string) => Fate | undefined
}

const known = new WeakMap<PathView, Forms>()

/** The forms of a view, longest first, so that the innermost folder decides. */
export function formsOf(view: PathView): Forms {
  const before = known.get(view)
  if (before !== undefined) return before
  const fates = new Map<string, Fate>()
  const add = (host: string, fate: Fate, write: (path: string) => Fate) => {
    if (!isAbsolute(host)) return
    for (const { form, inForm } of namesOf(host, view).flatMap(spellings)) {
      if (!fates.has(form)) fates.set(form, typeof fate === 'string' ? fate : write(inForm(fate.virtual)))
    }
  }
  for (const { virtual, host } of view.workspace.roots) {
    fates.set(virtual, 'open')
    add(host, { virtual }, (path) => ({ virtual: path }))
  }
  const { cwd, temp, tempName, roots } = view.workspace
  const atWork = roots.find(({ host }) => host === cwd)
  if (tempName !== undefined && atWork !== undefined && temp.startsWith(cwd)) {
    const virtual = atWork.virtual + temp.slice(cwd.length).replaceAll('\\', '/')
    add(tempName, { virtual }, (path) => ({ virtual: path }))
  }
  add(view.workspace.userData, { virtual: '/mnt/user-data' }, (path) => ({ virtual: path }))
  fates.set('/mnt/user-data', 'open')
  for (const host of view.openRoots) add(host, 'open', () => 'open')
  for (const host of view.privateRoots) add(host, 'private', () => 'private')
  // The root folder itself is everywhere: nothing can be said of it.
  for (const form of ['/', '\\/', '%2F', '%2f']) fates.delete(form)
  const longest = [...fates.keys()].sort((a, b) => b.length - a.length).map(literal)
  const forms: Forms = {
    pattern: new RegExp(`${begins}(?:${longest.join('|')})${ends}`, 'g'),
    fateOf: (form) => fates.get(form),
  }
  known.set(view, forms)
  return forms
}

interface Spelling {
  readonly form: string
  /** Writes a virtual path the same way. */
  readonly inForm: (path: string) => string
}

/** Not inside a longer path; a flag or a mark of emphasis may stand right before one: `-I/srv/a`, `_/srv/a_`. */
const begins = '(?:(?<![A-Za-z0-9_.~%-])|(?<=(?:^|[\\s"\'`(=,])(?:-[A-Za-z]|__?)))'
/** Not inside a longer name; periods that end a sentence are none of it, nor is a slash as addresses hold it. */
const ends = '(?![A-Za-z0-9~-]|_(?!_?(?:[\\s)\\],;:!?]|$))|\\.(?!\\.*(?:[\\s"\'`)\\],;:!?]|$))|%(?!2[Ff]))'

/** A folder of threads has a second name where a link leads to it. */
function namesOf(host: string, { realName }: PathView): readonly string[] {
  if (realName === undefined) return [host]
  const { of, is } = realName
  return host === of || host.startsWith(of + sep) ? [host, is + host.slice(of.length)] : [host]
}

const plain = (path: string): string => path
const slashed = (path: string): string => path.replaceAll('/', '\\/')

/** As it is; as JSON of some languages writes it; as addresses hold it; on macOS without the folder that links stand for; on Windows with either slash. */
function spellings(host: string): readonly Spelling[] {
  const hosts = host.startsWith('/private/') ? [host, host.slice('/private'.length)] : [host]
  return hosts.flatMap((path) => {
    if (!path.includes('\\'))
      return [
        { form: path, inForm: plain },
        { form: slashed(path), inForm: slashed },
        { form: encodeURIComponent(path), inForm: encodeURIComponent },
        { form: encodeURIComponent(path).replaceAll('%2F', '%2f'), inForm: encodeURIComponent },
        { form: encodeURI(path), inForm: encodeURI },
      ]
    return [
      { form: path, inForm: plain },
      { form: path.replaceAll('\\', '/'), inForm: plain },
      { form: path.replaceAll('\\', '\\\\'), inForm: plain },
    ]
  })
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
