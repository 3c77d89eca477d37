// A union that stands beside or at the root of an object, told as one object: the properties of all branches,
// required only where every branch requires them, and the choice itself in the description.

import { canonicalJson, type Json, type JsonObject } from '../../core/json.ts'
import { described, isList, isObject, objectOf, propertiesOf, shortJson, stringsOf, without } from './schema-node.ts'
import type { Place } from './schema-rule.ts'

const choicesMax = 12

export type Combinator = 'anyOf' | 'oneOf' | 'allOf' | 'not' | 'enum' | 'const'

/** The node without the combinators named; it is the same node when it has none of them. */
export function mergeUnion(node: JsonObject, combinators: readonly Combinator[], at: Place): JsonObject {
  if (!combinators.some((keyword) => node[keyword] !== undefined)) return node
  const present = combinators.filter((keyword) => node[keyword] !== undefined)
  const merge: Merge = {
    own: new Map(propertiesOf(node)),
    branches: new Map(),
    required: new Set(stringsOf(node.required)),
  }
  const sentences = present.map((keyword) => {
    at.note(keyword, 'described')
    return merged(merge, keyword, node[keyword], at)
  })
  const branches = [...merge.branches].map(([name, forms]) => [name, anyForm(forms)] as const)
  const now = {
    ...without(node, present),
    properties: objectOf([...merge.own, ...branches]),
    ...(merge.required.size > 0 ? { required: [...merge.required] } : {}),
  }
  const told = sentences.filter((sentence) => sentence !== '')
  return told.length === 0 ? now : described(now, told.join(' '))
}

interface Merge {
  readonly own: Map<string, Json>
  /** What branches say of properties that the node does not have: each distinct form once. */
  readonly branches: Map<string, Map<string, Json>>
  readonly required: Set<string>
}

/** Takes one combinator in and returns the sentence that tells it. */
function merged(merge: Merge, keyword: Combinator, value: Json | undefined, at: Place): string {
  if (keyword === 'not') return `Not: ${shortJson(value)}.`
  if (keyword === 'enum' || keyword === 'const') return `One of: ${shortJson(value)}.`
  const parts = isList(value) ? value.map((branch) => branchOf(branch, at)) : []
  for (const part of parts) addProperties(merge, part)
  const lists = parts.map((part) => new Set(stringsOf(part.required)))
  if (keyword === 'allOf') {
    for (const names of lists) for (const name of names) merge.required.add(name)
    return ''
  }
  for (const name of lists[0] ?? []) if (lists.every((names) => names.has(name))) merge.required.add(name)
  const choices = parts
    .slice(0, choicesMax)
    .map(labelOf)
    .filter((label) => label !== '')
  return choices.length === 0
    ? ''
    : `Give ${keyword === 'oneOf' ? 'exactly' : 'at least'} one of: ${choices.join('; ')}.`
}

/** What a branch is about, in few words: the names it requires, else its title, else its property names. */
function labelOf(part: JsonObject): string {
  const required = stringsOf(part.required)
  if (required.length > 0) return required.slice(0, choicesMax).join(' and ')
  if (typeof part.title === 'string') return part.title
  const names = propertiesOf(part).map(([name]) => name)
  return names.slice(0, choicesMax).join(', ')
}

function addProperties(merge: Merge, part: JsonObject): void {
  for (const [name, schema] of propertiesOf(part)) {
    if (merge.own.has(name)) continue
    const forms = merge.branches.get(name) ?? new Map<string, Json>()
    if (forms.size < choicesMax) forms.set(canonicalJson(schema), schema)
    merge.branches.set(name, forms)
  }
}

function anyForm(forms: ReadonlyMap<string, Json>): Json {
  const distinct = [...forms.values()]
  return distinct.length === 1 && distinct[0] !== undefined ? distinct[0] : { anyOf: distinct }
}

/** The branch as an object schema; a reference is followed once, what cannot be followed says nothing. */
function branchOf(branch: Json, at: Place): JsonObject {
  if (!isObject(branch)) return {}
  if (typeof branch.$ref !== 'string') return branch
  const found = at.enter(branch.$ref)
  return found.kind === 'found' ? { ...found.node, ...without(branch, ['$ref']) } : {}
}
