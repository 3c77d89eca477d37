// Entries of the configuration that could not be used. They stay visible as what they were meant to be, with the
// reason, so that people look for the mistake and not for the tool.

import type { Config, UnusableEntry } from '../config/config.ts'
import type { Availability, Candidate } from '../core/candidate.ts'
import { effectClasses } from '../core/candidate.ts'
import { printable } from '../core/printable.ts'
import { candidateOf, emptySchema } from './candidate-of.ts'
import type { ServerReport } from './source.ts'

const entriesOf = (config: Config, kind: UnusableEntry['kind']): readonly UnusableEntry[] =>
  (config.unusable ?? []).filter((entry) => entry.kind === kind)

const unavailable = ({ state, detail, origin }: UnusableEntry): Availability => ({ state, detail, origin })

/** A candidate for each configured tool that could not be used, under its declared name. */
export function unusableTools(config: Config): readonly Candidate[] {
  return entriesOf(config, 'tool').map((entry, index) => {
    const name = printable(entry.name, 64)
    return candidateOf({
      ...shared(entry),
      id: `config:${name}#unusable-${index + 1}`,
      source: 'config',
      protocol: 'module',
      originalName: name,
      name,
      declaredName: name,
      owner: { source: 'config', unusable: true },
    })
  })
}

/** A stand-in for each server that could not be used, and its state. */
export function unusableServers(config: Config): {
  readonly candidates: readonly Candidate[]
  readonly servers: readonly ServerReport[]
} {
  const entries = entriesOf(config, 'server')
  return {
    candidates: entries.map((entry) => {
      const server = printable(entry.name, 64)
      return candidateOf({
        ...shared(entry),
        id: `mcp:${server}/*`,
        source: 'mcp',
        protocol: 'mcp',
        server,
        originalName: '*',
        name: `${server}__*`,
        standIn: true,
        owner: { source: 'mcp', server, unusable: true },
      })
    }),
    servers: entries.map((entry) => ({
      name: printable(entry.name, 64),
      state: entry.state,
      detail: entry.detail,
      required: entry.required === true,
      tools: 0,
      origin: entry.origin,
    })),
  }
}

const shared = (entry: UnusableEntry) =>
  ({
    form: 'executes',
    ...(entry.group === undefined ? {} : { group: entry.group }),
    needs: [],
    effects: effectClasses,
    effectsBy: 'assumed',
    availability: unavailable(entry),
    definition: { description: '', inputSchema: emptySchema },
    origin: entry.origin,
  }) as const
