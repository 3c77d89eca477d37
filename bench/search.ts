// How well the search of deferred tools finds them, next to other ways of finding tools, in one run on the same sets:
//
//   npm run bench:search -- --data DIR [--sets a,b] [--systems x,y] [--json]
//
// DIR holds a folder for each set, with tools.jsonl and queries.jsonl (see README.md). What cannot be read ends it with 2.

import { resolve } from 'node:path'
import { tellInputError } from './search/input-error.ts'
import { measureSet } from './search/measure.ts'
import { readSet, setNames } from './search/read-sets.ts'
import { searchJson } from './search/search-json.ts'
import { chosen, searchOptions } from './search/search-options.ts'
import { searchText } from './search/search-text.ts'
import { minisearchTuned } from './search/systems/minisearch-tuned.ts'
import { ours, systemOrder } from './search/systems/order.ts'

const rounds = 5
const sampleMax = 150

try {
  main(process.argv.slice(2))
} catch (error) {
  tellInputError(error)
}

function main(argv: readonly string[]): void {
  const { data, sets, systems, json } = searchOptions(argv)
  const folder = resolve(data)
  const ids = systemOrder.map(({ id }) => id)
  const wanted = chosen('system', systems, ids)
  // All sets are read before one is measured: a broken line must not cost minutes first.
  const read = chosen('set', sets, setNames(folder)).map((name) => readSet(folder, name))
  const used = systemOrder.filter(({ id }) => wanted.includes(id))
  const options = { rounds, sampleMax, progress: (line: string) => console.error(line) }
  const figures = new Map(read.map((set) => [set.name, measureSet(set, used, options)]))
  if (json) {
    console.log(JSON.stringify(searchJson(figures)))
    return
  }
  console.log(
    `search (Node ${process.version}); figures in %; times are wall time, medians of ${rounds} rounds in turn`,
  )
  for (const { id, about } of used) console.log(`  ${id === ours ? '* ' : ''}${id}: ${about}`)
  console.log('')
  for (const line of searchText(figures, { ours, timedAgainst: minisearchTuned.id })) console.log(line)
}
