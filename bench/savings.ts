// What deferral saves: the names of tools in place of their definitions, counted with a real tokenizer over captured
// catalogues of public MCP servers. Decisions, definitions and sums are the product's own.
//
//   npm run bench:savings [-- --data DIR] [--json]

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reportOptions } from '../src/cli/report-options.ts'
import { printable } from '../src/core/printable.ts'
import type { Surface } from '../src/core/surface.ts'
import { type CountTokens, type TokenShare, tokenCosts } from '../src/report/tokens.ts'
import { median, printRatios, type Ratio } from './ratios.ts'
import { type Captured, capturedIn, capturedRun } from './savings/captured-run.ts'
import { searchAnswers } from './savings/search-answers.ts'
import { serverNames, wholeName } from './savings/server-names.ts'
import { InputError, tellInputError } from './search/input-error.ts'

/** What names may cost of what the definitions cost, over all servers. */
const most = 0.05
const usual = '../shared/data/mcp-catalogs'

try {
  await main(process.argv.slice(2))
} catch (error) {
  tellInputError(error)
}

async function main(argv: readonly string[]): Promise<void> {
  const { data = usual, json = false } = options(argv)
  const folder = resolve(data)
  const captured = capturedIn(folder)
  if (captured === undefined || captured.length === 0) {
    console.log(`nothing is measured: there are no catalogues in "${printable(folder, 300)}" (--data DIR)`)
    return
  }
  const { count } = await reportOptions({ lang: 'en', exact: true })
  if (count === undefined) throw new Error('there is no tokenizer')
  const packages = captured.map((one) => one.package)
  const servers = await rowsOf(captured, serverNames(packages), count)
  const long = await rowsOf(captured, packages.map(wholeName), count)
  const { surface } = await capturedRun(captured, serverNames(packages))
  const costs = tokenCosts(surface, count)
  const answers = searchAnswers(surface, count)
  const [schemas, names] = [sumOf(servers, 'schemas'), sumOf(servers, 'names')]
  const peer = { peer: 'their definitions', peerValue: schemas }
  const ratios: readonly Ratio[] = [
    { what: 'names of all tools, one a line', value: names, ...peer, most },
    {
      what: 'the same where servers bear whole package names',
      value: sumOf(long, 'names'),
      ...peer,
      peerValue: sumOf(long, 'schemas'),
      most,
    },
    {
      what: 'what the prompt lists of all, and tool_search',
      value: costs.deferredNames + costs.searchTool,
      ...peer,
    },
    { what: 'one search answer, the middle of twenty', value: median(answers.map(({ tokens }) => tokens)), ...peer },
    { what: 'one search answer, the largest', value: Math.max(...answers.map(({ tokens }) => tokens)), ...peer },
  ]
  const about = [
    `${servers.length} servers, ${sumOf(servers, 'tools')} tools; tokens of o200k_base; a search answer has the definitions of 5 tools`,
    savedLine(servers),
  ]
  if (json) {
    const kept = ratios.every((one) => one.most === undefined || one.value / one.peerValue <= one.most)
    const total = { tools: sumOf(servers, 'tools'), schemas, names, saved: 1 - names / schemas }
    const document = {
      schema: 'toolgate.bench/1',
      title: 'savings',
      about,
      node: process.version,
      total,
      servers,
      answers,
      ratios,
    }
    console.log(JSON.stringify(document, undefined, 2))
    if (!kept) process.exitCode = 1
    return
  }
  for (const line of table(servers)) console.log(line)
  printRatios({ title: 'savings', about, ratios, figure: (value) => `${Math.round(value)} tokens` })
}

interface ServerRow {
  readonly server: string
  readonly tools: number
  readonly schemas: number
  readonly names: number
  /** Fraction of the tokens of the definitions. */
  readonly saved: number
  /** Why less is saved than must be over all. */
  readonly because?: string
}

/** Each server as the only one of a run, so that every name of it is listed. */
async function rowsOf(
  captured: readonly Captured[],
  names: readonly string[],
  count: CountTokens,
): Promise<ServerRow[]> {
  const rows: ServerRow[] = []
  for (const [at, one] of captured.entries()) {
    const server = names[at] ?? one.package
    const { surface } = await capturedRun([one], [server])
    const share = tokenCosts(surface, count).byServer[server]
    if (share !== undefined) rows.push(serverRow(surface, server, share))
  }
  return rows
}

function serverRow(surface: Surface, server: string, share: TokenShare): ServerRow {
  const { tools, tokens: names, ifAllEager: schemas } = share
  const row = { server, tools, schemas, names, saved: 1 - names / schemas }
  if (row.saved >= 1 - most) return row
  const eager = surface.withOutcome('eager').filter(({ candidate }) => candidate.server === server).length
  const each = (sum: number): number => Math.round(sum / tools)
  const because =
    eager > 0
      ? `${eager} of its tools are not deferred`
      : `a definition takes ${each(schemas)} tokens, a name ${each(names)}`
  return { ...row, because }
}

function sumOf(rows: readonly ServerRow[], key: 'tools' | 'schemas' | 'names'): number {
  return rows.reduce((sum, row) => sum + row[key], 0)
}

/** The whole, and what the whole could hide: the usual server, what is left without the largest, the poor ones. */
function savedLine(servers: readonly ServerRow[]): string {
  const savedBy = (rows: readonly ServerRow[]) => percent(1 - sumOf(rows, 'names') / sumOf(rows, 'schemas'))
  const [largest, ...rest] = [...servers].sort((a, b) => b.schemas - a.schemas)
  const poor = servers.filter(({ because }) => because !== undefined).length
  return [
    `saved in all ${savedBy(servers)} %`,
    `without ${largest?.server ?? 'none'}, the largest, ${savedBy(rest)} %`,
    `by the middle server ${percent(median(servers.map(({ saved }) => saved)))} %`,
    `by ${poor} servers less than ${percent(1 - most)} %`,
  ].join('; ')
}

function percent(fraction: number): string {
  return (fraction * 100).toFixed(1)
}

function table(servers: readonly ServerRow[]): string[] {
  const head = ['server', 'tools', 'definitions', 'names', 'saved %', '']
  const rows = servers.map(({ server, tools, schemas, names, saved, because = '' }) => [
    printable(server, 60),
    String(tools),
    String(schemas),
    String(names),
    percent(saved),
    because,
  ])
  const all = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, at) => (at === 0 || at === 5 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function options(argv: readonly string[]): { readonly data?: string; readonly json?: boolean } {
  try {
    return parseArgs({ args: [...argv], options: { data: { type: 'string' }, json: { type: 'boolean' } } }).values
  } catch (error) {
    throw new InputError(
      `${printable(error instanceof Error ? error.message : String(error), 200)}\nusage: npm run bench:savings -- [--data DIR] [--json]`,
    )
  }
}
