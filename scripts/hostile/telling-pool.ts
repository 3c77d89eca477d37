// A pool as the program has it, around servers that tell where they run and with what: for the kinds that ask whether
// one owner or one server sees what belongs to another.

import { loadConfig } from '../../src/config/load-config.ts'
import type { Finding } from '../../src/core/finding.ts'
import { printable } from '../../src/core/printable.ts'
import { poolFor } from '../../src/runtime/session-opener.ts'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import { openThread } from '../../src/sessions/processes/thread-place.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import type { ThreadOwner } from '../../src/workspace/workspace.ts'
import type { Told } from './expected.ts'
import { scriptedProgram } from './scripted-program.ts'
import type { World } from './world.ts'

/** What a server process says of itself. */
export interface Place {
  readonly pid: number
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
}

export interface TellingPool {
  /** What the configuration was told. */
  readonly findings: readonly Finding[]
  /** Calls a server for an owner; gives what it says, or the failure of the call. */
  readonly call: (server: string, owner: ThreadOwner) => Promise<Place | CallFailure>
  /** Host folder behind `/mnt/user-data` of an owner. */
  readonly rootOf: (owner: ThreadOwner) => Promise<string>
}

export interface TellingOptions {
  /** Servers by name, with what the configuration sets in `env`. */
  readonly servers: { readonly [name: string]: { readonly [name: string]: string } }
  /** Of this process, as the configuration and the servers are to see it. */
  readonly environment: { readonly [name: string]: string | undefined }
}

const plan: ServerPlan = { calls: { '*': { tell: true } } }

/** Hands a pool to `work` and closes it. Gives what `work` found, and a miss for each process that is left. */
export async function withTellingPool(
  world: World,
  { servers, environment }: TellingOptions,
  work: (pool: TellingPool) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const planFile = world.write('plan.json', JSON.stringify(plan))
  const entries = Object.entries(servers).map(([name, env]) => [
    name,
    { command: process.execPath, args: [scriptedProgram, `@${planFile}`], env },
  ])
  const path = world.write('toolgate.yaml', JSON.stringify({ mcp_servers: Object.fromEntries(entries) }))
  const { config, findings } = await loadConfig(path, { environment })
  if (config === undefined) throw new Error(`the configuration around the server was refused: ${findings[0]?.message}`)
  const pool = poolFor({ config: () => config, stateFolder: world.state, environment })
  const pids = new Set<number>()
  const out: string[] = []
  try {
    const found = await work({
      findings,
      rootOf: async (owner) => (await openThread(config, world.state, owner)).userData,
      call: async (name, owner) => {
        const server = config.mcpServers.find((one) => one.name === name)
        if (server === undefined) throw new Error(`no server "${printable(name)}" was configured`)
        const limits = { idleTimeoutMs: 10_000, totalTimeoutMs: 10_000 }
        try {
          const result = await pool.use(server, owner, (session) => session.call('tell', {}, limits))
          const [block] = result.content as readonly { readonly text: string }[]
          const place = JSON.parse(block?.text ?? '{}') as Place
          pids.add(place.pid)
          return place
        } catch (error) {
          if (error instanceof CallFailure) return error
          throw error
        }
      },
    })
    out.push(...found)
  } finally {
    await pool.close()
  }
  for (const pid of pids) if (runs(pid)) out.push(`process ${pid} is left`)
  return out
}

/** A failed call as an error that people see. */
export const toldByFailure = ({ code, message }: CallFailure): Told => ({
  code,
  subject: '',
  message,
  hint: '',
  at: '',
})

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
