// The servers of a run: what each is like now, since when, why, what it costs, and which of its processes run. Schema
// `toolgate.servers/1`; keys are only added.

import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { Run } from './run.ts'
import { type CountTokens, tokenCosts } from './tokens.ts'

/** A session as a running program tells of it; the shape of the pool, as far as words need it. */
export interface SessionLine {
  readonly server: string
  readonly owner: { readonly user: string; readonly thread: string }
  readonly phase: string
  /** ISO 8601. */
  readonly since: string
  readonly pid?: number
  readonly busy: number
  readonly starts: number
  readonly lastError?: string
  readonly retryInMs?: number
}

/** A program that runs with the same state folder. */
export interface ProgramLine {
  readonly pid: number
  readonly program: string
  readonly startedAt: string
  readonly sessions: readonly SessionLine[]
}

export interface ServerLine {
  readonly name: string
  readonly transport?: string
  readonly state: string
  /** ISO 8601: when it was last listed, or when the attempt failed. Absent: it never was. */
  readonly since?: string
  /** Why it is in that state, printable. */
  readonly reason?: string
  /** The next step for a person. Absent: none is needed. */
  readonly next?: string
  readonly required: boolean
  /** Tools listed now, or at the last good listing. */
  readonly tools: number
  /** Those of them that the model can reach on this run. */
  readonly exposed: number
  /** What its definitions cost with each request. */
  readonly tokens: number
  /** Its tools are those of the stored listing; it was not asked. */
  readonly cached: boolean
  readonly protocolVersion?: string
  readonly origin: Origin
  readonly sessions: readonly (SessionLine & { readonly program: string; readonly programPid: number })[]
}

export interface ServersReport {
  readonly schema: 'toolgate.servers/1'
  readonly servers: readonly ServerLine[]
}

/** What to do about a state that is not good. */
const nextSteps: { readonly [state: string]: (name: string) => string } = {
  'login-needed': (name) => `toolgate login ${name}`,
  'not-approved': (name) => `look at its command, then add "${name}" to approved_servers`,
  'failed-to-start': (name) => `run its command by hand; then \`toolgate servers --refresh\` (${name})`,
  'timed-out': () => 'raise timeouts.start_ms if it is meant to take that long',
}

/** The document for a run and the programs that run beside it. */
export function serversReport(run: Run, programs: readonly ProgramLine[], count?: CountTokens): ServersReport {
  const costs = tokenCosts(run.surface, count).byServer
  const lines = run.servers.map((server): ServerLine => {
    const { name, transport, state, detail, required, tools, protocolVersion, origin, lastListedAt } = server
    const share = Object.hasOwn(costs, name) ? costs[name] : undefined
    const next = Object.hasOwn(nextSteps, state) ? nextSteps[state]?.(printable(name, 64)) : undefined
    const since = server.failedAt ?? lastListedAt
    return {
      name,
      ...(transport === undefined ? {} : { transport }),
      state,
      ...(since === undefined ? {} : { since }),
      ...(detail === undefined ? {} : { reason: detail }),
      ...(next === undefined ? {} : { next }),
      required,
      tools,
      exposed: share?.tools ?? 0,
      tokens: share?.tokens ?? 0,
      cached: server.cached === true,
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      origin,
      sessions: programs.flatMap(({ pid, program, sessions }) =>
        sessions
          .filter((session) => session.server === name)
          .map((session) => ({ ...session, program, programPid: pid })),
      ),
    }
  })
  return { schema: 'toolgate.servers/1', servers: lines }
}
