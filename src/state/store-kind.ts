import type { StateStore } from './state-store.ts'

export interface OpenStateOptions {
  /** Absolute; what a relative path in the address is relative to: the folder of the configuration. Absent: the working folder. */
  readonly folder?: string
  /** How long a write waits for other processes, milliseconds. Absent: 5000. */
  readonly busyMs?: number
}

/** One kind of store, for the addresses that begin with its scheme. */
export interface StoreKind {
  /** Before the colon, small letters. */
  readonly schemes: readonly string[]
  /** `rest` is what stands behind the colon. Throws a ToolgateError. */
  readonly open: (rest: string, options: Required<OpenStateOptions>) => Promise<StateStore>
}
