// What the gateway says of itself to a client: what the servers of its view can do, as far as they have said so, and
// their instructions under their names.

import type { McpServerConfig } from '../config/config.ts'
import type { JsonObject } from '../core/json.ts'
import { redactorOf } from '../runtime/config-redactor.ts'
import type { Generation } from '../runtime/generation.ts'

export interface ServedIntroduction {
  readonly capabilities: JsonObject
  readonly instructions?: string
}

/** A server that nobody has asked yet may be able to do anything. */
export function introduction({ run, config }: Generation, servers: readonly McpServerConfig[]): ServedIntroduction {
  const said = servers.map(({ name }) => run.introductions.get(name)?.capabilities)
  const some = (key: string): boolean => said.some((one) => one === undefined || one[key] !== undefined)
  const { name } = run.surface.facts.agent
  const own = config.agents.find((agent) => agent.name === name)?.description
  const parts = [
    ...(own === undefined || own === '' ? [] : [own]),
    ...servers.flatMap((server) => {
      const text = run.introductions.get(server.name)?.instructions?.trim()
      return text === undefined || text === '' ? [] : [servers.length === 1 ? text : `${server.name}: ${text}`]
    }),
  ]
  return {
    capabilities: {
      tools: { listChanged: true },
      ...(some('prompts') ? { prompts: { listChanged: true } } : {}),
      ...(some('resources') ? { resources: { subscribe: true, listChanged: true } } : {}),
      ...(some('completions') ? { completions: {} } : {}),
      ...(some('logging') ? { logging: {} } : {}),
    },
    ...(parts.length === 0 ? {} : { instructions: redactorOf(config)(parts.join('\n\n')) }),
  }
}
