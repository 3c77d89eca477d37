// What a reference in a schema leads to. INVARIANT: only inside the schema's own text; nothing is ever fetched or read.

import type { Json, JsonObject } from '../../core/json.ts'

/** A part of the text that is an address of its own: the whole of it, and whatever bears an `$id`. */
export interface Resource {
  readonly uri: string
  readonly root: JsonObject
  readonly anchors: Map<string, JsonObject>
}

export interface Addresses {
  readonly document: Resource
  readonly byUri: Map<string, Resource>
}

/** The address of a text that bears none. Nothing is ever asked there. */
const nowhere = 'http://schema.invalid/'

/** What can be referred to in a text, so far only the text itself. */
export function addressesOf(root: JsonObject): Addresses {
  const document = { uri: uriOf(root.$id, nowhere) ?? nowhere, root, anchors: new Map() }
  return { document, byUri: new Map([[document.uri, document]]) }
}

/** Takes the addresses down that a schema gives itself, and answers with the resource that holds what is in it. */
export function addressed(schema: JsonObject, inside: Resource, { byUri }: Addresses): Resource {
  const { $id, $anchor, $dynamicAnchor } = schema
  let resource = inside
  if (typeof $id === 'string' && $id.startsWith('#')) name(resource, $id.slice(1), schema)
  else if (typeof $id === 'string' && schema !== inside.root) {
    const uri = uriOf($id, inside.uri)
    if (uri !== undefined && !byUri.has(uri)) {
      resource = { uri, root: schema, anchors: new Map() }
      byUri.set(uri, resource)
    }
  }
  for (const anchor of [$anchor, $dynamicAnchor]) if (typeof anchor === 'string') name(resource, anchor, schema)
  return resource
}

function name({ anchors }: Resource, anchor: string, schema: JsonObject): void {
  if (!anchors.has(anchor)) anchors.set(anchor, schema)
}

/**
 * The value that a reference leads to; `outside` when it leaves the text, undefined when there is nothing at the place.
 * A place that a resource does not have is looked for in the whole text as well: schemas that are pasted into others
 * keep their `$id`, and what refers to the whole then means the whole.
 */
export function referred(reference: string, from: Resource, addresses: Addresses): Json | 'outside' | undefined {
  const hash = reference.indexOf('#')
  const base = hash < 0 ? reference : reference.slice(0, hash)
  const fragment = hash < 0 ? '' : reference.slice(hash + 1)
  if (base === '') return placeIn(from, fragment) ?? placeIn(addresses.document, fragment)
  const uri = uriOf(base, from.uri)
  const resource = uri === undefined ? undefined : addresses.byUri.get(uri)
  return resource === undefined ? 'outside' : placeIn(resource, fragment)
}

/** Longest pointer that can lead anywhere: the text is nested no deeper. */
const stepsMax = 128

function placeIn({ root, anchors }: Resource, fragment: string): Json | undefined {
  if (fragment === '' || fragment === '/') return root
  if (!fragment.startsWith('/')) return anchors.get(decoded(fragment))
  const steps = fragment.slice(1).split('/', stepsMax + 1)
  if (steps.length > stepsMax) return undefined
  let here: Json | undefined = root
  for (const step of steps) {
    // RFC 6901: `~1` is a slash, `~0` a tilde; inside of a URI percent signs count as well.
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return undefined
    here = (here as JsonObject)[key]
  }
  return here
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Absolute, without a fragment; undefined for what is no address. */
function uriOf(reference: Json | undefined, base: string): string | undefined {
  if (typeof reference !== 'string' || reference === '' || !URL.canParse(reference, base)) return undefined
  const url = new URL(reference, base)
  url.hash = ''
  return url.href
}
