import type { Origin } from './origin.ts'

/**
 * Something that is wrong or will surprise, found while reading, listing or checking. A finding never stops
 * the rest: what it names is isolated, and everything else goes on.
 */
export interface Finding {
  /** Stable, kebab-case, listed in `src/errors.ts`. */
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
  /** What it is about: a tool, server, skill, rule or key. Printable, bounded. */
  readonly subject?: string
  /** One printable line: what is wrong. */
  readonly message: string
  /** One printable line: what to do. */
  readonly hint?: string
  readonly origin?: Origin
}
