import { createRequire } from 'node:module'

/** The version of the installed package. */
export const version: string = (createRequire(import.meta.url)('toolgate/package.json') as { version: string }).version
