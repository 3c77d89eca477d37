// Tools that the configuration names one by one: `{name, group, use}`. Each module is imported on its own clock;
// what fails is that one tool, under its declared name, with what happened and where it is written.

import type { ToolConfig } from '../config/config.ts'
import { type Availability, type Candidate, effectClasses } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import type { Tool } from '../tools/tool.ts'
import { asTool, type FoundTool } from './as-tool.ts'
import { candidateOf, emptySchema, needsWith } from './candidate-of.ts'
import { isLoadFault, type LoadFault, loadExport } from './load-export.ts'
import type { Source, SourceInput, SourceResult } from './source.ts'
import { unusableTools } from './unusable.ts'

const importTimeoutMsDefault = 5000

export interface ConfigToolsOptions {
  /** Milliseconds for each module to load. */
  readonly importTimeoutMs?: number
}

/** The source `config`: one candidate for each entry of `tools`, in their order, and what executes it. */
export function configToolsWith(options: ConfigToolsOptions = {}): Source {
  const timeoutMs = options.importTimeoutMs ?? importTimeoutMsDefault
  return {
    kind: 'config',
    collect: async (input) => {
      const offers = await Promise.all(input.config.tools.map((entry) => offerOf(entry, input, timeoutMs)))
      const { candidates, ...rest } = merged(input.config.tools, offers)
      return { ...rest, candidates: [...candidates, ...unusableTools(input.config)] }
    },
  }
}

export const configTools: Source = configToolsWith()

interface Offer {
  readonly tool?: FoundTool
  readonly availability: Availability
  readonly findings: readonly Finding[]
}

async function offerOf(entry: ToolConfig, input: SourceInput, timeoutMs: number): Promise<Offer> {
  if (!entry.enabled) {
    const origin = entry.origins.enabled ?? entry.origin
    return { availability: { state: 'disabled', detail: 'its entry says enabled: false', origin }, findings: [] }
  }
  const { folder, trustedModules } = input.config
  const loaded = await loadExport(entry.use, { folder, trusted: trustedModules, timeoutMs })
  if (isLoadFault(loaded)) return failed(entry, loaded)
  const tool = asTool(loaded.value)
  if (typeof tool === 'string') {
    const { module, export: name } = loaded.spec
    return failed(entry, {
      code: 'use-not-a-tool',
      message: `"${name}" of ${printable(module, 80)} is no tool: ${tool}`,
    })
  }
  return { tool, availability: { state: 'available' }, findings: nameDiffers(entry, tool) }
}

function failed(entry: ToolConfig, fault: LoadFault): Offer {
  const origin = entry.origins.use
  return {
    availability: { state: 'load-failed', detail: `${fault.code}: ${fault.message}`, origin },
    findings: [finding(fault.code, 'error', fault.message, { subject: printable(entry.name, 80), origin })],
  }
}

function nameDiffers(entry: ToolConfig, tool: FoundTool): readonly Finding[] {
  if (tool.name === entry.name) return []
  const [declared, own] = [printable(entry.name, 80), printable(tool.name, 80)]
  const message = `declared as "${declared}", but the tool calls itself "${own}", and "${own}" counts`
  return [finding('name-differs', 'warning', message, { subject: declared, origin: entry.origin })]
}

function merged(entries: readonly ToolConfig[], offers: readonly Offer[]): SourceResult {
  const candidates: Candidate[] = []
  const invokers = new Map<string, Tool>()
  const ids = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const { tool, availability } = offers[index] ?? { availability: notReached }
    const plain = `config:${entry.name}`
    const id = ids.has(plain) ? `${plain}#${index + 1}` : plain
    ids.add(id)
    const candidate = candidateFor(id, entry, tool, availability)
    candidates.push(candidate)
    if (tool !== undefined) invokers.set(id, { ...tool, effects: candidate.effects })
  }
  return { candidates, findings: offers.flatMap((offer) => offer.findings), servers: [], invokers }
}

const notReached: Availability = { state: 'load-failed', detail: 'it was not reached' }

/** The operator's group, role and effects beat the tool's own; what nobody declares is taken for every effect. */
function candidateFor(
  id: string,
  entry: ToolConfig,
  tool: FoundTool | undefined,
  availability: Availability,
): Candidate {
  const group = entry.group ?? tool?.group
  const role = entry.role ?? tool?.role
  const effects = entry.effects ?? tool?.effects
  const own: JsonObject = { source: 'config', use: entry.use }
  return candidateOf({
    id,
    source: 'config',
    protocol: 'module',
    originalName: tool?.name ?? entry.name,
    name: tool?.name ?? entry.name,
    declaredName: entry.name,
    form: tool?.form ?? 'executes',
    ...(group === undefined ? {} : { group }),
    ...(role === undefined ? {} : { role }),
    needs: needsWith(role, tool?.needs ?? []),
    effects: effects ?? effectClasses,
    effectsBy: effects === undefined ? 'assumed' : 'declared',
    availability,
    definition: definitionOf(tool),
    origin: entry.origin satisfies Origin,
    owner: own,
  })
}

const definitionOf = (tool: FoundTool | undefined): Candidate['definition'] =>
  tool === undefined
    ? { description: '', inputSchema: emptySchema }
    : {
        ...(tool.title === undefined ? {} : { title: tool.title }),
        description: tool.description,
        inputSchema: tool.inputSchema,
        ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
        ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
      }
