// The arguments against the schema of the tool's owner, not the one that was adapted for the target. Validators are
// made at the first call of a tool and kept as long as its definition is.

import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import type { JsonObject } from '../../core/json.ts'
import { isTooCostly } from '../../sources/schema/schema-effort.ts'
import { enforceableSchema } from '../../sources/schema/schema-patterns.ts'
import { argumentFault } from '../argument-fault.ts'
import type { Middleware } from '../middleware.ts'
import { refused } from '../refusal.ts'
import { withoutDefaulted } from '../without-defaulted.ts'

interface Checker {
  /** As it is carried out. */
  readonly schema: JsonObject
  readonly validator: Validator
}

/** `undefined`: no validator could be made of the schema. */
const checkers = new WeakMap<JsonObject, Checker | undefined>()

export const argumentsFit: Middleware = {
  id: 'arguments',
  wrap: (next) => async (call) => {
    const checker = checkerOf(call.decision.candidate.definition.inputSchema)
    const errors = checker === undefined ? [] : misfits(checker, call.args)
    if (checker === undefined || errors.length === 0) return next(call)
    return refused('arguments-invalid', `"${call.decision.name}": ${argumentFault(errors, checker.schema)}`, {
      action: 'mend the argument and call again',
    })
  },
}

/** What does not fit. What would take too long to check, or cannot be checked, is the owner's to check: nothing. */
function misfits({ schema, validator }: Checker, args: JsonObject): readonly OutputUnit[] {
  try {
    if (isTooCostly(schema, args)) return []
    const { valid, errors } = validator.validate(args)
    return valid ? [] : errors
  } catch {
    return []
  }
}

function checkerOf(inputSchema: JsonObject): Checker | undefined {
  if (checkers.has(inputSchema)) return checkers.get(inputSchema)
  const made = newChecker(inputSchema)
  checkers.set(inputSchema, made)
  return made
}

function newChecker(inputSchema: JsonObject): Checker | undefined {
  try {
    const schema = enforceableSchema(withoutDefaulted(inputSchema))
    return { schema, validator: new Validator(schema as Schema, draftOf(inputSchema), false) }
  } catch {
    return undefined
  }
}

function draftOf({ $schema }: JsonObject): '4' | '7' | '2019-09' | '2020-12' {
  const dialect = typeof $schema === 'string' ? $schema : ''
  if (dialect.includes('draft-04')) return '4'
  if (dialect.includes('draft-07') || dialect.includes('draft-06')) return '7'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}
