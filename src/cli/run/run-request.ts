// What `toolgate run` is asked to do, from its words and flags.

import { randomBytes } from 'node:crypto'
import { printable } from '../../core/printable.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import { type Flags, usage } from '../flags.ts'
import { ownText, threadOwner } from '../thread-owner.ts'
import type { Approval } from './run-person.ts'

export interface RunRequest {
  readonly owner: ThreadOwner
  /** What the person says. Absent: nothing. */
  readonly words?: string
  /** The answer to everything that waits for approval. Absent: none is given here. */
  readonly approve?: Approval
  /** The turn before goes on, before anything is said. */
  readonly resumes: boolean
}

/** Throws a ToolgateError `usage`. */
export async function runRequest(flags: Flags, positional: string | undefined): Promise<RunRequest> {
  const thread = ownText(flags, 'thread')
  const approve = approvalOf(ownText(flags, 'approve'))
  const resumes = flags.own.resume === true || approve !== undefined
  if (thread === undefined && resumes)
    throw usage(`${approve === undefined ? '--resume' : '--approve'} needs --thread`, '--thread', 'add --thread ID')
  if (flags.own.resume === true && positional !== undefined)
    throw usage('--resume goes on without words', '--resume', 'leave out the words, or --resume')
  if (flags.own.yes === true && flags.policy.unattended === true)
    throw usage('--yes has no effect with --unattended: what would ask is refused', '--yes', 'keep one of them')
  // Letters and digits that nobody mistakes for a name; a thread of the same name is as good as impossible.
  const owner = threadOwner(flags, thread ?? `t-${randomBytes(4).toString('hex')}`)
  const words = positional === undefined ? undefined : await wordsOf(positional)
  return { owner, resumes, ...(words === undefined ? {} : { words }), ...(approve === undefined ? {} : { approve }) }
}

function approvalOf(text: string | undefined): Approval | undefined {
  if (text === undefined || text === 'once' || text === 'always' || text === 'deny') return text
  throw usage(`--approve takes once, always or deny, not "${printable(text, 40)}"`, '--approve')
}

async function wordsOf(positional: string): Promise<string> {
  const words = positional === '-' ? await standardInput() : positional
  if (words.trim() === '') throw usage('the words are empty', 'PROMPT', 'say what the agent shall do')
  return words
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8').trimEnd()
}
