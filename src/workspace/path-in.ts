import { ToolgateError } from '../errors.ts'
import { pathError } from './path-error.ts'
import { parseVirtualPath, type VirtualPath } from './virtual-path.ts'
import type { VirtualRoot, Workspace } from './workspace.ts'

/** The virtual path that a value means in a workspace. Throws a ToolgateError with one of the `path-` codes. */
export function pathIn({ roots }: Workspace, given: unknown): VirtualPath {
  const parsed = parseVirtualPath(given, roots)
  if ('fault' in parsed) throw new ToolgateError(parsed.fault)
  return parsed
}

/** The same for a path that is to be written: it lies in a root that may be. `path-outside`, `path-read-only`. */
export function writablePathIn(workspace: Workspace, given: unknown): VirtualPath & { readonly root: VirtualRoot } {
  const path = pathIn(workspace, given)
  const { root, canonical } = path
  if (root === undefined)
    throw pathError('path-outside', canonical, 'is no place to write to', 'write into a folder below it')
  if (!root.writable) {
    const open = workspace.roots.filter(({ writable }) => writable).map(({ virtual }) => virtual)
    throw pathError('path-read-only', canonical, 'may be read and not written', `write below ${open.sort().join(', ')}`)
  }
  return { ...path, root }
}
