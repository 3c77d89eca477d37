// A configuration in service: its surface over time, its sessions, and calls that go through the one enforcement.
//
//   edit · list_changed · a server that came back ──▶ refresh ──▶ generation ──▶ listeners
//   call ──▶ generation of that moment ──▶ middlewares ──▶ session of the caller's thread
//
// INVARIANT: a call is decided and carried out by one generation; an edit that cannot be used changes nothing but
// what is said of it; when `close` resolves, nothing that was started is running.

import { prepareRun, stateFolderOf } from '../assembly/prepare-run.ts'
import type { PreparedRun, RunInput } from '../assembly/run-input.ts'
import type { Config, McpServerConfig } from '../config/config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { Finding } from '../core/finding.ts'
import { canonicalJson } from '../core/json.ts'
import type { SessionState } from '../sessions/pool/pool.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { type CallerOptions, caller } from './caller.ts'
import { type FileWatch, watchFiles } from './config-watch.ts'
import { differs, type Generation } from './generation.ts'
import { listThrough } from './list-through.ts'
import { patientLister } from './patient-lister.ts'
import { recoverable, recoveryDelayMs } from './recovery.ts'
import { type RefreshRequest, refresher } from './refresher.ts'
import { sessionBoard } from './session-board.ts'
import { poolFor } from './session-opener.ts'
import type { CallOutcome, ToolRequest } from './tool-call.ts'

export interface ToolboxOptions
  extends Pick<
    RunInput,
    'configFindings' | 'policy' | 'preset' | 'stateFolder' | 'environment' | 'progress' | 'signal'
  > {
  readonly config: Config
  /** Reads the configuration again after an edit. Absent: edits are not looked for. */
  readonly reload?: () => Promise<LoadedConfig>
  /** What this program is, for `toolgate servers`. Absent: it is not shown there. */
  readonly program?: string
  /** Whose sessions listings go through. */
  readonly owner: ThreadOwner
  /** True: every server is asked at the beginning, whatever is stored of it. */
  readonly refresh?: boolean
  /**
   * How long a server that is not required is waited for before the surface is made without it; it comes in later.
   * Absent: until its own deadline.
   */
  readonly patienceMs?: number
}

export interface Calls {
  /** Never rejects. */
  readonly call: (request: ToolRequest) => Promise<CallOutcome>
}

export interface Toolbox {
  readonly current: () => Generation
  /** The calls of one thread. Throws a ToolgateError `invalid-id`. */
  readonly callsOf: (owner: ThreadOwner, options?: CallerOptions) => Promise<Calls>
  /** Assembles anew; the servers that are named are asked, others only where what is known is too old. */
  readonly refresh: (because: string, servers?: Iterable<string>) => Promise<Generation>
  /** Called after each new generation. Returns what ends it. */
  readonly onGeneration: (listener: (after: Generation, before: Generation) => void) => () => void
  readonly sessions: () => readonly SessionState[]
  /** The sessions of a thread end; its folder stays. */
  readonly endThread: (owner: ThreadOwner) => Promise<void>
  readonly close: () => Promise<void>
}

