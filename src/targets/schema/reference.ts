// Looking up `$ref` inside one schema text. Only JSON pointers into the same text are followed; nothing is fetched.

import type { Json, JsonObject } from '../../core/json.ts'
import { isObject } from './schema-node.ts'

const stepsMax = 64

/** The node a reference points at; `remote` when it leaves the text, undefined when there is nothing at the place. */
export function referenced(root: JsonObject, reference: string): JsonObject | 'remote' | undefined {
  if (!reference.startsWith('#')) return 'remote'
  if (reference === '#' || reference === '#/') return root
  if (!reference.startsWith('#/')) return undefined
  const steps = reference.slice(2).split('/', stepsMax + 1)
  if (steps.length > stepsMax) return undefined
  let here: Json | undefined = root
  for (const step of steps) {
    const key = unescaped(step)
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as { readonly [key: string]: Json | undefined })[key]
  }
  return isObject(here) ? here : undefined
}

/** RFC 6901: `~1` is a slash, `~0` a tilde; inside a URI fragment percent signs count as well. */
function unescaped(step: string): string {
  return decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
}

function decoded(step: string): string {
  if (!step.includes('%')) return step
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
