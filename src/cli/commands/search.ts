import { stateFolderOf } from '../../assembly/prepare-run.ts'
import type { PreparedRun } from '../../assembly/run-input.ts'
import { findTools } from '../../catalog/find-tools.ts'
import { type SearchReportOptions, type SearchSettings, searchReport } from '../../report/search.ts'
import { searchText } from '../../report/search-text.ts'
import { sha256 } from '../../sources/sha256.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { usage } from '../flags.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'
import type { Terminal } from '../terminal.ts'

export const search: Command = {
  name: 'search',
  summary: 'what the model gets when it looks for a deferred tool',
  usage: 'QUERY',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: { explain: { type: 'boolean' }, hidden: { type: 'boolean' } },
  flagHelp: [
    { flag: '--explain', means: 'why each hit ranked where it does' },
    { flag: '--hidden', means: 'also what a gate left out and would have been found' },
  ],
  examples: [
    'toolgate search "github create issue"',
    'toolgate search "+notes find" --explain',
    'toolgate search select:files__read',
  ],
  run: async ({ flags, terminal, positionals, prepare }) => {
    const { limit, all } = flags.output
    if (all)
      throw usage('--all has no effect here: an answer is as long as the model gets it', '--all', 'use --limit N')
    const run = await prepare()
    const configured: SearchSettings = run.config?.toolSearch ?? {}
    const meaning = await meaningOf(run, terminal)
    const report = await searchReport(run, positionals[0] ?? '', {
      ...(await reportOptions(flags.output)),
      sha256,
      ...(meaning === undefined ? {} : { find: meaning.find }),
      settings: { ...configured, ...(limit === undefined ? {} : { maxResults: limit }) },
      explain: flags.own.explain === true,
      hidden: flags.own.hidden === true,
    })
    await meaning?.close()
    terminal.settle()
    if (flags.output.json) printJson(terminal, report)
    else terminal.print(searchText(report, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    if (report.fault !== undefined) return exitCodes.usage
    return report.found.length > 0 ? exitCodes.ok : exitCodes.no
  },
}

/** The embedder that is configured, waited for: a command that ends at once would never see its vectors. */
async function meaningOf({ config }: PreparedRun, terminal: Terminal) {
  if (config?.toolSearch.embedder === undefined) return undefined
  const { searchEmbedder } = await import('../../runtime/search-embedder.ts')
  const { findByMeaning } = await import('../../catalog/embedding/find-by-meaning.ts')
  const embedder = searchEmbedder({ config, stateFolder: stateFolderOf(config), tell: (line) => terminal.note(line) })
  const find: NonNullable<SearchReportOptions['find']> = async (index, query, limits) => {
    const embedded = await embedder.over(index)
    if (embedded === undefined) return findTools(index, query, limits)
    terminal.progress('vectors of the deferred tools are made')
    await embedded.settled()
    return findByMeaning(index, embedded, query, limits)
  }
  return { find, close: embedder.close }
}
