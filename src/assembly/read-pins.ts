// Approved definitions, as `toolgate lock --pins` stores them. Without the file nothing is approved: pins that are
// on and empty withhold every tool, and the finding says what to do.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '../core/finding.ts'
import type { Pin } from '../core/run-facts.ts'
import { finding } from '../errors.ts'

export const pinsFile = 'pins.json'
export const pinsSchema = 'toolgate.pins/1'

/** Never throws: what cannot be read approves nothing. */
export async function readPins(
  stateFolder: string,
): Promise<{ readonly pins: readonly Pin[]; readonly findings: readonly Finding[] }> {
  const file = join(stateFolder, pinsFile)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return none('there is no file of approved definitions yet, so no tool is approved')
  }
  try {
    const stored = JSON.parse(text) as { schema?: unknown; pins?: unknown }
    if (stored.schema !== pinsSchema || !Array.isArray(stored.pins))
      return none('the file of approved definitions has another form')
    return { pins: stored.pins.filter(isPin), findings: [] }
  } catch {
    return none('the file of approved definitions is not JSON')
  }
}

function none(message: string): { readonly pins: readonly Pin[]; readonly findings: readonly Finding[] } {
  return {
    pins: [],
    findings: [
      finding('pins-missing', 'error', message, { hint: 'review the definitions, then run `toolgate lock --pins`' }),
    ],
  }
}

function isPin(value: unknown): value is Pin {
  if (value === null || typeof value !== 'object') return false
  const pin = value as { id?: unknown; definitionHash?: unknown; approvedAt?: unknown }
  return typeof pin.id === 'string' && typeof pin.definitionHash === 'string' && typeof pin.approvedAt === 'string'
}
