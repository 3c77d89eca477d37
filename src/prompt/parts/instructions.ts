import type { PromptPart } from '../prompt-part.ts'

/** Who the agent is and what it is for: the operator's own words, first. */
export const instructions: PromptPart = {
  id: 'instructions',
  text: ({ instructions: own, today }) =>
    [own.trim(), ...(today === undefined ? [] : [`Today is ${today}.`])].filter((line) => line !== '').join('\n\n'),
}
