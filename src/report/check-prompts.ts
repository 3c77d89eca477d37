// Texts that tell the model what to do, held against the tools that it has.

import { promptFindings } from '../catalog/prompt/prompt-findings.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import type { Run } from './run.ts'

/** A text that the model of this run is given, such as the description of its agent. */
export interface CheckedPrompt {
  readonly text: string
  /** What the text is, as a sentence begins with it: `the description of agent "main"`. Printable. */
  readonly where: string
  readonly origin?: Origin
}

/** What is wrong with the tools that the texts name. */
export const promptsFindings = ({ surface }: Run, prompts: readonly CheckedPrompt[]): readonly Finding[] =>
  prompts.flatMap(({ text, where, origin }) =>
    promptFindings(text, surface, { where, ...(origin === undefined ? {} : { origin }) }),
  )
