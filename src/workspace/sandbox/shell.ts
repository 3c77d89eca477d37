// What a tool that runs commands is given: one way to run one command, and what came of it. Who stands behind it (a
// namespace, or this machine itself) is chosen by the sandbox facts of the run, never by an argument of a call.

import type { KeptOutput } from './kept-output.ts'

/** Bounds of one command and of all that it starts. Their defaults and reasons are with the configuration. */
export interface ShellLimits {
  /** Memory of one process, and of all of them together, in bytes. */
  readonly memoryBytes: number
  /** Processes and threads that run at one time. */
  readonly processes: number
  /** Bytes of output after which the command is ended; what is shown of it is much less. */
  readonly outputBytes: number
  /** Bytes of one file that it writes. */
  readonly fileBytes: number
  /** Bytes of temporary files, which lie in memory. */
  readonly tempBytes: number
  /** A command that takes room from the disk is ended when less than this is left, in bytes. */
  readonly diskReserveBytes: number
}

/** The limits that end a command from outside. Files and single processes meet theirs as errors of the system. */
export type EndingLimit = 'time' | 'memory' | 'processes' | 'output' | 'disk'

export type ShellEnd =
  /** 128 and more: ended by the signal of that number above 128, or a program said so. */
  { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'ended'; readonly limit: EndingLimit }

export interface ShellRequest {
  readonly command: string
  readonly timeoutMs: number
  /** Aborted: all of it is ended, and the promise rejects with the reason. */
  readonly signal?: AbortSignal
}

export interface ShellResult {
  /** Standard output and standard error, in the order in which they were written. */
  readonly output: KeptOutput
  readonly end: ShellEnd
}

export interface Shell {
  /** Those that hold: on this machine itself, only output does. */
  readonly limits: Pick<ShellLimits, 'outputBytes'> & Partial<ShellLimits>
  /**
   * Runs a command and resolves when nothing of it runs any more. Throws a ToolgateError `sandbox-failed` when it
   * could not be begun: nothing of it ran.
   */
  readonly run: (request: ShellRequest) => Promise<ShellResult>
}
