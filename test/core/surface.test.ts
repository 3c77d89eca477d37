import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { toolGroups } from '../../src/gates/tool-groups.ts'
import { aCandidate, aStandIn, sha256, someFacts } from '../../src/testing/index.ts'

const surfaceOf = (...candidates: readonly Candidate[]) =>
  assemble(someFacts({ agent: { groups: ['web'] } }), candidates, [toolGroups], { sha256 })

const move = aCandidate({ server: 'files', originalName: 'move_file' })
const hidden = aCandidate({ originalName: 'secret', group: 'shell' })
const labelled = aCandidate({ originalName: 'run_query', declaredName: 'Query tool' })
const surface = surfaceOf(move, hidden, labelled, aStandIn('asleep'), aCandidate({ originalName: 'constructor' }))

describe('find [D1]', () => {
  test('finds what is exposed by exactly its name', () => {
    expect(surface.find('files__move_file')?.candidate).toBe(move)
    expect(surface.find('constructor')?.name).toBe('constructor')
  })

  test.each([
    'secret',
    'move_file',
    'FILES__MOVE_FILE',
    'files__move_file ',
    'files__move_file\n',
    'toString',
    '__proto__',
    '',
  ])('does not find %j (P5)', (name) => expect(surface.find(name)).toBeUndefined())

  test.each([[['files__move_file']], [{ toString: () => 'files__move_file' }], [null], [7]])(
    'does not find %j, which is no text (P5)',
    (name) => expect(surface.find(name as unknown as string)).toBeUndefined(),
  )

  test('finds the first of two that bear one name', () => {
    const twin = aCandidate({ server: 'other', originalName: 'move_file', name: 'files__move_file' })
    expect(surfaceOf(move, twin).find('files__move_file')?.candidate).toBe(move)
  })
})

describe('named [D3]', () => {
  test.each([
    'files__move_file',
    'Files__Move_File',
    'move_file',
    'files/move_file',
    'mcp__files__move_file',
    'mcp:files/move_file',
  ])('finds the tool by %s', (word) => expect(surface.named(word).map(({ candidate }) => candidate)).toEqual([move]))

  test('finds what is left out, and by its label', () => {
    expect(surface.named('secret')[0]?.outcome).toBe('excluded')
    expect(surface.named('query tool')[0]?.candidate).toBe(labelled)
  })

  test('finds the stand-in of a server by the server’s name', () => {
    expect(surface.named('asleep')[0]?.candidate.standIn).toBe(true)
  })

  test.each(['toString', '__proto__', 'no_such_tool'])('finds nothing by %s', (word) =>
    expect(surface.named(word)).toEqual([]),
  )

  test('finds all that a word may mean', () => {
    const other = aCandidate({ server: 'disk', originalName: 'move_file' })
    expect(surfaceOf(move, other).named('move_file').length).toBe(2)
  })
})

test('gives decisions by outcome in the order of sources, frozen', () => {
  const eager = surface.withOutcome('eager')
  expect(eager.map(({ name }) => name)).toEqual(['files__move_file', 'run_query', 'asleep__*', 'constructor'])
  expect(surface.withOutcome('excluded').map(({ name }) => name)).toEqual(['secret'])
  expect(Object.isFrozen(eager)).toBe(true)
})
