// Every form in which a host folder may stand in a text, and what it becomes. Forms are matched at the borders of
// path segments: `/srv/a` does not stand in `/srv/ab`, nor in `/x/srv/a`.

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
    for (const { form, inForm } of spellings(host)) {
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
  fates.delete('/')
  fates.delete('\\/')
  const longest = [...fates.keys()].sort((a, b) => b.length - a.length).map(literal)
  const forms: Forms = {
    pattern: new RegExp(`(?<![A-Za-z0-9_.~%-])(?:${longest.join('|')})(?![A-Za-z0-9_.~%-])`, 'g'),
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

const plain = (path: string): string => path
const slashed = (path: string): string => path.replaceAll('/', '\\/')

/** As it is; as JSON of some languages writes it; on macOS without the folder that links stand for; on Windows with either slash. */
function spellings(host: string): readonly Spelling[] {
  const hosts = host.startsWith('/private/') ? [host, host.slice('/private'.length)] : [host]
  return hosts.flatMap((path) => {
    if (!path.includes('\\'))
      return [
        { form: path, inForm: plain },
        { form: slashed(path), inForm: slashed },
      ]
    return [
      { form: path, inForm: plain },
      { form: path.replaceAll('\\', '/'), inForm: plain },
      { form: path.replaceAll('\\', '\\\\'), inForm: plain },
    ]
  })
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
