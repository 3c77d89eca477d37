// One call, as a line beside the decisions: that it was made and what became of it, without what was said. A name that
// is not in the list and a tool that refuses a call are two kinds: the code of the first is a gate's, as `why` gives it.

export const callKinds = ['result', 'error', 'not-listed', 'refused', 'failed'] as const
/**
 * result: the tool ran. error: it ran, and says that it failed. not-listed: the surface has no such tool. refused: the
 * surface has it, and this call was refused. failed: the call was made, or tried, and gave no result.
 */
export type CallKind = (typeof callKinds)[number]

export interface CallRecord {
  readonly type: 'call'
  /** Of the writer, from 1 on. A number that is missing is a record that could not be kept. */
  readonly seq: number
  /** The program that wrote it; one file may have several. */
  readonly writer: string
  /** When the call began, ISO 8601. */
  readonly at: string
  readonly user: string
  readonly thread: string
  readonly agent: string
  /** What was called, printable. */
  readonly name: string
  /** Identity of the tool, also of one that a gate took away. Absent: there is none of that name. */
  readonly id?: string
  /** Hash of the surface that the call was judged by. */
  readonly surface: string
  readonly kind: CallKind
  /** Why there is no result. Absent: there is one. */
  readonly code?: string
  /** Whole milliseconds from the call to its outcome, waiting for a person included. */
  readonly ms: number
  /** How a person stands to it. Absent: nobody had to be asked. */
  readonly approval?: 'given' | 'remembered' | 'denied' | 'pending' | 'nobody'
  readonly args: RecordedArgs
}

export interface RecordedArgs {
  /** SHA-256 of the arguments in canonical form. Absent: they are no JSON object of bounded size. */
  readonly sha256?: string
  /** Names of the arguments, printable, in their order; the first ones of many. Values are never kept. */
  readonly keys: readonly string[]
}

/** The line of a call. */
export const callLine = (record: Omit<CallRecord, 'type'>): string =>
  JSON.stringify({ type: 'call', ...record } satisfies CallRecord)
