/** Where a value was written, for people to go and change it. */
export interface Origin {
  /** A file as the user would name it, or `command line`, `built-in`, `server NAME`. */
  readonly in: string
  /** Path of the key in that file, such as `permissions.deny[1]`, or the flag. */
  readonly key?: string
  /** 1-based. */
  readonly line?: number
  /** 1-based. */
  readonly column?: number
}

/** `file:line key`, the short form used in tables and errors. */
export function originText(origin: Origin | undefined): string {
  if (origin === undefined) return ''
  const place = origin.line === undefined ? origin.in : `${origin.in}:${origin.line}`
  return origin.key === undefined ? place : `${place} ${origin.key}`
}
