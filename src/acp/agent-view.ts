// What an external agent may let the model see of the host. Its folder is /mnt/acp-workspace in both directions. The
// other files of the thread are named to nobody outside: they are shown by their virtual paths where it names them all
// the same.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { PathView } from '../workspace/mapping/path-view.ts'
import { acpRoot, folderOf } from './agent-place.ts'

/** The view for the one tool that reaches all agents. `openRoots`: what the operator named for any of them. */
export function agentView(common: Omit<PathView, 'base' | 'folder'>): PathView {
  const { workspace } = common
  const { host } = folderOf(workspace)
  return {
    ...common,
    // What may be written is what is mapped on the way in.
    workspace: { ...workspace, roots: workspace.roots.map((root) => ({ ...root, writable: false })) },
    base: {
      virtual: acpRoot,
      host,
      has: (path) => statSync(join(host, path), { throwIfNoEntry: false })?.isFile() === true,
    },
  }
}
