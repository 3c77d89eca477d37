// What counts as a tool when a module exports it: our own form, and the two forms that the tools of other
// frameworks have (an object with name, description, a schema and something to call). Everything is read once, by
// value: what the gates judge is a copy that the module cannot change afterwards.

import { type EffectClass, effectClasses, type Need, type ToolForm, type ToolRole } from '../core/candidate.ts'
import type { JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Tool } from '../tools/tool.ts'
import { isObject, plainCopy } from './bounded-json.ts'
import { judgedSchema } from './schema/schema-faults.ts'

/** A tool as it was found; `effects` is absent where the module says nothing of them. */
export interface FoundTool extends Omit<Tool, 'effects'> {
  readonly effects?: readonly EffectClass[]
}

/** Values in a schema, as in one of a server. */
const nodesMax = 20_000
const forms: readonly ToolForm[] = ['executes', 'updates-state', 'interrupts', 'delegates']
const roles: readonly ToolRole[] = ['shell', 'file-read', 'file-edit', 'subagent', 'tool-search', 'ask-person']
const needs: readonly Need[] = ['shell', 'host-shell', 'vision', 'native-search', 'person']

/** The tool, or what is wrong with it in one printable line. Never throws: getters of foreign objects may. */
export function asTool(value: unknown): FoundTool | string {
  try {
    return read(value)
  } catch (error) {
    return `reading it failed: ${printable(error instanceof Error ? error.message : String(error), 120)}`
  }
}

function read(value: unknown): FoundTool | string {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return `it is ${kindOf(value)}`
  if (Array.isArray(value)) return 'it is a list'
  const from = value as { readonly [key: string]: unknown }
  const { name, title, description } = from
  if (typeof name !== 'string')
    return typeof value === 'function' ? 'it is a function' : `its name is ${kindOf(name)}, not text`
  if (typeof description !== 'string') {
    return typeof value === 'function' ? 'it is a function' : `its description is ${kindOf(description)}, not text`
  }
  const schema = schemaOf(from.inputSchema ?? from.parameters ?? from.schema)
  if (typeof schema === 'string') return schema
  const execute = callable(from)
  if (execute === undefined && from.form === undefined)
    return 'it has nothing to call: no execute, invoke, func or call'
  const annotations = plainCopy(from.annotations, nodesMax)
  const output = plainCopy(from.outputSchema, nodesMax)
  const soundOutput = isObject(output) && judgedSchema(output, { name: 'outputSchema' }).fault === undefined
  const declared = declarations(from)
  if (typeof declared === 'string') return declared
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description,
    inputSchema: schema,
    ...(soundOutput ? { outputSchema: output } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
    ...declared,
    ...(execute === undefined ? {} : { execute }),
  }
}

type Declarations = Pick<FoundTool, 'form' | 'role' | 'needs' | 'effects' | 'group'>

/** What the tool says of itself for gates. A word that is not known is refused, for it may have been meant to restrict. */
function declarations(from: { readonly [key: string]: unknown }): Declarations | string {
  const form = from.form ?? 'executes'
  if (!isOneOf(forms, form)) return `its form is ${shown(form)}, not one of ${forms.join(', ')}`
  const { role, group } = from
  if (role !== undefined && !isOneOf(roles, role)) return `its role is ${shown(role)}, not one of ${roles.join(', ')}`
  const need = listOf(needs, from.needs ?? [], 'needs')
  if (typeof need === 'string') return need
  const effects = from.effects === undefined ? undefined : listOf(effectClasses, from.effects, 'effects')
  if (typeof effects === 'string') return effects
  return {
    form,
    ...(role === undefined ? {} : { role }),
    needs: need,
    ...(effects === undefined ? {} : { effects }),
    ...(typeof group === 'string' ? { group } : {}),
  }
}

function listOf<T extends string>(known: readonly T[], value: unknown, key: string): readonly T[] | string {
  if (!Array.isArray(value)) return `its ${key} are ${kindOf(value)}, not a list`
  const list: T[] = []
  for (const item of value.slice(0, 20)) {
    if (!isOneOf(known, item)) return `its ${key} hold ${shown(item)}, not one of ${known.join(', ')}`
    list.push(item)
  }
  return list
}

const isOneOf = <T extends string>(known: readonly T[], value: unknown): value is T => known.includes(value as T)

/** A JSON Schema with an object at its root, from one written as JSON or from a schema library that can write it. */
function schemaOf(schema: unknown): JsonObject | string {
  if (schema === undefined || schema === null) return 'it has no inputSchema, parameters or schema'
  const written = jsonSchemaOf(schema)
  const plain = plainCopy(written, nodesMax)
  if (plain === undefined) return 'its schema cannot be written as JSON, or is too big or too deep'
  if (!isObject(plain)) return `its schema is ${kindOf(plain)}, not an object`
  if (plain.type !== 'object') return 'its schema does not say type "object"'
  const { fault } = judgedSchema(plain, { name: 'schema' })
  return fault === undefined ? plain : `its schema cannot be used (${fault.word}: ${fault.detail})`
}

/**
 * Zod 4 and other libraries write JSON Schema themselves: as a method, or by the Standard JSON Schema interface.
 * `input` is what a caller sends, before defaults are filled in.
 */
function jsonSchemaOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const from = schema as { readonly [key: string]: unknown }
  if (typeof from.toJSONSchema === 'function') return from.toJSONSchema({ io: 'input' })
  const standard = from['~standard'] as { readonly jsonSchema?: { readonly input?: unknown } } | undefined
  const input = standard?.jsonSchema?.input
  return typeof input === 'function' ? input.call(standard?.jsonSchema, { target: 'draft-2020-12' }) : schema
}

function callable(from: { readonly [key: string]: unknown }): Tool['execute'] | undefined {
  for (const key of ['execute', 'invoke', 'func', 'call']) {
    const method = from[key]
    if (typeof method === 'function' && !(key === 'call' && from instanceof Function)) {
      return (args, context) => method.call(from, args, context)
    }
  }
  return undefined
}

const shown = (value: unknown): string => (typeof value === 'string' ? `"${printable(value, 40)}"` : kindOf(value))

function kindOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (typeof value === 'string') return `the text "${printable(value, 40)}"`
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
