// The world of a scenario: a pool, servers that follow plans, and a good server that is called all the while.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServerConfig } from '../../src/config/config.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { PoolOptions, SessionPool } from '../../src/sessions/pool/pool.ts'
import { sessionPool } from '../../src/sessions/pool/session-pool.ts'
import { serverEnvironment } from '../../src/sessions/processes/base-environment.ts'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import { serverConfig } from '../../test/sources/server-entry.ts'
import type { FaultWorld, Planned } from './scenario.ts'

/** Calls a second that the good server gets meanwhile. */
const rate = 20

export interface WorldInput {
  readonly program: string
  readonly canary: string
}

export interface World extends FaultWorld {
  /** Begins to call the good server; the result ends it and tells how it went. */
  readonly others: () => Promise<() => Promise<Others>>
  readonly close: () => Promise<void>
}

export interface Others {
  readonly calls: number
  readonly failed: number
  /** Milliseconds of the slowest in a hundred. */
  readonly p99Ms: number
}

const owner = { user: 'faults', thread: 't1' } as const

export function makeWorld({ program, canary }: WorldInput): World {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-faults-'))
  const pools: SessionPool[] = []
  const poolWith = (options: Partial<PoolOptions>): SessionPool => {
    const pool = sessionPool({
      open: ({ server, signal }) =>
        openSession(server, {
          env: serverEnvironment(process.env, server.env),
          cwd: folder,
          signal,
          timeoutMs: server.startTimeoutMs,
        }),
      max: 16,
      idleMs: 60_000,
      ...options,
    })
    pools.push(pool)
    return pool
  }
  const pool = poolWith({})
  const server = (name: string, plan: ServerPlan, more: Partial<McpServerConfig> = {}): Planned =>
    planned(name, plan, { folder, program, canary, more })

  return {
    server,
    pool,
    poolWith,
    owner,
    folder,
    program,
    canary,
    call: (called, options = {}) => {
      const { tool = 'work', args = {}, owner: caller = owner, pool: through = pool, signal, ...limits } = options
      const waiting = signal === undefined ? {} : { signal }
      return through.use(
        called,
        caller,
        (session) => session.call(tool, args, { idleTimeoutMs: 10_000, totalTimeoutMs: 20_000, ...limits, ...waiting }),
        waiting,
      )
    },
    others: async () => {
      const good = server('good', { calls: { work: { text: 'fine' } } })
      const others = poolWith({ max: 2 })
      const once = async () => {
        const begin = performance.now()
        const result = await others.use(good, owner, (session) =>
          session.call('work', {}, { idleTimeoutMs: 5000, totalTimeoutMs: 5000 }),
        )
        if (!JSON.stringify(result).includes('fine')) throw new Error('another answer')
        return performance.now() - begin
      }
      await once()
      const took: number[] = []
      let failed = 0
      let stop = false
      const loop = (async () => {
        const running: Promise<void>[] = []
        while (!stop) {
          running.push(
            once().then(
              (ms) => void took.push(ms),
              () => {
                failed += 1
              },
            ),
          )
          await sleep(1000 / rate)
        }
        await Promise.all(running)
      })()
      return async () => {
        stop = true
        await loop
        const sorted = took.sort((a, b) => a - b)
        return {
          calls: took.length + failed,
          failed,
          p99Ms: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN,
        }
      }
    },
    close: async () => {
      await Promise.all(pools.map((one) => one.close(0)))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let count = 0

interface Place {
  readonly folder: string
  readonly program: string
  readonly canary: string
  readonly more: Partial<McpServerConfig>
}

function planned(name: string, plan: ServerPlan, { folder, program, canary, more }: Place): Planned {
  count += 1
  const base = join(folder, `${name}-${count}`)
  const record = `${base}.record`
  const marker = `${base}.marker`
  writeFileSync(record, '')
  writeFileSync(marker, '')
  writeFileSync(`${base}.json`, JSON.stringify({ record, marker, ...plan }))
  const lines = (file: string): string[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  return {
    ...serverConfig(name, {
      args: [program, `@${base}.json`, canary],
      startTimeoutMs: 15_000,
      callTimeoutMs: 10_000,
      callTotalMs: 20_000,
      origin: { in: 'verify-faults' },
      ...more,
    }),
    received: () => lines(record).map((line) => JSON.parse(line) as ReceivedMessage),
    pids: () => lines(marker).map(Number),
  }
}
