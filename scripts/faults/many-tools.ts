import { prepareRun } from '../../src/assembly/prepare-run.ts'
import { configFromText } from '../../src/config/load-config.ts'
import { assemble } from '../../src/core/assemble.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { expects } from './failures.ts'
import type { Scenario } from './scenario.ts'

const tools = 10_000

export const manyTools: Scenario = {
  id: 'R6',
  title: 'a server lists 10,000 tools',
  boundMs: 60_000,
  run: async (world) => {
    const misses: string[] = []
    const seen: string[] = []
    for (const pageSize of [100, 1000, tools]) {
      const pages = Array.from({ length: tools / pageSize }, (_, page) => ({
        ...(page === 0 ? {} : { cursor: `c${page}` }),
        tools: Array.from({ length: pageSize }, (_, at) => aTool(page * pageSize + at)),
        ...((page + 1) * pageSize < tools ? { nextCursor: `c${page + 1}` } : {}),
      }))
      const server = world.server('large', { pages })
      const text = JSON.stringify({
        version: 1,
        mcp_servers: { large: { command: server.command, args: server.args } },
        state: { url: `sqlite:${world.folder}/state-${pageSize}/state.db` },
      })
      const { config } = await configFromText(text, `${world.folder}/toolgate.json`, { environment: process.env })
      if (config === undefined) return { misses: ['the configuration is not usable'], seen: '' }
      const begin = performance.now()
      const run = await prepareRun({ config, environment: process.env })
      const loadMs = performance.now() - begin
      const { facts } = run.surface
      // The quickest of a few: what other work on the machine takes is not ours.
      const decideMs = Math.min(
        ...Array.from({ length: 5 }, () => {
          const again = performance.now()
          assemble(facts, run.candidates, run.gates, { sha256 })
          return performance.now() - again
        }),
      )
      misses.push(
        ...expects(
          [run.candidates.filter(({ server: name }) => name === 'large').length === tools, 'tools are missing'],
          [loadMs < 5000, `${pageSize} a page: loading took ${Math.round(loadMs)} ms`],
          [decideMs < 100, `${pageSize} a page: deciding took ${Math.round(decideMs)} ms`],
        ),
      )
      seen.push(`${pageSize} a page: ${(loadMs / 1000).toFixed(1)} s, decided in ${decideMs.toFixed(0)} ms`)
    }
    return { misses, seen: seen.join('; ') }
  },
}

const aTool = (at: number) => ({
  name: `tool_${at}`,
  description: `Does thing number ${at}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string', description: 'What to look for.' } } },
})
