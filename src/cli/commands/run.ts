import { join } from 'node:path'
import type { AgentEvent } from '../../agent/agent-event.ts'
import type { Agent } from '../../agent/open-agent.ts'
import { advised } from '../../assembly/advised.ts'
import { ToolgateError } from '../../errors.ts'
import { approvalBoard } from '../../runtime/approvals/approval-board.ts'
import type { Toolbox } from '../../runtime/toolbox.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import type { Command, CommandContext } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { usage } from '../flags.ts'
import { type Interrupt, stopOnInterrupt } from '../interrupt.ts'
import { exitOf } from '../outcome.ts'
import { toolboxFor } from '../prepare.ts'
import { missingServers, unfulfilled } from '../run/before-run.ts'
import { runAgain } from '../run/command-line.ts'
import type { Talk } from '../run/converse.ts'
import { type EventView, eventView, jsonView } from '../run/event-view.ts'
import { scriptReport } from '../run/play-script.ts'
import { runPerson } from '../run/run-person.ts'
import { type RunRequest, runRequest } from '../run/run-request.ts'
import { type ScriptModel, scriptModel, withoutScript } from '../run/script-model.ts'
import { carriedOn, type Ended } from '../run/thread-talk.ts'
import { answerLines } from '../run/waiting-lines.ts'
import { tellFindings } from '../tell-findings.ts'
import { shownPath, threadFiles } from '../thread-files.ts'

export const run: Command = {
  name: 'run',
  summary: 'let the agent work on what you say, on exactly its surface',
  usage: '[PROMPT]',
  positionalsMin: 0,
  positionalsMax: 1,
  flags: {
    thread: { type: 'string' },
    user: { type: 'string' },
    resume: { type: 'boolean' },
    approve: { type: 'string' },
    yes: { type: 'boolean' },
    require: { type: 'string', multiple: true },
    forbid: { type: 'string', multiple: true },
  },
  flagHelp: [
    { flag: '--model script:FILE', means: 'replay a written conversation instead of asking a model; needs no key' },
    { flag: '--thread ID', means: 'go on with that thread (default: a new one)' },
    { flag: '--user ID', means: 'whose thread (default: local)' },
    { flag: '--resume', means: 'go on with a turn that was broken off' },
    { flag: '--approve once|always|deny', means: 'answer every call that waits in the thread, and go on' },
    { flag: '--yes', means: 'approve once whatever is asked' },
    { flag: '--require RULE', means: 'end before the first request unless such a tool is there (repeatable)' },
    { flag: '--forbid RULE', means: 'end before the first request if such a tool is there (repeatable)' },
  ],
  examples: [
    'toolgate run "What do our papers say about the archive?"',
    'toolgate run --thread t-1f2e3d4c "One line, please."',
    'toolgate run --model script:conversation.yaml',
  ],
  run: async (context) => {
    const { flags, terminal, positionals } = context
    const request = await runRequest(flags, positionals[0])
    const script = await scriptModel(flags)
    if (request.words === undefined && !request.resumes && script === undefined)
      throw usage('`toolgate run` needs words', 'run', 'say what the agent shall do: toolgate run "…"')
    if (script !== undefined) terminal.note(`The model is a written conversation: ${script.file}`)
    const stop = stopOnInterrupt()
    const prepared = { owner: request.owner, signal: stop.signal, program: 'run' }
    const toolbox = await toolboxFor(withoutScript(flags), terminal, prepared).catch((error: unknown) => {
      stop.end()
      throw error
    })
    try {
      if (stop.signal.aborted) return exitCodes.no
      return (await refusedBefore(toolbox, context)) ?? (await talked({ toolbox, request, script, stop }, context))
    } finally {
      stop.end()
      await toolbox.close()
    }
  },
}

/** Why the run must not begin, told; undefined: it may. */
async function refusedBefore(toolbox: Toolbox, { flags, terminal }: CommandContext): Promise<ExitCode | undefined> {
  const { run: prepared, config } = toolbox.current()
  const findings = unfulfilled(prepared, config, flags)
  if (findings.length > 0) {
    tellFindings(findings, { flags, terminal })
    const missing = exitOf(prepared)
    return missing === exitCodes.ok ? exitCodes.no : missing
  }
  const missing = missingServers(prepared)
  if (missing !== undefined && !flags.output.json) terminal.note(terminal.notePaint.dim(missing))
  return undefined
}

