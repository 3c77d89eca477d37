// A configuration in service: its surface over time, its sessions, and calls that go through the one enforcement.
//
//   edit · list_changed · a server that came back ──▶ refresh ──▶ generation ──▶ listeners
//   call ──▶ generation of that moment ──▶ middlewares ──▶ session of the caller's thread
//
// INVARIANT: a call is decided and carried out by one generation; a generation is made of one configuration; an edit
// that cannot be used changes nothing but what is said of it; when `close` resolves, nothing that was started is
// running.

import type { RunPolicy } from '../assembly/policy.ts'
import { prepareRun, stateFolderOf } from '../assembly/prepare-run.ts'
import type { PreparedRun, RunInput } from '../assembly/run-input.ts'
import type { Config, McpServerConfig } from '../config/config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { Finding } from '../core/finding.ts'
import type { PoolOptions, SessionState } from '../sessions/pool/pool.ts'
import type { OpenSession } from '../sessions/session.ts'
import type { StateStore } from '../state/state-store.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { callApprovals } from './approvals/call-approvals.ts'
import { changedServers, faultOfEdit, filesOf, isSameConfig, notAppliedBy, redactedFindings } from './config-edits.ts'
import { growingRedactor } from './config-redactor.ts'
import { type FileWatch, watchFiles } from './config-watch.ts'
import type { Generation } from './generation.ts'
import { type GenerationListener, generations } from './generations.ts'
import { listThrough } from './list-through.ts'
import { patientLister } from './patient-lister.ts'
import { callLog } from './records/call-log.ts'
import { type RefreshRequest, refresher } from './refresher.ts'
import { relisting } from './relisting.ts'
import { runCatalogs } from './run-catalogs.ts'
import { searchEmbedder } from './search-embedder.ts'
import { sessionBoard, shownSessions } from './session-board.ts'
import { poolFor } from './session-opener.ts'
import { storedState } from './stored-state.ts'
import type { ToolCall } from './tool-call.ts'
import { turns } from './turns.ts'
import { upkeep } from './upkeep.ts'
import { openViews, type View } from './view.ts'

export interface ToolboxOptions
  extends Pick<
      RunInput,
      'configFindings' | 'policy' | 'preset' | 'stateFolder' | 'environment' | 'progress' | 'signal'
    >,
    Pick<PoolOptions, 'peerOf' | 'onNotification'> {
  /** Whom a configuration serves beside its agent, so that their servers are asked as well. Absent: nobody. */
  readonly viewsOf?: (config: Config) => readonly RunPolicy[]
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
   * Absent: until its own deadline, and for 2 s after an edit, so that what was edited holds soon.
   */
  readonly patienceMs?: number
}

export interface Toolbox extends View {
  /** What is stored of threads, promotions and approvals. Rejects with a ToolgateError when it cannot be opened. */
  readonly state: () => Promise<StateStore>
  /**
   * Assembles anew; the servers that are named are asked, others only where what is known is too old. Never rejects:
   * where no run can be made, the generation stays, and `progress` is told why.
   */
  readonly refresh: (because: string, servers?: Iterable<string>) => Promise<Generation>
  /** Called after each new generation. Returns what ends it. A listener that throws is not heard. */
  readonly onGeneration: (listener: GenerationListener) => () => void
  readonly sessions: () => readonly SessionState[]
  /**
   * Works with the session of a thread at a server by itself, for what is no tool: prompts, resources, completions. Whoever
   * uses it looks first whether the view may have the server. Rejects with a CallFailure.
   */
  readonly withSession: <T>(
    of: { readonly server: McpServerConfig; readonly owner: ThreadOwner },
    work: (session: OpenSession) => Promise<T>,
    signal?: AbortSignal,
  ) => Promise<T>
  /** The sessions of a thread end; its folder stays. */
  readonly endThread: (owner: ThreadOwner) => Promise<void>
  /** Ends everything. Safe to call again. */
  readonly close: () => Promise<void>
}

