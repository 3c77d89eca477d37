import type { ToolRole } from '../core/candidate.ts'
import type { Decision } from '../core/decision.ts'
import type { Surface } from '../core/surface.ts'

/** The exposed tool of a role, or with this identity; nothing when a gate left it out. Parts ask for tools only so. */
export function exposedTool(
  surface: Surface,
  of: { readonly role: ToolRole } | { readonly id: string },
): Decision | undefined {
  return surface.decisions.find(
    ({ outcome, candidate }) =>
      outcome !== 'excluded' && ('role' in of ? candidate.role === of.role : candidate.id === of.id),
  )
}
