// Keeping what a model does not get, and the words about where it is. What cannot be kept is told, and the call goes
// on: its tool has done its work.

import { createHash } from 'node:crypto'
import { printable } from '../../core/printable.ts'
import { ToolgateError } from '../../errors.ts'
import { type KeepOptions, keepResult } from '../../workspace/files/keep-result.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type Keep = (bytes: Buffer, ending: string) => Promise<Keeping>

/** `words` end a sentence that begins with what is kept. */
export type Keeping =
  | { readonly path: string; readonly words: string }
  | { readonly path?: undefined; readonly words: string }

/** Keeps things of one tool in the folders of a thread. Absent workspace: nothing can be kept. Never rejects. */
export function keeper(workspace: Workspace | undefined, label: string, options: KeepOptions = {}): Keep {
  return async (bytes, ending) => {
    if (workspace === undefined) return { words: 'could not be kept, because this call has no folder of a thread' }
    try {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const { path, removed } = await keepResult(workspace, { label, hash, ending, bytes }, options)
      const gone = removed === 0 ? '' : ` (${removed} older ${removed === 1 ? 'one was' : 'ones were'} removed for it)`
      return { path, words: `kept as ${path}${gone}` }
    } catch (error) {
      const reason = error instanceof ToolgateError ? error.finding.message : 'the system refused it'
      return { words: `could not be kept: ${printable(reason, 240)}` }
    }
  }
}
