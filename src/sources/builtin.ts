// The tools that every run is offered without configuration; gates decide on each of them (no vision, no
// delegation, nobody there, nothing deferred).

import type { Candidate } from '../core/candidate.ts'
import { askClarification, presentFiles, type Tool, task, toolSearch, viewImage } from '../tools/index.ts'
import { candidateOf } from './candidate-of.ts'
import type { Source } from './source.ts'

const tools: readonly Tool[] = [askClarification, presentFiles, viewImage, task, toolSearch]

const candidateFor = (tool: Tool): Candidate =>
  candidateOf({
    id: `builtin:${tool.name}`,
    source: 'builtin',
    protocol: 'native',
    originalName: tool.name,
    name: tool.name,
    form: tool.form,
    ...(tool.role === undefined ? {} : { role: tool.role }),
    needs: tool.needs,
    effects: tool.effects,
    effectsBy: 'declared',
    availability: { state: 'available' },
    definition: {
      ...(tool.title === undefined ? {} : { title: tool.title }),
      description: tool.description,
      inputSchema: tool.inputSchema,
    },
    origin: { in: 'built-in' },
    owner: { source: 'builtin' },
  })

/** The source `builtin`: always the same candidates, in the order above. */
export const builtin: Source = {
  kind: 'builtin',
  collect: async () => ({
    candidates: tools.map(candidateFor),
    findings: [],
    servers: [],
    invokers: new Map(tools.map((tool) => [`builtin:${tool.name}`, tool])),
  }),
}
