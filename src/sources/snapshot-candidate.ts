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
import { deepFreeze, type Json, type JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { isObject } from './bounded-json.ts'

const protocols: readonly Protocol[] = ['module', 'native', 'mcp', 'acp']
const forms: readonly ToolForm[] = ['executes', 'updates-state', 'interrupts', 'delegates']
const roles: readonly ToolRole[] = ['shell', 'file-read', 'file-edit', 'subagent', 'tool-search', 'ask-person']
const needs: readonly Need[] = ['host-shell', 'vision', 'native-search', 'person']
const effectSources = ['declared', 'claimed', 'assumed'] as const
const faultCodes = ['invalid-name', 'invalid-schema', 'definition-too-big'] as const

/** Thrown inside this file only: what is wrong with a field, in words. */
class Fault extends Error {}

/** The candidate, frozen, or what is wrong with the first field that is. The entry has been bounded in size and depth. */
export function readCandidate(entry: Json): Candidate | string {
  if (!isObject(entry)) return 'it is no object'
  try {
    return deepFreeze(candidateFrom(entry))
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

function candidateFrom(entry: JsonObject): Candidate {
  const name = text(entry, 'name')
  const definition = definitionFrom(entry.definition)
  const hash = text(entry, 'definitionHash')
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Fault('its definitionHash is not 64 hex digits')
  return {
    id: text(entry, 'id'),
    source: oneOf(sourceKinds, entry.source, 'source'),
    protocol: oneOf(protocols, entry.protocol, 'protocol'),
    ...optional('server', maybeText(entry, 'server')),
    originalName: text(entry, 'originalName'),
    name,
    ...optional('declaredName', maybeText(entry, 'declaredName')),
    ...(entry.standIn === true ? { standIn: true } : {}),
    form: oneOf(forms, entry.form, 'form'),
    ...optional('group', maybeText(entry, 'group')),
    ...optional('role', entry.role === undefined ? undefined : oneOf(roles, entry.role, 'role')),
    needs: listOf(entry.needs, 'needs').map((item) => oneOf(needs, item, 'needs')),
    effects: listOf(entry.effects, 'effects').map((item) => oneOf(effectClasses, item, 'effects')),
    effectsBy: oneOf(effectSources, entry.effectsBy, 'effectsBy'),
    availability: availabilityFrom(entry.availability),
    ...optional('faults', entry.faults === undefined ? undefined : listOf(entry.faults, 'faults').map(faultFrom)),
    definition,
    definitionHash: hash,
    definitionChars: definitionCharsOf(name, definition),
    ...optional('routing', entry.routing === undefined ? undefined : routingFrom(entry.routing)),
    ...optional('marks', entry.marks === undefined ? undefined : texts(entry.marks, 'marks')),
    origin: originFrom(entry.origin, 'origin'),
    ...optional('meta', isObject(entry.meta) ? (entry.meta as Candidate['meta']) : undefined),
  }
}

function definitionFrom(value: Json | undefined): Candidate['definition'] {
  const from = object(value, 'definition')
  return {
    ...optional('title', maybeText(from, 'title')),
    description: text(from, 'description'),
    inputSchema: object(from.inputSchema, 'inputSchema'),
    ...optional('outputSchema', from.outputSchema === undefined ? undefined : object(from.outputSchema, 'outputSchema')),
    ...optional('annotations', from.annotations === undefined ? undefined : object(from.annotations, 'annotations')),
  }
}

function availabilityFrom(value: Json | undefined): Availability {
  const from = object(value, 'availability')
  if (from.state === 'available' || from.state === 'not-started') return { state: from.state }
  return {
    state: oneOf(unavailableStates, from.state, 'availability'),
    detail: printable(text(from, 'detail'), 400),
    ...optional('origin', from.origin === undefined ? undefined : originFrom(from.origin, 'availability.origin')),
    ...optional('lastListedAt', maybeText(from, 'lastListedAt')),
  }
}

function faultFrom(value: Json): DefinitionFault {
  const from = object(value, 'faults')
  return { code: oneOf(faultCodes, from.code, 'faults'), detail: printable(text(from, 'detail'), 400) }
}

function routingFrom(value: Json): NonNullable<Candidate['routing']> {
  const from = object(value, 'routing')
  if (typeof from.priority !== 'number') throw new Fault('its routing.priority is no number')
  return { keywords: texts(from.keywords, 'routing.keywords'), priority: from.priority }
}

function originFrom(value: Json | undefined, key: string): Origin {
  const from = object(value, key)
  return {
    in: text(from, 'in'),
    ...optional('key', maybeText(from, 'key')),
    ...optional('line', typeof from.line === 'number' ? from.line : undefined),
    ...optional('column', typeof from.column === 'number' ? from.column : undefined),
  }
}

function object(value: Json | undefined, key: string): JsonObject {
  if (!isObject(value)) throw new Fault(`its ${key} is no object`)
  return value
}

function text(from: JsonObject, key: string): string {
  const value = from[key]
  if (typeof value !== 'string') throw new Fault(`its ${key} is no text`)
  return value
}

const maybeText = (from: JsonObject, key: string): string | undefined => (from[key] === undefined ? undefined : text(from, key))

function listOf(value: Json | undefined, key: string): readonly Json[] {
  if (!Array.isArray(value)) throw new Fault(`its ${key} are no list`)
  return value
}

const texts = (value: Json | undefined, key: string): readonly string[] =>
  listOf(value, key).map((item) => {
    if (typeof item !== 'string') throw new Fault(`its ${key} hold something that is no text`)
    return item
  })

function oneOf<T extends string>(known: readonly T[], value: Json | undefined, key: string): T {
  const found = known.find((item) => item === value)
  if (found === undefined) throw new Fault(`its ${key} is not one of ${known.join(', ')}`)
  return found
}

/** A key that is left out when there is nothing to say. */
const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
