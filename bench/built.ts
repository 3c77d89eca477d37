// The package as it is shipped.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const dist = resolve(import.meta.dirname, '../dist')

/** Path of a built file; ends the process with what to do when it is not there. */
export function builtFile(name: string): string {
  const path = resolve(dist, name)
  if (existsSync(path)) return path
  console.error('nothing is built: run `npm run build` first')
  process.exit(2)
}

/** What the package exports, built. */
export const built = async (): Promise<typeof import('../src/index.ts')> =>
  import(pathToFileURL(builtFile('index.mjs')).href)

/** What its entry for programs that call exports, built. */
export const builtRuntime = async (): Promise<typeof import('../src/runtime/index.ts')> =>
  import(pathToFileURL(builtFile('runtime/index.mjs')).href)
