// Which servers need not be started. The gates themselves say so, asked about what a server might offer: a stand-in
// for all its tools, and every tool that the configuration or a rule names. When none of them survives the gates that
// can leave a server out whole, nothing of it could be on the surface.

import type { Config, McpServerConfig } from '../config/config.ts'
import { assemble } from '../core/assemble.ts'
import type { Candidate, EffectClass } from '../core/candidate.ts'
import type { Gate } from '../core/gate.ts'
import type { RunFacts } from '../core/run-facts.ts'
import { startGates } from '../gates/order.ts'
import { mcpCandidates, standInFor } from '../sources/mcp-candidates.ts'
import { sha256 } from '../sources/sha256.ts'

/** Names of the servers that no gate lets in, whatever they would list. */
export async function idleServers(
  config: Config,
  facts: RunFacts,
  gates: readonly Gate[],
): Promise<ReadonlySet<string>> {
  const order = startGates(gates)
  const idle = new Set<string>()
  for (const server of config.mcpServers) {
    const probes = await probesOf(server, facts)
    const { totals } = assemble(facts, probes, order, { sha256 })
    if (totals.excluded === totals.candidates) idle.add(server.name)
  }
  return idle
}

async function probesOf(server: McpServerConfig, facts: RunFacts): Promise<readonly Candidate[]> {
  const named = server.includeTools ?? [...server.tools.map((tool) => tool.name), ...namedByRules(server, facts)]
  const offered = [...new Set(named)].filter((name) => !server.excludeTools.includes(name))
  const tools = offered.map((name) => ({ name, inputSchema: { type: 'object' } }))
  const { candidates } = await mcpCandidates(server, tools, { state: 'available' })
  const possible = candidates.filter(({ availability }) => availability.state === 'available')
  return server.includeTools === undefined ? [...standIns(server), ...possible] : possible
}

/** Tools that a list of exact names may mean; a bare name may belong to any server. */
function namedByRules(server: McpServerConfig, { agent, permissions, delegation }: RunFacts): string[] {
  const allowed = permissions.rules.filter((rule) => rule.effect === 'allow').map((rule) => rule.text)
  const prefixes = [`${server.name}/`, `mcp__${server.name}__`, `${server.name}__`, `mcp:${server.name}/`]
  return [...(agent.tools ?? []), ...(delegation.allow ?? []), ...allowed].flatMap((text) => {
    const ends = prefixes.filter((prefix) => text.startsWith(prefix)).map((prefix) => text.slice(prefix.length))
    return [text, ...ends]
  })
}

/** A trusted server may claim any of these effects for a tool; of any other server all four are assumed. */
const claimable: readonly (readonly EffectClass[])[] = [['read'], ['read', 'network'], ['read', 'write', 'execute']]

function standIns(server: McpServerConfig): readonly Candidate[] {
  const all = standInFor(server, { state: 'available' })
  if (!server.trustAnnotations || server.effects !== undefined) return [all]
  return [
    all,
    ...claimable.map(
      (effects, index): Candidate => ({ ...all, id: `${all.id}#${index}`, effects, effectsBy: 'claimed' }),
    ),
  ]
}
