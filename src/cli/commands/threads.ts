import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stateFolderOf } from '../../assembly/prepare-run.ts'
import type { Config } from '../../config/config.ts'
import { finding, ToolgateError } from '../../errors.ts'
import { nearest } from '../../names/nearest.ts'
import { storedState } from '../../runtime/stored-state.ts'
import type { StateStore } from '../../state/state-store.ts'
import type { ThreadRecord } from '../../state/thread-state.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import { askLine } from '../ask-line.ts'
import type { Command, CommandContext } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type Flags, usage } from '../flags.ts'
import { stopOnInterrupt } from '../interrupt.ts'
import { onlyPolicy } from '../policy-flag-names.ts'
import { configOf } from '../prepare.ts'
import { printJson } from '../print-json.ts'
import { runAgain } from '../run/command-line.ts'
import { tellFindings } from '../tell-findings.ts'
import { shownPath, threadFiles } from '../thread-files.ts'
import { threadOwner } from '../thread-owner.ts'
import { threadsText, threadText } from '../threads-text.ts'

export const threads: Command = {
  name: 'threads',
  summary: 'conversations that were begun: how they stand, and what they wait for',
  usage: '[ID]',
  positionalsMin: 0,
  positionalsMax: 1,
  flags: { user: { type: 'string' }, forget: { type: 'boolean' }, yes: { type: 'boolean' } },
  flagHelp: [
    { flag: '--user ID', means: 'whose threads (default: local)' },
    { flag: '--forget', means: 'remove what is stored of the conversation; its files stay' },
    { flag: '--yes', means: 'without asking' },
  ],
  examples: ['toolgate threads', 'toolgate threads t-1f2e3d4c', 'toolgate threads t-1f2e3d4c --forget'],
  run: async (context) => {
    const { flags, terminal, positionals } = context
    onlyPolicy(flags, ['config', 'agent'])
    const [id] = positionals
    if (id === undefined && flags.own.forget === true) throw usage('--forget needs the id of a thread', '--forget')
    if (flags.own.yes === true && flags.own.forget !== true)
      throw usage('--yes has no effect without --forget', '--yes')
    const owner = threadOwner(flags, id ?? 'default')
    const loaded = await configOf(flags.policy.config, false)
    if (loaded === undefined) throw usage('threads need a configuration', '--config')
    const { config } = loaded
    const tell = (line: string) => terminal.note(line)
    const stored = storedState({ config, stateFolder: stateFolderOf(config), tell })
    try {
      const store = await stored.store()
      if (id === undefined) return await listed(store, owner, context)
      const known = await threadKnown(store, owner, { config, flags })
      return await (flags.own.forget === true ? forgotten : shown)({ store, owner, known, config }, context)
    } finally {
      await stored.close()
    }
  },
}

const shownMax = 20
/** Most that a store tells at once. */
const listMax = 1000

async function listed(
  store: StateStore,
  { user }: ThreadOwner,
  { flags, terminal }: CommandContext,
): Promise<ExitCode> {
  const { limit = shownMax, all, json } = flags.output
  const { agent } = flags.policy
  const records = (await store.threads.list({ user, limit: listMax })).filter(
    (record) => agent === undefined || record.agent === agent,
  )
  const some = all ? records : records.slice(0, limit)
  if (json) {
    printJson(terminal, { schema: 'toolgate.threads/1', user, total: records.length, threads: some })
    return exitCodes.ok
  }
  terminal.print(threadsText(some, terminal, Date.now()))
  const more = records.length - some.length
  if (more > 0) terminal.print(terminal.paint.dim(`… and ${more} more; --all shows them`))
  return exitCodes.ok
}

interface OneThread {
  readonly store: StateStore
  readonly owner: ThreadOwner
  readonly known: readonly ThreadRecord[]
  readonly config: Config
}

