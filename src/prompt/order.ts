// The parts of a system prompt in their order. What changes seldom stands first, so that a provider's cache of the
// beginning keeps. A new part is one file and one line here.

import { clarification } from './parts/clarification.ts'
import { deferred } from './parts/deferred.ts'
import { delegation } from './parts/delegation.ts'
import { instructions } from './parts/instructions.ts'
import { skills } from './parts/skills.ts'
import { workspace } from './parts/workspace.ts'
import type { PromptPart } from './prompt-part.ts'

export const promptOrder: readonly PromptPart[] = [instructions, workspace, clarification, delegation, skills, deferred]
