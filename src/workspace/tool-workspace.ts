import { finding, ToolgateError } from '../errors.ts'
import type { Workspace } from './workspace.ts'

/** The workspace of whoever calls a file tool. Throws a ToolgateError `tool-not-executable` where there is none. */
export function workspaceOf({ workspace }: { readonly workspace?: Workspace }): Workspace {
  if (workspace !== undefined) return workspace
  throw new ToolgateError(
    finding('tool-not-executable', 'error', 'there are no files here: the caller has no thread with a workspace', {
      hint: 'call it where an agent runs, or hand in the workspace of a thread',
    }),
  )
}
