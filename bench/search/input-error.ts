/** What a person can put right: the message says where. Ends the benchmark with 2. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** Prints the one line of an InputError and ends with 2; anything else is thrown on. */
export function tellInputError(error: unknown): void {
  if (!(error instanceof InputError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