/** What was edited holds after so long at the latest, but for servers that are required. */
const editPatienceMs = 2000

/** Puts a configuration into service. Rejects as `prepareRun` does, and leaves nothing behind then. */
export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const { owner, patienceMs, reload } = options
  const stateFolder = options.stateFolder ?? stateFolderOf(options.config)
  const ends = new AbortController()
  const signal = options.signal === undefined ? ends.signal : AbortSignal.any([options.signal, ends.signal])
  const isClosed = () => ends.signal.aborted
  const held = generations()
  const secrets = growingRedactor()
  const tell = (line: string) => options.progress?.(secrets.redacted(line))
  /** What is in force, or about to be: an edit counts for sessions before its surface is made. */
  let inForce: { readonly config: Config; readonly findings: readonly Finding[] } = {
    config: options.config,
    findings: options.configFindings ?? [],
  }
  secrets.add(options.config)

  const pool = poolFor({
    config: () => inForce.config,
    stateFolder,
    environment: options.environment ?? process.env,
    onState: (state) => {
      board?.changed()
      relists.noted(state)
    },
    onListChanged: (server) => later(`the list of ${server} changed`, [server]),
    ...(options.peerOf === undefined ? {} : { peerOf: options.peerOf }),
    ...(options.onNotification === undefined ? {} : { onNotification: options.onNotification }),
  })
  const stored = storedState({ config: options.config, stateFolder, tell })
  const records = callLog({ folder: stateFolder, tell })
  const catalogs = runCatalogs()
  const embedder = searchEmbedder({ config: options.config, stateFolder, tell })
  const sessions = () => pool.states()
  const { redacted } = secrets
  const board =
    options.program === undefined
      ? undefined
      : sessionBoard({ stateFolder, program: options.program, sessions, redacted })
  const relists = relisting({
    owner,
    states: sessions,
    startedAnew: (server) => later(`${server} was started anew`, [server]),
  })
  let isEdit = false
  const lister = patientLister({
    list: (server, stop) => relists.through(server.name, (whose) => listThrough(pool, server, whose, stop)),
    onLate: (server) => later(`${server} has answered`, [server]),
    patienceMs: () => (isEdit ? Math.min(patienceMs ?? editPatienceMs, editPatienceMs) : patienceMs),
  })
  const prepared = ({ config, findings }: typeof inForce, ask: true | ReadonlySet<string>): Promise<PreparedRun> =>
    prepareRun({
      ...options,
      config,
      configFindings: findings,
      views: options.viewsOf?.(config) ?? [],
      stateFolder,
      signal,
      useOf: stored.mostUsed,
      listings: { refresh: ask, list: lister.list },
    })

  // ── refreshes, one at a time; edits, one at a time, which no refresh holds up ──

  const refreshWork = turns()
  const editWork = turns()
  let begin = () => {}
  // What happens while servers start for the first time is taken in right after.
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  void editWork.inTurn(() => begun)
  /** A run of what is in force at its end: what an edit has replaced meanwhile is made anew. */
  const upToDate = async (servers: ReadonlySet<string>) => {
    for (;;) {
      await editWork.idle()
      if (isClosed()) return undefined
      const source = inForce
      const run = await prepared(source, servers)
      if (isClosed()) return undefined
      if (source === inForce) return { config: source.config, run }
    }
  }
  const refreshed = async ({ because, servers }: RefreshRequest) => {
    try {
      const made = await upToDate(servers)
      if (made === undefined) return
      const rejectedEdit = held.current()?.rejectedEdit
      held.accept({ ...made, because, ...(rejectedEdit === undefined ? {} : { rejectedEdit }) })
      timers.found(made.run.servers)
    } catch (error) {
      timers.foundNothing()
      tell(`${because}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const refreshes = refresher((request) => refreshWork.inTurn(() => refreshed(request)))
  const refresh = async (because: string, servers: Iterable<string> = []): Promise<Generation> => {
    if (!isClosed()) await refreshes.request({ because, servers: new Set(servers) }).catch(() => {})
    return now()
  }
  const later = (because: string, servers: readonly string[]) => {
    if (!isClosed()) void refreshes.request({ because, servers: new Set(servers) }).catch(() => {})
  }
  const timers = upkeep({ ask: later })
  const now = (): Generation => {
    const current = held.current()
    if (current === undefined) throw new TypeError('a toolbox has a generation from its beginning')
    return current
  }

  const reject = (findings: readonly Finding[]) => {
    const { config, run } = now()
    const rejectedEdit = redactedFindings(findings, redacted)
    held.accept({ config, run, because: 'an edit of the configuration cannot be used', rejectedEdit })
  }
  const edited = async (read: () => Promise<LoadedConfig>) => {
    if (isClosed()) return
    const { config, findings } = await read().catch((error: unknown) => ({
      config: undefined,
      findings: [faultOfEdit(error)],
    }))
    if (isClosed()) return
    if (config === undefined) return reject(findings)
    secrets.add(config)
    const before = inForce
    const isSame = isSameConfig(before.config, config)
    if (isSame && now().rejectedEdit === undefined) return
    for (const line of notAppliedBy(before.config, config)) tell(line)
    inForce = isSame ? { ...before, findings } : { config, findings }
    // From here on nothing is started as it was before. Their running calls end first, and nobody waits for that.
    for (const name of changedServers(before.config, inForce.config)) void pool.endServer(name).catch(() => {})
    timers.forget()
    isEdit = true
    try {
      const run = await prepared(inForce, new Set())
      if (isClosed()) return
      held.accept({ config: inForce.config, run, because: 'the configuration was edited' })
      timers.found(run.servers)
    } catch (error) {
      inForce = before
      reject([faultOfEdit(error)])
      timers.found(now().run.servers)
    } finally {
      isEdit = false
    }
  }

  // Watched from the beginning, so that no edit is missed.
  const watch: FileWatch | undefined =
    reload === undefined
      ? undefined
      : watchFiles(
          () => filesOf(inForce.config),
          () => editWork.inTurn(() => edited(reload)),
        )

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      ends.abort()
      watch?.close()
      timers.close()
      begin()
      await pool.close()
      await Promise.all([editWork.idle(), refreshWork.idle()])
      await board?.close()
      await Promise.all([stored.close(), embedder.close(), records.close()])
    })()
    return closing
  }

  try {
    const run = await prepared(inForce, options.refresh === true ? true : new Set())
    held.accept({ config: options.config, run, because: 'the beginning' })
    timers.found(run.servers)
    begin()
  } catch (error) {
    await close()
    throw error
  }
  board?.changed()

  const counted = ({ run: { surface } }: Generation, { decision: { candidate } }: ToolCall) => {
    const { agent, deferral } = surface.facts
    if (deferral.mode === 'auto' && candidate.protocol === 'mcp') stored.count(agent.name, candidate.id)
  }
  const views = openViews({
    catalogs,
    embedder,
    state: stored.store,
    now,
    isClosed,
    closing: ends.signal,
    pool,
    stateFolder,
    onCall: counted,
    recordOf: (whose) => (entry) => records.add(whose, entry),
    approvalsOf: (whose) => (agent) => callApprovals({ state: stored.store, owner: whose, agent, tell }),
  })
  held.onGeneration(views.observe)

  return {
    ...views.view,
    state: stored.store,
    refresh,
    onGeneration: held.onGeneration,
    sessions: () => shownSessions(sessions(), redacted),
    withSession: ({ server, owner: whose }, work, stop) =>
      pool.use(server, whose, work, stop === undefined ? {} : { signal: stop }),
    endThread: (whose) => pool.endThread(whose),
    close,
  }
}
