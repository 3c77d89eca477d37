// The servers of a run: what each is like now, when it was asked, why, what it costs, and which of its processes run.
// Schema `toolgate.servers/1`; keys are only added.

import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { Run, ServerState } from './run.ts'
import { type CountTokens, tokenCosts } from './tokens.ts'
import { type Lang, settlingStep, stepWords } from './words.ts'

/**
 * A session as a running program tells of it; the shape of the pool, as far as words need it. Programs tell when
 * sessions begin and end, not when calls do: whether one is busy just now is not known here.
 */
export interface SessionLine {
  readonly server: string
  readonly owner: { readonly user: string; readonly thread: string }
  readonly phase: string
  /** ISO 8601. */
  readonly since: string
  readonly pid?: number
  readonly starts: number
  readonly lastError?: string
  readonly retryInMs?: number
}

/** A program that runs with the same state folder. */
export interface ProgramLine {
  readonly pid: number
  readonly program: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly sessions: readonly SessionLine[]
}

export interface ServerLine {
  readonly name: string
  readonly transport?: string
  readonly state: string
  /** ISO 8601: when it was last asked, whether it listed its tools or failed. Absent: it never was. */
  readonly since?: string
  /** It was asked on this run. False: what is told of it is stored, or it was left alone. */
  readonly asked: boolean
  /** Why it is in that state, printable. */
  readonly reason?: string
  /** The next step for a person. Absent: none is needed, or nobody can say. */
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
  /** What runs with the same state folder; `sessions` are those of servers that are not in `servers`. */
  readonly programs: readonly ProgramLine[]
}

export interface ServersReportOptions {
  /** ISO 8601: when the run was made; what was asked on it was asked then. Absent: nobody was, as with an inventory. */
  readonly askedAt?: string
  /** Language of the next steps. Absent: English. */
  readonly lang?: Lang
  /** Absent: tokens are estimated. */
  readonly count?: CountTokens
  /** Servers with an Authorization header in the configuration: no login replaces it. Absent: none. */
  readonly withHeader?: ReadonlySet<string>
}

/** The document for a run and the programs that run beside it. */
export function serversReport(
  run: Run,
  programs: readonly ProgramLine[],
  options: ServersReportOptions,
): ServersReport {
  const costs = tokenCosts(run.surface, options.count).byServer
  const servers = run.servers.map((server): ServerLine => {
    const { name, transport, state, detail, required, tools, protocolVersion, origin, lastListedAt } = server
    const share = Object.hasOwn(costs, name) ? costs[name] : undefined
    const next = nextStep(server, run, options)
    const answered = server.tookMs !== undefined && server.cached !== true
    const asked = options.askedAt !== undefined && (answered || server.failedAt !== undefined)
    const since = server.failedAt ?? lastListedAt ?? (asked ? options.askedAt : undefined)
    return {
      name,
      ...(transport === undefined ? {} : { transport }),
      state,
      ...(since === undefined ? {} : { since }),
      asked,
      ...(detail === undefined ? {} : { reason: printable(detail, 600) }),
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
          .map((session) => ({ ...withoutCalls(session), program, programPid: pid })),
      ),
    }
  })
  const known = new Set(servers.map(({ name }) => name))
  const others = ({ sessions }: ProgramLine) => sessions.filter(({ server }) => !known.has(server)).map(withoutCalls)
  return {
    schema: 'toolgate.servers/1',
    servers,
    programs: programs.map((one) => {
      const { pid, program, startedAt } = one
      return { pid, program, startedAt, sessions: others(one) }
    }),
  }
}

/** Calls of the moment when it was told are long over. */
function withoutCalls(session: SessionLine & { readonly busy?: number }): SessionLine {
  const { busy: _, ...told } = session
  return told.phase === 'busy' ? { ...told, phase: 'open' } : told
}

interface Told {
  readonly name: string
  /** It is started here; others are called by a URL. */
  readonly isLocal: boolean
  readonly hasHeader: boolean
  /** It runs something else than what was approved. */
  readonly isChanged: boolean
}

interface Step {
  readonly en: string
  readonly zh: string
}

const command = (text: string): Step => ({ en: text, zh: text })

/** Where a command or a key of the configuration is the answer; the other states have the words of their gate. */
const steps: { readonly [state: string]: (told: Told) => Step | undefined } = {
  disabled: () => undefined,
  'login-needed': ({ name, hasHeader }) =>
    hasHeader
      ? {
          en: `renew its Authorization header, or remove the header and run \`toolgate login ${name}\``,
          zh: `请更新其 Authorization 标头,或移除该标头后运行 \`toolgate login ${name}\``,
        }
      : command(`toolgate login ${name}`),
  'not-approved': ({ name, isChanged }) =>
    isChanged
      ? {
          en: `look at it with \`toolgate pin\`, then \`toolgate pin --approve ${name}\``,
          zh: `请先用 \`toolgate pin\` 查看,再运行 \`toolgate pin --approve ${name}\``,
        }
      : {
          en: `look at its entry, then add "${name}" to \`approved_servers\``,
          zh: `请先查看其条目,再将 "${name}" 加入 \`approved_servers\``,
        },
  'failed-to-start': ({ isLocal }) =>
    isLocal
      ? { en: 'run its command by hand and mend what it reports', zh: '请手动运行其命令并修复其报告的问题' }
      : { en: 'check that it is up and that its `url` is right', zh: '请确认它正在运行且其 `url` 正确' },
  'timed-out': () => ({
    en: 'raise its `timeouts.start_ms` if it is meant to take that long',
    zh: '若它本需这么久,请调高其 `timeouts.start_ms`',
  }),
}

/** What to do about a state that is not good. */
function nextStep(
  server: ServerState,
  run: Run,
  { lang = 'en', withHeader }: ServersReportOptions,
): string | undefined {
  const { state, transport } = server
  if (Object.hasOwn(steps, state)) {
    const told: Told = {
      name: printable(server.name, 64),
      isLocal: transport === undefined || transport === 'stdio',
      hasHeader: withHeader?.has(server.name) === true,
      isChanged: run.findings.some(({ code, subject }) => code === 'launch-changed' && subject === server.name),
    }
    return steps[state]?.(told)?.[lang]
  }
  const decision = run.surface.decisions.find(
    ({ candidate, code }) => candidate.server === server.name && code === state,
  )
  const step = decision === undefined ? undefined : settlingStep(decision)
  return decision === undefined || step === undefined ? undefined : stepWords(step, decision, run.gates, lang).hint
}
