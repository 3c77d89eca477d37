// Ten thousand tools to be searched by people who mean harm: ordinary ones, and in every fiftieth a text of four thousand
// characters on which an engine that goes back and tries again does not come to an end.

import type { SearchDocument } from '../../src/catalog/search/search-document.ts'
import { randomOf } from './random.ts'

const verbs = 'create list get update delete search run export move send merge close open assign import'.split(' ')
const things =
  'issue file page row event message branch chart user job record team channel ticket image folder query report'.split(
    ' ',
  )
const services = 'github slack jira notion drive calendar mail crm billing deploy'.split(' ')
const details =
  'by name or id, with a filter and a limit; returns what matched as a list. Needs a project, a team and the right to read it. Dates are ISO 8601.'
const charsOfTraps = 4000
const traps = ['a', 'ab ', 'x', 'word ', '1', '\u7ffb']

/** So many documents, the same each time. */
export function hostileDocuments(count: number): readonly SearchDocument[] {
  const random = randomOf(20_261_202)
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: count }, (_, at): SearchDocument => {
    const [verb, thing, service] = [pick(verbs), pick(things), pick(services)]
    const server = `${service}${at % 40}`
    const originalName = `${verb}_${thing}_${at}`
    const trap = at % 50 === 0 ? pick(traps) : ''
    const long = trap === '' ? '' : ` ${trap.repeat(Math.ceil(charsOfTraps / trap.length))}!`
    return {
      name: `${server}__${originalName}`,
      originalName,
      server,
      description: `${verb[0]?.toUpperCase()}${verb.slice(1)}s a ${thing} in ${service} ${details}${long}`,
      inputSchema: {
        type: 'object',
        properties: {
          [`${thing}_id`]: { type: 'string', description: `The ${thing} that is meant.` },
          [pick(things)]: { type: 'string', description: `Its ${pick(things)}, as in ${pick(services)}.` },
        },
      },
      keywords: [],
      priority: 0,
      definitionHash: String(at),
    }
  })
}