/** Puts a configuration into service. Rejects as `prepareRun` does, and leaves nothing behind then. */
export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const stateFolder = options.stateFolder ?? stateFolderOf(options.config)
  const listeners = new Set<(after: Generation, before: Generation) => void>()
  let current: Generation | undefined
  let closed = false
  let recovery: { timer: NodeJS.Timeout; tries: number } | undefined

  const pool = poolFor({
    config: () => current?.config ?? options.config,
    stateFolder,
    environment: options.environment ?? process.env,
    onState: () => board?.changed(),
    onListChanged: (server) => void refresh(`the list of ${server} changed`, [server]),
  })
  const board =
    options.program === undefined ? undefined : sessionBoard(stateFolder, options.program, () => pool.states())

  const lister = patientLister({
    list: (server, signal) => listThrough(pool, server, options.owner, signal),
    onLate: (server) => void refresh(`${server} has answered`, [server]),
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  })
  const prepared = (config: Config, findings: readonly Finding[], ask: true | ReadonlySet<string>) =>
    prepareRun({
      ...options,
      config,
      configFindings: findings,
      stateFolder,
      listings: { refresh: ask, list: lister.list },
    })
  let loaded = { config: options.config, findings: options.configFindings ?? [] }

  const accept = (run: PreparedRun, because: string, rejectedEdit?: readonly Finding[]) => {
    const before = current
    const rejected = rejectedEdit === undefined ? {} : { rejectedEdit }
    const same = before !== undefined && !differs(before.run, run) && before.config === loaded.config
    if (same && before.rejectedEdit === rejectedEdit) return
    current = {
      number: (before?.number ?? 0) + 1,
      since: new Date().toISOString(),
      because,
      config: loaded.config,
      run,
      ...rejected,
    }
    if (before !== undefined) for (const listener of listeners) listener(current, before)
  }

  const work = async ({ because, servers }: RefreshRequest) => {
    if (closed) return
    try {
      const run = await prepared(loaded.config, loaded.findings, servers)
      if (!closed) accept(run, because, current?.rejectedEdit)
    } catch (error) {
      options.progress?.(`${because}: ${error instanceof Error ? error.message : String(error)}`)
    }
    recover()
  }
  const refreshes = refresher(work)
  const refresh = async (because: string, servers: Iterable<string> = []): Promise<Generation> => {
    await refreshes.request({ because, servers: new Set(servers) })
    return now()
  }
  const now = (): Generation => {
    if (current === undefined) throw new TypeError('a toolbox has a generation from its beginning')
    return current
  }

  const recover = () => {
    clearTimeout(recovery?.timer)
    const down = closed ? [] : recoverable(now().run.servers)
    if (down.length === 0) recovery = undefined
    else {
      const tries = (recovery?.tries ?? -1) + 1
      const again = () => void refresh(`${down.join(', ')}: tried again`, down)
      recovery = { tries, timer: setTimeout(again, recoveryDelayMs(tries)).unref() }
    }
  }

  const edited = async (reload: () => Promise<LoadedConfig>) => {
    const { config, findings } = await reload()
    if (closed) return
    if (config === undefined) {
      accept(now().run, 'an edit of the configuration cannot be used', findings)
      return
    }
    const changed = changedServers(loaded.config, config)
    loaded = { config, findings }
    await Promise.all(changed.map((name) => pool.endServer(name)))
    recovery = undefined
    if (current !== undefined) current = withoutRejected(current)
    await refresh('the configuration was edited')
  }

  // Watched from the beginning: what is edited while servers start is taken in right after.
  let begun = () => {}
  const ready = new Promise<void>((resolve) => {
    begun = resolve
  })
  const { reload } = options
  const watch: FileWatch | undefined =
    reload === undefined
      ? undefined
      : watchFiles(
          () => filesOf(loaded.config),
          () => ready.then(() => edited(reload)),
        )
  try {
    accept(await prepared(loaded.config, loaded.findings, options.refresh === true ? true : new Set()), 'the beginning')
    recover()
    begun()
  } catch (error) {
    watch?.close()
    await pool.close()
    throw error
  }
  board?.changed()

  return {
    current: now,
    callsOf: (owner, more = {}) => caller({ generation: now, pool, owner, stateFolder, ...more }),
    refresh,
    onGeneration: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    sessions: () => pool.states(),
    endThread: (owner) => pool.endThread(owner),
    close: async () => {
      closed = true
      watch?.close()
      clearTimeout(recovery?.timer)
      await pool.close()
      await board?.close()
    },
  }
}

const filesOf = ({ file, sharedFiles }: Config): readonly string[] => [file, ...(sharedFiles ?? [])]

/** Servers whose entry is another than before, or gone: their sessions must not be used any more. */
function changedServers(before: Config, after: Config): readonly string[] {
  const entries = new Map(after.mcpServers.map((server) => [server.name, launchText(server)]))
  return before.mcpServers.filter((server) => entries.get(server.name) !== launchText(server)).map(({ name }) => name)
}

/** What a session was opened with; the place where it is written, and what gates read, do not matter to it. */
const launchText = ({ name, transport, command, args, env, cwd, url, headers, enabled, approved }: McpServerConfig) =>
  canonicalJson({
    name,
    transport,
    args,
    env: { ...env },
    headers: { ...headers },
    enabled,
    approved,
    command: command ?? null,
    cwd: cwd ?? null,
    url: url ?? null,
  })

function withoutRejected({ rejectedEdit: _, ...generation }: Generation): Generation {
  return generation
}
