// Names of what is there for a while only: listings and searches leave it out. Each can be read by its path.

import { randomBytes } from 'node:crypto'

/** The folder in a workspace for temporary files of servers. */
export const temporaryFolder = '.tmp'

/** The name of a file that is being written, until it takes the place of another. */
export const temporaryName = (): string => `.toolgate-${randomBytes(8).toString('hex')}.tmp`

export const isTemporaryName = (name: string): boolean =>
  name === temporaryFolder || /^\.toolgate-[0-9a-f]{16}\.tmp$/.test(name)
