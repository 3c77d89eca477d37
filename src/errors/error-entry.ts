export interface ErrorEntry {
  /** What it means, in one sentence. */
  readonly means: string
  /** What to do about it, in one sentence. */
  readonly remedy: string
}

export const entry = (means: string, remedy: string): ErrorEntry => ({ means, remedy })