interface Work {
  readonly toolbox: Toolbox
  readonly request: RunRequest
  readonly script: ScriptModel | undefined
  readonly stop: Interrupt
}

async function talked(
  { toolbox, request, script, stop }: Work,
  { flags, terminal }: CommandContext,
): Promise<ExitCode> {
  const { owner } = request
  const agent = await agentFor(toolbox, owner, script)
  const state = await toolbox.state()
  const person = runPerson(terminal, { flags, stop })
  const view = noticing(flags.output.json ? jsonView(terminal) : eventView(terminal))
  const talk: Talk = {
    agent,
    user: owner.user,
    board: approvalBoard(state),
    view: view.view,
    signal: stop.signal,
    approvesAll: flags.own.yes === true,
    ...(person === undefined ? {} : { person }),
  }
  const ended = await carriedOn({ talk, request, toolbox, state, ...(script === undefined ? {} : { script }) })
  if (!flags.output.json) {
    terminal.note('')
    // Most clients look for their key when they are asked for the first time.
    if (ended.because === 'failed' && script === undefined && !view.hasAnswered())
      terminal.note(`See \`use\` and \`args\` of the model and the key that it takes from the environment; ${offer}`)
    if (view.hasFiles())
      terminal.note(`Files for you: ${shownPath(join(threadFiles(toolbox.current().config, owner), 'outputs'))}`)
    for (const line of onwardLines(ended, owner.thread, runAgain(flags, owner.thread)))
      terminal.note(ended.waits.length > 0 ? line : terminal.notePaint.dim(line))
  }
  const played = script === undefined ? undefined : scriptReport(script, ended.isWhole)
  if (played?.line !== undefined) terminal.note(played.line)
  const isGood = ended.because === 'answered' || ended.because === 'waiting'
  return isGood && played?.good !== false && !stop.signal.aborted ? exitCodes.ok : exitCodes.no
}

const offer = 'a written conversation needs no model: --model script:FILE'

/** Throws a ToolgateError that says what to set, and that a script needs nothing of it. */
async function agentFor(toolbox: Toolbox, owner: ThreadOwner, script: ScriptModel | undefined): Promise<Agent> {
  // The framework takes most of a second to load.
  const { agentOn } = await import('../../agent/agent-on.ts')
  try {
    return await agentOn({ toolbox, owner, ...(script === undefined ? {} : { script: script.player }) })
  } catch (error) {
    if (!(error instanceof ToolgateError) || script !== undefined) throw error
    const { hint = '', ...found } = advised(error.finding)
    throw new ToolgateError({ ...found, hint: `${hint === '' ? '' : `${hint}; `}${offer}` })
  }
}

interface Noticed {
  readonly view: EventView
  /** There are files for the person. */
  readonly hasFiles: () => boolean
  /** A model has said or called something. */
  readonly hasAnswered: () => boolean
}

function noticing(view: EventView): Noticed {
  const seen = new Set<AgentEvent['type']>()
  const notice = (event: AgentEvent): void => {
    seen.add(event.type)
    if (event.type === 'child') notice(event.event)
  }
  const show: EventView['show'] = (event) => {
    notice(event)
    view.show(event)
  }
  const has = (...types: readonly AgentEvent['type'][]): boolean => types.some((type) => seen.has(type))
  return { view: { ...view, show }, hasFiles: () => has('artifact'), hasAnswered: () => has('text', 'call') }
}

/** How to go on in another program. A script that is over has nothing to go on with. */
function onwardLines({ because, waits, isWhole }: Ended, thread: string, again: string): readonly string[] {
  if (waits.length > 0) return answerLines(thread, waits, again)
  if (isWhole) return []
  const goesOn = because === 'answered' || because === 'waiting'
  return [`Thread ${thread}; to go on: ${again} ${goesOn ? '"…"' : '--resume'}`]
}
