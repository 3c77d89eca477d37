// A candidate that comes back from a file: every field is checked, unknown ones are dropped, and what can be
// computed again is.

import {
  type Availability,
  type Candidate,
  type DefinitionFault,
  effectClasses,
  type Need,
  type Protocol,
  sourceKinds,
  type ToolForm,
  type ToolRole,
  unavailableStates,
} from '../core/candidate.ts'
import { definitionCharsOf } from '../core/definition-chars.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { isObject } from './bounded-json.ts'
import { shaped } from './candidate-of.ts'
import { FieldFault, listIn, maybe, numberIn, objectIn, originIn, textIn, textsIn, wordIn } from './checked-fields.ts'

const protocols: readonly Protocol[] = ['module', 'native', 'mcp', 'acp']
const forms: readonly ToolForm[] = ['executes', 'updates-state', 'interrupts', 'delegates']
const roles: readonly ToolRole[] = ['shell', 'file-read', 'file-edit', 'subagent', 'tool-search', 'ask-person']
const needs: readonly Need[] = ['shell', 'host-shell', 'vision', 'native-search', 'person']
const effectSources = ['declared', 'claimed', 'assumed'] as const
const faultCodes = ['invalid-name', 'invalid-schema', 'definition-too-big'] as const

/** The candidate, frozen, or what is wrong with its first faulty field. The entry has been bounded in size and depth. */
export function readCandidate(entry: Json): Candidate | string {
  if (!isObject(entry)) return 'it is no object'
  try {
    return shaped(candidateFrom(entry))
  } catch (error) {
    if (error instanceof FieldFault) return error.message
    throw error
  }
}

function candidateFrom(entry: JsonObject): Candidate {
  const name = textIn(entry, 'name')
  const definition = definitionFrom(entry.definition)
  const definitionHash = textIn(entry, 'definitionHash')
  if (!/^[0-9a-f]{64}$/.test(definitionHash)) throw new FieldFault('its definitionHash is not 64 hex digits')
  return {
    id: textIn(entry, 'id'),
    source: wordIn(sourceKinds, entry.source, 'source'),
    protocol: wordIn(protocols, entry.protocol, 'protocol'),
    ...maybe('server', entry, textIn),
    originalName: textIn(entry, 'originalName'),
    name,
    ...maybe('declaredName', entry, textIn),
    ...(entry.standIn === true ? { standIn: true } : {}),
    form: wordIn(forms, entry.form, 'form'),
    ...maybe('group', entry, textIn),
    ...maybe('role', entry, (from, key) => wordIn(roles, from[key], key)),
    needs: listIn(entry.needs, 'needs').map((item) => wordIn(needs, item, 'needs')),
    effects: listIn(entry.effects, 'effects').map((item) => wordIn(effectClasses, item, 'effects')),
    effectsBy: wordIn(effectSources, entry.effectsBy, 'effectsBy'),
    availability: availabilityFrom(entry.availability),
    ...maybe('faults', entry, (from, key) => listIn(from[key], key).map(faultFrom)),
    definition,
    definitionHash,
    definitionChars: definitionCharsOf(name, definition),
    ...maybe('routing', entry, (from, key) => routingFrom(from[key])),
    ...maybe('marks', entry, (from, key) => textsIn(from[key], key)),
    origin: originIn(entry.origin, 'origin'),
    ...maybe('meta', entry, (from, key) => objectIn(from[key], key) as NonNullable<Candidate['meta']>),
  }
}

const objectField = (from: JsonObject, key: string): JsonObject => objectIn(from[key], key)

function definitionFrom(value: Json | undefined): Candidate['definition'] {
  const from = objectIn(value, 'definition')
  return {
    ...maybe('title', from, textIn),
    description: textIn(from, 'description'),
    inputSchema: objectField(from, 'inputSchema'),
    ...maybe('outputSchema', from, objectField),
    ...maybe('annotations', from, objectField),
  }
}

function availabilityFrom(value: Json | undefined): Availability {
  const from = objectIn(value, 'availability')
  if (from.state === 'available' || from.state === 'not-started') return { state: from.state }
  return {
    state: wordIn(unavailableStates, from.state, 'availability'),
    detail: printable(textIn(from, 'detail'), 400),
    ...maybe('origin', from, (inner, key) => originIn(inner[key], `availability.${key}`)),
    ...maybe('lastListedAt', from, textIn),
  }
}

function faultFrom(value: Json): DefinitionFault {
  const from = objectIn(value, 'faults')
  return { code: wordIn(faultCodes, from.code, 'faults'), detail: printable(textIn(from, 'detail'), 400) }
}

function routingFrom(value: Json | undefined): NonNullable<Candidate['routing']> {
  const from = objectIn(value, 'routing')
  return {
    keywords: textsIn(from.keywords, 'routing.keywords'),
    priority: numberIn(from, 'priority'),
    ...(from.autoPromote === false ? { autoPromote: false } : {}),
  }
}
