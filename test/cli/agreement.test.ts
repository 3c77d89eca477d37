// Whatever the policy flags, every reader tells of one and the same surface. Each combination of flags is parsed as on
// the command line and run through the commands themselves; only the terminal is a fake, and files are read once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readInventory } from '../../src/assembly/inventory.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { Inventory, PreparedRun } from '../../src/assembly/run-input.ts'
import type { Command, CommandContext } from '../../src/cli/command.ts'
import { bootstrap } from '../../src/cli/commands/bootstrap.ts'
import { diff } from '../../src/cli/commands/diff.ts'
import { route } from '../../src/cli/commands/route.ts'
import { show } from '../../src/cli/commands/show.ts'
import { toolPool } from '../../src/cli/commands/tool-pool.ts'
import { tools } from '../../src/cli/commands/tools.ts'
import { why } from '../../src/cli/commands/why.ts'
import { type Flags, parseFlags } from '../../src/cli/flags.ts'
import { prepare } from '../../src/cli/prepare.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { type PresetName, presetNames } from '../../src/gates/order.ts'
import type { Bootstrap } from '../../src/report/bootstrap.ts'
import type { SurfaceDiff } from '../../src/report/diff.ts'
import type { Explanation } from '../../src/report/explain.ts'
import type { Route } from '../../src/report/route.ts'
import type { Show } from '../../src/report/show.ts'
import type { ToolPool } from '../../src/report/tool-pool.ts'
import type { ToolsReport } from '../../src/report/tools-report.ts'
import { candidates, everywhere, type InventoryFolder, inventoryFolder } from './desk-inventory.ts'
import { type FakeTerminal, fakeTerminal } from './fake-terminal.ts'

let files: InventoryFolder
let inventory: Inventory
const loaded = new Map<string, Awaited<ReturnType<typeof loadConfig>>>()

beforeAll(async () => {
  files = await inventoryFolder()
  inventory = await readInventory(files.snapshot)
  for (const otherwise of ['ask', 'deny'] as const) {
    loaded.set(otherwise, await loadConfig(files.configOf(otherwise), { environment: {} }))
  }
})
afterAll(() => files.remove())

const switches: readonly (readonly string[])[] = [
  ['--simple-mode'],
  ['--no-mcp'],
  ['--deny-tool', 'git_push'],
  ['--deny-prefix', 'files__'],
  ['--allow', 'crm/find'],
  ['--skill', 'tidy'],
  ['--unattended'],
  ['--subagent', 'child'],
]

/** Every way to give some of the switches: 256. */
const combinations: readonly (readonly string[])[] = switches.reduce<readonly (readonly string[])[]>(
  (before, flag) => before.flatMap((words) => [words, [...words, ...flag]]),
  [[]],
)

async function runOf(flags: Flags, otherwise: string): Promise<PreparedRun> {
  const { config, findings = [] } = loaded.get(otherwise) ?? {}
  if (config === undefined) throw new Error('the configuration of this test cannot be used')
  const preset = flags.policy.preset as PresetName
  return prepareRun({ config, configFindings: findings, inventory, policy: flags.policy, preset })
}

interface Asked {
  readonly code: number
  readonly text: string
}

/** One command with its words, over runs that are made already. */
async function ask(
  command: Command,
  words: readonly string[],
  runs: { readonly flagged: PreparedRun; readonly bare: PreparedRun },
): Promise<Asked> {
  const flags = parseFlags(words, command.flags)
  const terminal: FakeTerminal = fakeTerminal()
  const ready: CommandContext['prepare'] = async (over) => (over?.agent === 'bare' ? runs.bare : runs.flagged)
  const code = await command.run({ flags, terminal, positionals: flags.positionals, prepare: ready })
  return { code, text: terminal.printed() }
}

const documentOf = <T>({ text }: Asked): T => JSON.parse(text) as T
const namesOf = (report: ToolsReport, ...outcomes: readonly string[]): string[] =>
  report.decisions.filter(({ outcome }) => outcomes.includes(outcome)).map(({ name }) => name)

