import { readFile } from 'node:fs/promises'
import { targetOf } from '../../assembly/facts-of.ts'
import { changesOf } from '../../assembly/policy.ts'
import type { Change } from '../../core/gate.ts'
import type { Json } from '../../core/json.ts'
import { gateOrder, presetNames } from '../../gates/order.ts'
import { replay as replayed } from '../../report/replay.ts'
import { replayText } from '../../report/replay-text.ts'
import { sha256 } from '../../sources/sha256.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Flags, usage } from '../flags.ts'
import { readableFile } from '../lock-file.ts'
import { printJson } from '../print-json.ts'

export const replay: Command = {
  name: 'replay',
  summary: 'make the decisions of a log again: equal to the byte, or under changed facts',
  usage: 'LOG',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: { set: { type: 'string', multiple: true } },
  flagHelp: [{ flag: '--set PATH=JSON', means: 'what if this fact had been so, as model.can=["tools"] (repeatable)' }],
  examples: [
    'toolgate tools --log runs.jsonl',
    'toolgate replay runs.jsonl',
    'toolgate replay runs.jsonl --set model.can=[]',
  ],
  run: async ({ flags, terminal, positionals }) => {
    const changes = whatIfChanges(flags)
    const file = positionals[0] ?? ''
    const text = await readableFile(file, (path) => readFile(path, 'utf8'))
    const report = replayed(
      text.split('\n').filter((line) => line !== ''),
      {
        gatesFor: (name) => {
          const known = presetNames.find((preset) => preset === name)
          return known === undefined ? undefined : gateOrder[known]
        },
        sha256,
        lang: flags.output.lang,
        ...(changes.length > 0 ? { change: { changes } } : {}),
      },
    )
    if (flags.output.json) printJson(terminal, report)
    else terminal.print(replayText(report, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    const sound = report.runs.length > 0 && report.runs.every((run) => run.equal)
    return sound && report.findings.every((found) => found.severity !== 'error') ? exitCodes.ok : exitCodes.no
  },
}

/** The policy flags and --set as changes; those that mean nothing to stored facts are errors. */
function whatIfChanges(flags: Flags): Change[] {
  const { policy } = flags
  for (const key of ['config', 'snapshot', 'agent', 'model', 'subagent', 'preset', 'log', 'refresh'] as const) {
    if (policy[key] !== undefined) throw usage(`--${key} has no effect on a log; the log holds it`, `--${key}`)
  }
  if (policy.skills !== undefined) throw usage('--skill has no effect on a log', '--skill', 'use --set skills=JSON')
  const target: Change[] =
    policy.target === undefined
      ? []
      : [{ on: 'facts', op: 'set', path: ['target'], value: { ...targetOf(policy.target), origin: undefined } }]
  const sets = Array.isArray(flags.own.set) ? (flags.own.set as readonly string[]) : []
  return [...changesOf(policy), ...target, ...sets.map(setChange)]
}

function setChange(text: string): Change {
  const at = text.indexOf('=')
  if (at < 1) throw usage(`--set takes PATH=JSON, not "${text}"`, '--set')
  let value: Json
  try {
    value = JSON.parse(text.slice(at + 1)) as Json
  } catch {
    throw usage(
      `the value of --set ${text.slice(0, at)} is not JSON`,
      '--set',
      'quote texts: --set agent.name=\'"reader"\'',
    )
  }
  return { on: 'facts', op: 'set', path: text.slice(0, at).split('.'), value }
}
