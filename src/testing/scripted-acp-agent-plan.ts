// What a scripted ACP agent does, as data: the plan is JSON, so that it can be handed to a process. INVARIANT: types
// only; the program reads a plan without checking it, for a plan may ask for what is wrong.

/** One step of a turn. The word `{cwd}` in texts of a step becomes the folder of the session. */
export type AcpStep =
  /** A piece of the answer. */
  | { readonly text: string }
  /** A whole `update` of `session/update`, sent as it stands. */
  | { readonly update: unknown }
  /** A request for permission. Absent `options`: allow and reject, each once and always. */
  | {
      readonly ask: { readonly title?: string; readonly kind?: string; readonly id?: string }
      readonly options?: unknown
    }
  | { readonly read: { readonly path: string; readonly line?: number; readonly limit?: number } }
  | { readonly write: { readonly path: string; readonly content: string } }
  /** Any request of ours, such as `terminal/create`. */
  | { readonly request: { readonly method: string; readonly params: object } }
  /** So many reads of a file at once. */
  | { readonly readAtOnce: { readonly path: string; readonly times: number } }
  /** Lines on standard output as they stand. */
  | { readonly print: readonly string[] }
  /** A line of so many bytes that begins as a message does, or as none. */
  | { readonly longLine: number; readonly noise?: true }
  /** A text of the answer with the variables and the folder of the process, as JSON. */
  | { readonly tell: true }
  /** Waits for the cancel; for ever where cancels are not heeded. */
  | { readonly hang: true }
  /** Ends the process. */
  | { readonly die: number; readonly stderr?: string }
  /** Goes on with the next step and does not wait for this one; its outcome is recorded when it comes. */
  | { readonly beside: AcpStep }

export interface AcpAgentPlan {
  /** File to which the process, and a child of it, write their ids. */
  readonly marker?: string
  /** File to which a line of JSON is added for each thing that comes in: an AcpRecord. */
  readonly record?: string
  /** Lines on standard output and on standard error before the first message. */
  readonly stdout?: readonly string[]
  readonly stderr?: readonly string[]
  /** Ends the process instead of answering. */
  readonly exit?: { readonly at: 'start' | 'initialize' | 'session/new'; readonly code: number }
  /** Never answers this. */
  readonly silent?: 'initialize' | 'session/new'
  /** Answers the handshake with this version. Absent: the one that was asked for. */
  readonly protocolVersion?: unknown
  readonly authMethods?: readonly unknown[]
  /** Where a login is wanted. */
  readonly authRequired?: 'session/new' | 'session/prompt'
  /** Refuses the handshake with this error. */
  readonly refuse?: { readonly code: number; readonly message: string; readonly data?: unknown }
  /** Does not heed a cancel. */
  readonly deaf?: true
  /** Goes on when its input ends and when it is told to end. */
  readonly stubborn?: true
  /** Starts a child that sleeps. */
  readonly child?: true
  readonly steps?: readonly AcpStep[]
  /** Absent: `end_turn`, or `cancelled` after a cancel. */
  readonly stopReason?: string
}

/** A line of the file that `AcpAgentPlan.record` names: what came in, or what a step brought. */
export interface AcpRecord {
  readonly method?: string
  readonly params?: unknown
  /** The kind of the step. */
  readonly step?: string
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly message?: string }
}
