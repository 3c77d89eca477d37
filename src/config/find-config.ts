// Where a configuration is looked for when nobody names one.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The one name that is looked for. */
const configFileName = 'toolgate.yaml'

/**
 * The configuration of a folder, or nothing. Parent folders are not searched: what a file further up allows, or
 * starts, was not meant for this one, and on a shared machine it may be somebody else's.
 */
export async function findConfig(folder: string): Promise<string | undefined> {
  const path = join(folder, configFileName)
  const info = await stat(path).catch(() => undefined)
  return info?.isFile() === true ? path : undefined
}
