// The arguments against the schema of the tool's owner, not the one that was adapted for the target. Validators are
// made at the first call of a tool and kept as long as its definition is.

import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import type { JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { isTooCostly } from '../../sources/schema/schema-effort.ts'
import { enforceableSchema } from '../../sources/schema/schema-patterns.ts'
import type { Middleware } from '../middleware.ts'
import { refused } from '../refusal.ts'
import { withoutDefaulted } from '../without-defaulted.ts'

interface Checker {
  /** As it is carried out. */
  readonly schema: JsonObject
  readonly validator: Validator
}

const checkers = new WeakMap<JsonObject, Checker>()

export const argumentsFit: Middleware = {
  id: 'arguments',
  wrap: (next) => async (call) => {
    const { inputSchema } = call.decision.candidate.definition
    const { schema, validator } = checkerOf(inputSchema)
    // What would take too long to check is the owner's to check.
    if (isTooCostly(schema, call.args)) return next(call)
    const { valid, errors } = validator.validate(call.args)
    if (valid) return next(call)
    return refused('arguments-invalid', `"${call.decision.name}": ${faultOf(errors)}`, {
      action: 'mend the argument and call again',
    })
  },
}

function checkerOf(inputSchema: JsonObject): Checker {
  const known = checkers.get(inputSchema)
  if (known !== undefined) return known
  const schema = enforceableSchema(withoutDefaulted(inputSchema))
  const made = { schema, validator: new Validator(schema as Schema, draftOf(inputSchema), false) }
  checkers.set(inputSchema, made)
  return made
}

function draftOf({ $schema }: JsonObject): '4' | '7' | '2019-09' | '2020-12' {
  const dialect = typeof $schema === 'string' ? $schema : ''
  if (dialect.includes('draft-04')) return '4'
  if (dialect.includes('draft-07') || dialect.includes('draft-06')) return '7'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}

/** The innermost fault: the outer ones only say that something below is wrong. */
function faultOf(errors: readonly OutputUnit[]): string {
  const inner = errors.findLast(({ keyword }) => !wrappers.has(keyword)) ?? errors.at(-1)
  if (inner === undefined) return 'the arguments do not fit'
  const path = inner.instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.')
  return `${path === '' ? 'the arguments' : `argument "${printable(path, 120)}"`}: ${printable(inner.error, 240)}`
}

const wrappers: ReadonlySet<string> = new Set([
  'properties',
  'items',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'additionalProperties',
])
