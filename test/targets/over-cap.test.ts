import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import { type OverCapCause, overCap } from '../../src/targets/over-cap.ts'
import { aCandidate, aSearchTool, someFacts } from '../../src/testing/world.ts'

type Mode = 'off' | 'on' | 'auto'

const ofServer = (server: string, count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => aCandidate({ server, originalName: `${server}_${at}` }))
const builtins = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => aCandidate({ source: 'builtin', originalName: `builtin_${at}` }))
const configured = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => aCandidate({ originalName: `config_${at}` }))

/** Neither deferrable nor preferred. */
const helper = aCandidate({ source: 'acp', server: 'helper', originalName: 'helper' })

interface Case {
  readonly tools: readonly Candidate[]
  readonly cap?: number
  readonly mode?: Mode
  readonly pinned?: readonly string[]
}

function over({ tools, cap, mode = 'off', pinned = [] }: Case) {
  const facts = someFacts({ target: cap === undefined ? {} : { toolsMax: cap }, deferral: { mode } })
  const left = overCap(tools, facts, (candidate) => pinned.includes(candidate.originalName))
  return [...left].map(([candidate, why]) => ({ name: candidate.originalName, ...why }))
}

describe('the cap of a target [G10]', () => {
  it('C-047: of 142 tools for 128 places the last of the last source find none; built-ins and pinned ones always do', () => {
    const tools = [...builtins(2), ...ofServer('a', 60), ...ofServer('b', 50), ...ofServer('c', 30)]
    const left = over({ tools, cap: 128, pinned: ['c_29'] })
    expect(left.map(({ name }) => name)).toEqual([...Array.from({ length: 14 }, (_, at) => `c_${at + 15}`)])
    expect(left[0]).toMatchObject({ cap: 128, rank: 129, standing: 142, cause: 'no-tool-search' })
    expect(left.at(-1)).toMatchObject({ rank: 142 })
  })

  it('C-048: counts what is sent: a search tool that deferral will leave out is not counted', () => {
    const tools = [aSearchTool(), ...ofServer('a', 128)]
    expect(over({ tools, cap: 128 })).toEqual([])
    expect(over({ tools, cap: 127 })).toHaveLength(1)
  })

  it('C-049: what is configured goes before what a server lists, whatever the alphabet says', () => {
    const tools = [...configured(3), ...builtins(2), ...ofServer('a', 60)]
    const left = over({ tools, cap: 40 })
    expect(left).toHaveLength(25)
    expect(left.every(({ name }) => name.startsWith('a_'))).toBe(true)
    expect(
      over({ tools, cap: 3 })
        .map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(['config_1', 'config_2'])
  })

  it('C-052: 600 tools for 512 places: 88 are named, each with its rank', () => {
    const left = over({ tools: ofServer('a', 600), cap: 512 })
    expect(left.map(({ rank }) => rank)).toEqual(Array.from({ length: 88 }, (_, at) => 513 + at))
  })

  it.each<readonly [string, Case]>([
    ['no cap is known', { tools: ofServer('a', 600) }],
    ['all fit', { tools: ofServer('a', 40), cap: 40 }],
    ['deferral takes the rest', { tools: [aSearchTool(), ...ofServer('a', 600)], cap: 40, mode: 'auto' }],
    [
      'deferral takes the rest and pinned ones fit',
      { tools: [aSearchTool(), ...ofServer('a', 600)], cap: 40, mode: 'on', pinned: ['a_1'] },
    ],
  ])('leaves nobody out when %s', (_when, world) => {
    expect(over(world)).toEqual([])
  })

  it('with deferral, only what must stay eager competes, and the search tool has its place', () => {
    const tools = [aSearchTool(), ...configured(10), ...builtins(1), ...ofServer('a', 50)]
    const left = over({ tools, cap: 5, mode: 'on' })
    expect(left.map(({ name }) => name)).toEqual(Array.from({ length: 7 }, (_, at) => `config_${at + 3}`))
    expect(left.every(({ cause, standing }) => cause === 'must-stay-eager' && standing === 12)).toBe(true)
  })

  it.each<readonly [OverCapCause, string, Case]>([
    ['deferral-off', 'a_5', { tools: [aSearchTool(), ...ofServer('a', 6)], cap: 5 }],
    ['deferral-off', 'helper', { tools: [aSearchTool(), ...ofServer('a', 5), helper], cap: 5 }],
    ['no-tool-search', 'a_5', { tools: ofServer('a', 6), cap: 5, mode: 'on' }],
    ['must-stay-eager', 'config_5', { tools: configured(6), cap: 5 }],
    ['must-stay-eager', 'config_4', { tools: [aSearchTool(), ...configured(5), ...ofServer('a', 3)], cap: 4 }],
  ])('says why deferral does not help: %s (%s)', (cause, name, world) => {
    expect(over(world).find((entry) => entry.name === name)).toMatchObject({ cause })
  })
})
