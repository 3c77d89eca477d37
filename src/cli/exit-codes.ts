/** What the program's exit code says. Documented in docs/cli.md; stable. */
export const exitCodes = {
  /** Done as asked. */
  ok: 0,
  /** Ran, and the answer is no: not on the surface, check failed, drift. */
  no: 1,
  /** The command line cannot be read, or a policy flag changes nothing. */
  usage: 2,
  /** The configuration cannot be used. */
  config: 3,
  /** A required server is missing. */
  required: 4,
  /** The name is not known at all. */
  unknown: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