/** Throws, with the flags, unless all commands agree about this run. */
async function agree(
  words: readonly string[],
  runs: { readonly flagged: PreparedRun; readonly bare: PreparedRun },
): Promise<ToolsReport> {
  const told = words.join(' ')
  const report = documentOf<ToolsReport>(await ask(tools, [...words, '--json'], runs))
  const { totals, decisions } = report
  const exposed = namesOf(report, 'eager', 'deferred')
  const counts = {
    candidates: totals.candidates,
    eager: totals.eager,
    deferred: totals.deferred,
    excluded: totals.excluded,
  }

  expect(totals.candidates, told).toBe(candidates.length)
  expect(totals.eager + totals.deferred + totals.excluded, told).toBe(totals.candidates)
  const byGate = Object.values(totals.byGate).flatMap((codes) => Object.values(codes))
  expect(
    byGate.reduce((sum, count) => sum + count, 0),
    told,
  ).toBe(totals.excluded)
  expect(namesOf(report, 'eager').length, told).toBe(totals.eager)
  // claw-code knows no such gate: there a name may occur more than once.
  if (report.gates.includes('unique-name')) expect(new Set(exposed).size, told).toBe(exposed.length)

  const table = (await ask(tools, [...words, '--all'], runs)).text
  expect(table, told).toContain(
    `${totals.candidates} = ${totals.eager} eager + ${totals.deferred} deferred + ${totals.excluded} excluded`,
  )

  const pool = documentOf<ToolPool>(await ask(toolPool, [...words, '--json'], runs))
  expect({ names: pool.tools.map(({ name }) => name), ...pool, tools: [] }, told).toMatchObject({
    names: exposed,
    count: exposed.length,
    deferred: totals.deferred,
    excluded: totals.excluded,
    byGate: totals.byGate,
    surface: report.surface,
  })
  expect((await ask(toolPool, [...words, '--all'], runs)).text.match(/^- /gm) ?? [], told).toHaveLength(exposed.length)

  const session = documentOf<Bootstrap>(await ask(bootstrap, [...words, everywhere, '--json'], runs))
  expect(session.totals, told).toEqual(totals)
  expect([session.eager, session.deferred, session.surface], told).toEqual([
    namesOf(report, 'eager'),
    namesOf(report, 'deferred'),
    report.surface,
  ])
  expect(session.route?.total, told).toBe(exposed.length)

  const routed = documentOf<Route>(await ask(route, [...words, everywhere, '--all', '--hidden', '--json'], runs))
  expect(routed.matches.map(({ name }) => name).sort(), told).toEqual([...exposed].sort())
  // The stand-in of a server that never listed anything has no description to match.
  expect(routed.hidden.map(({ id }) => id).sort(), told).toEqual(
    decisions
      .filter(({ outcome, standIn }) => outcome === 'excluded' && standIn !== true)
      .map(({ id }) => id)
      .sort(),
  )

  const difference = documentOf<SurfaceDiff>(await ask(diff, [...words, 'agent:bare', 'agent:flagged', '--json'], runs))
  expect(difference.after.totals, told).toEqual(counts)
  expect(difference.before.totals, told).toEqual({ ...runs.bare.surface.totals })
  expect([difference.after.surface, difference.added, difference.removed], told).toEqual([report.surface, [], []])
  expect(difference.changed.length + difference.unchanged, told).toBe(totals.candidates)
  const moved = new Map(difference.changed.map(({ id, before, after }) => [id, [before.outcome, after.outcome]]))
  for (const before of runs.bare.surface.decisions) {
    const after = decisions.find(({ id }) => id === before.candidate.id)
    expect(moved.get(before.candidate.id) ?? [before.outcome, before.outcome], told).toEqual([
      before.outcome,
      after?.outcome,
    ])
  }
  return report
}

/** `show` and `why` of every tool say what `tools` says of it. */
async function agreeOnEach(
  words: readonly string[],
  report: ToolsReport,
  runs: { readonly flagged: PreparedRun; readonly bare: PreparedRun },
): Promise<void> {
  for (const decision of report.decisions) {
    const told = `${decision.id} ${words.join(' ')}`
    const shown = await ask(show, [...words, decision.id, '--json'], runs)
    const [tool] = documentOf<Show>(shown).tools
    expect(tool, told).toMatchObject({ ...decision })
    expect(shown.code, told).toBe(decision.outcome === 'excluded' ? 1 : 0)
    const explained = await ask(why, [...words, decision.id, '--json'], runs)
    expect(documentOf<Explanation>(explained).decisions[0], told).toMatchObject({ ...decision })
    expect(explained.code, told).toBe(shown.code)
  }
}

const places = presetNames
  .flatMap((preset) =>
    ['common', 'gemini'].flatMap((target) => ['ask', 'deny'].map((otherwise) => ({ preset, target, otherwise }))),
  )
  .map((at, place) => ({ ...at, place }))

describe.each(places)(
  'with preset $preset, target $target and otherwise $otherwise [D1, D2]',
  ({ preset, target, otherwise, place }) => {
    it('every combination of the policy flags gives every command the same surface', async () => {
      const here = ['--preset', preset, '--target', target]
      const bare = await runOf(parseFlags(here, {}), otherwise)
      const surfaces = new Set<string>()
      for (const [index, combination] of combinations.entries()) {
        const words = [...here, ...combination]
        const runs = { bare, flagged: await runOf(parseFlags(words, {}), otherwise) }
        const report = await agree(words, runs)
        // Each tool by itself for every eleventh combination, others in each place.
        if (index % 11 === place % 11) await agreeOnEach(words, report, runs)
        surfaces.add(report.surface)
      }
      // That the flags do something at all.
      expect(surfaces.size).toBeGreaterThan(40)
    })
  },
)

describe('what is read from files each time', () => {
  it.each([
    ['--simple-mode'],
    ['--no-mcp', '--skill', 'tidy', '--target', 'gemini'],
    ['--deny-prefix', 'files__', '--unattended', '--preset', 'deerflow'],
    ['--allow', 'crm/find', '--subagent', 'child', '--preset', 'claw'],
  ])('gives the same surface to the bit: %s', async (...words) => {
    const flags = parseFlags(['--config', files.configOf('ask'), '--snapshot', files.snapshot, ...words], {})
    const fresh = await prepare(flags, fakeTerminal())
    const kept = await runOf({ ...flags, policy: { preset: 'default', ...flags.policy } }, 'ask')
    expect(fresh.surface.hash).toBe(kept.surface.hash)
    expect(fresh.surface.decisions).toEqual(kept.surface.decisions)
  })
})
