// The one maker of candidates: whatever source they come from, they are hashed, measured and frozen alike.

import type { Candidate, Need, ToolRole } from '../core/candidate.ts'
import { definitionCharsOf } from '../core/definition-chars.ts'
import { canonicalJson, deepFreeze, type Json } from '../core/json.ts'
import { sha256 } from './sha256.ts'

export interface CandidateParts extends Omit<Candidate, 'definitionHash' | 'definitionChars'> {
  /**
   * Who owns the tool, so that an equal definition of another owner has another hash. Holds what the operator
   * wrote (command, arguments, URL, module), never a resolved path: the same configuration has the same hashes
   * on every machine.
   */
  readonly owner: Json
}

/**
 * Parts in, a frozen candidate out. `definitionHash` covers the owner, the original name and all that is said of
 * the tool (title, description, both schemas, annotations). The schemas are frozen as they are: sources hand in
 * copies of what belongs to others, at most 128 levels deep.
 */
export function candidateOf(parts: CandidateParts): Candidate {
  const { owner, ...rest } = parts
  const { title, description, inputSchema, outputSchema, annotations } = rest.definition
  const hashed = {
    owner,
    originalName: rest.originalName,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  }
  return shaped({
    ...rest,
    needs: [...rest.needs],
    effects: [...rest.effects],
    availability: { ...rest.availability },
    origin: { ...rest.origin },
    definitionHash: sha256(canonicalJson(hashed)),
    definitionChars: definitionCharsOf(rest.name, rest.definition),
  })
}

/**
 * The same candidate, frozen, with every field in one order and absent ones there as undefined. Engines give such
 * objects one layout; gates that ask ten thousand of them are twice as fast as on objects put together by spreading.
 */
export function shaped(given: Candidate): Candidate {
  return deepFreeze({
    id: given.id,
    source: given.source,
    protocol: given.protocol,
    server: given.server,
    originalName: given.originalName,
    name: given.name,
    declaredName: given.declaredName,
    standIn: given.standIn,
    form: given.form,
    group: given.group,
    role: given.role,
    needs: given.needs,
    effects: given.effects,
    effectsBy: given.effectsBy,
    availability: given.availability,
    faults: given.faults,
    definition: given.definition,
    definitionHash: given.definitionHash,
    definitionChars: given.definitionChars,
    routing: given.routing,
    marks: given.marks,
    origin: given.origin,
    meta: given.meta,
  } satisfies { readonly [key in keyof Required<Candidate>]: Candidate[key] })
}

/** The schema of a tool that takes nothing, and of one whose schema is not known. */
export const emptySchema = deepFreeze({ type: 'object', properties: {} } as const)

/** What a tool of a role needs: a shell needs a shell, whether or not its author said so. */
export const needsWith = (role: ToolRole | undefined, needs: readonly Need[]): readonly Need[] =>
  role === 'shell' && !needs.includes('shell') && !needs.includes('host-shell') ? [...needs, 'host-shell'] : needs
