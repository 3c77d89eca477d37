// What building a configuration needs from the world, handed in so that it can be tested without one.

import type { Environment } from './expand.ts'

export interface Intake {
  readonly environment: Environment
  /** Asked only about commands that look like a shell line and may be a path with blanks. */
  readonly isFile: (path: string) => boolean
  /** Folder of a file, absolute, by the name that places give it: relative paths in it start there. */
  readonly folderOf: (file: string) => string
  /** Told of each value that must never be shown. */
  readonly secret: (value: string) => void
}