/** The conversations of a thread. Throws a ToolgateError `unknown-name` where nothing at all is known of it. */
async function threadKnown(
  { threads: store, askedCalls }: StateStore,
  owner: ThreadOwner,
  { config, flags }: { readonly config: Config; readonly flags: Flags },
): Promise<readonly ThreadRecord[]> {
  const { agent } = flags.policy
  const all = await store.list({ user: owner.user, limit: listMax })
  const own = all.filter((record) => record.thread === owner.thread && (agent === undefined || record.agent === agent))
  if (own.length > 0) return own
  const named = config.agents.map(({ name }) => name).filter((name) => agent === undefined || name === agent)
  const old = await Promise.all(named.map((name) => store.read({ ...owner, agent: name })))
  const found = old.filter((record) => record !== undefined)
  if (found.length > 0) return found
  // Calls of `toolgate call` leave files and questions, and no conversation.
  if ((await askedCalls.list(owner)).length > 0 || existsSync(threadFiles(config, owner))) return []
  const [near] = nearest(
    owner.thread,
    all.map(({ thread }) => thread),
  )
  throw new ToolgateError(
    finding('unknown-name', 'error', `there is no thread "${owner.thread}" of the user "${owner.user}"`, {
      subject: owner.thread,
      hint: near === undefined ? 'see `toolgate threads`' : `did you mean "${near}"`,
      origin: { in: 'command line', key: 'ID' },
    }),
  )
}

async function shown({ owner, known, config }: OneThread, { flags, terminal }: CommandContext): Promise<ExitCode> {
  const files = threadFiles(config, owner)
  if (flags.output.json)
    printJson(terminal, { schema: 'toolgate.threads/1', ...owner, total: known.length, threads: known, files })
  else {
    const again = ({ agent }: ThreadRecord) => runAgain(withAgent(flags, agent, config), owner.thread)
    terminal.print(threadText({ records: known, files: shownPath(files), again, now: Date.now() }, terminal))
  }
  return exitCodes.ok
}

/** The agent is named where the command line would not choose it by itself. */
const withAgent = (flags: Flags, agent: string, { agents }: Config): Flags =>
  agents[0]?.name === agent || agents.length === 0 ? flags : { ...flags, policy: { ...flags.policy, agent } }

/** Takes the thread first, so that no program writes on while it goes. */
async function forgotten({ store, owner, known, config }: OneThread, context: CommandContext): Promise<ExitCode> {
  const { flags, terminal } = context
  if (!(await agreed(owner, context))) return exitCodes.no
  const holder = randomUUID()
  for (const { agent } of known) {
    const now = Date.now()
    const isFree = await store.threads.claim({ ...owner, agent }, { holder, now, until: now + 60_000 })
    if (isFree) continue
    tellFindings([finding('thread-busy', 'error', `another program carries on "${owner.thread}" right now`)], context)
    return exitCodes.no
  }
  await store.promotions.forget(owner)
  await store.askedCalls.forget(owner)
  await store.threads.forget(owner)
  for (const { agent } of known) await store.threads.release({ ...owner, agent }, holder)
  const files = threadFiles(config, owner)
  const hasFiles = existsSync(files)
  if (flags.output.json)
    printJson(terminal, { schema: 'toolgate.threads/1', ...owner, forgotten: true, ...(hasFiles ? { files } : {}) })
  else {
    terminal.print(`${owner.thread}: forgotten`)
    if (hasFiles) terminal.print(`Its files stay: ${shownPath(files)}`)
  }
  return exitCodes.ok
}

async function agreed({ thread }: ThreadOwner, { flags, terminal }: CommandContext): Promise<boolean> {
  if (flags.own.yes === true) return true
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw usage('nobody is there to be asked', '--forget', 'add --yes')
  const stop = stopOnInterrupt()
  const question = terminal.notePaint.yellow(`Forget the conversation of ${thread}? [y/N] `)
  const isAgreed = await askLine(question, { stop, read: (line) => /^y(es)?$/i.test(line) })
  stop.end()
  return isAgreed === true
}
