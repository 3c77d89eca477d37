// docs/cli.md is written by hand; whatever the program knows must stand in it, and whatever stands in it must be known.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands/index.ts'
import { exitCodes } from '../../src/cli/exit-codes.ts'
import { parseFlags, sharedFlagHelp } from '../../src/cli/flags.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/cli.md'), 'utf8')
const all: readonly Command[] = await Promise.all([...commands.values()].map((load) => load()))

const headingOf = ({ name, usage }: Command): string =>
  `## \`toolgate ${`${name} ${usage.replace(' | --locked', '')}`.trim()}\``
const sectionOf = (command: Command): string => {
  const from = page.indexOf(headingOf(command))
  const to = page.indexOf('\n## ', from + 1)
  return from < 0 ? '' : page.slice(from, to < 0 ? undefined : to)
}

/** The flags in a line such as `--limit N, --all`. */
const flagsIn = (text: string): string[] => [...text.matchAll(/--[a-z][a-z-]*/g)].map((match) => match[0])

describe('docs/cli.md [U1]', () => {
  it.each(all.map((command) => ({ name: command.name, command })))(
    'has a section on `$name`, with its flags and an example',
    ({ command }) => {
      const section = sectionOf(command)
      expect(section).not.toBe('')
      for (const flag of Object.keys(command.flags)) expect(section).toContain(`| \`--${flag}`)
      expect(section).toMatch(new RegExp(`^toolgate ${command.name}\\b`, 'm'))
      expect(page).toContain(`| [\`${command.name}`)
    },
  )

  it('has no section on a command that is not there', () => {
    const headings = page.match(/^## `toolgate .*$/gm)
    expect(headings).toEqual(all.map(headingOf))
  })

  it('has every flag that all commands share', () => {
    const shared = sharedFlagHelp.flatMap(({ flag }) => flagsIn(flag))
    expect(shared.length).toBeGreaterThan(20)
    const told = page.slice(page.indexOf('## Policy flags'), page.indexOf('## JSON'))
    for (const flag of shared) expect(told).toContain(`\`${flag}`)
  })

  it('names no flag that is not known', () => {
    const known = new Set([
      ...sharedFlagHelp.flatMap(({ flag }) => flagsIn(flag)),
      ...all.flatMap(({ flags }) => Object.keys(flags).map((flag) => `--${flag}`)),
      '--help',
    ])
    expect([...new Set(flagsIn(page))].filter((flag) => !known.has(flag))).toEqual([])
  })

  it('has every exit code', () => {
    for (const code of Object.values(exitCodes)) expect(page).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'))
    expect(page.match(/^\| \d \| /gm)).toHaveLength(Object.values(exitCodes).length)
  })

  it('has the schema of every document that is printed or written for people, and no other', () => {
    const inner = ['toolgate.listing/1']
    const sources = ['report', 'cli', 'assembly'].flatMap((room) =>
      readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(root, 'src', room, file), 'utf8')),
    )
    const made = new Set([...sources.join('\n').matchAll(/'(toolgate\.[a-z-]+\/\d)'/g)].map((match) => match[1] ?? ''))
    const told = new Set([...page.matchAll(/^\| `(toolgate\.[a-z-]+\/\d)`/gm)].map((match) => match[1] ?? ''))
    expect([...told].sort()).toEqual([...made].filter((schema) => !inner.includes(schema)).sort())
  })

  const lines = [...page.matchAll(/^toolgate ([a-z-]+)( .*)?$/gm)].map((match) => ({
    name: match[1] ?? '',
    rest: match[2] ?? '',
  }))
  const examples = all
    .flatMap(({ examples: own }) => own)
    .map((line) => ({ name: line.split(' ')[1] ?? '', rest: line.split(' ').slice(2).join(' ') }))

  it.each([...lines, ...examples])('has an example that can be read: $name $rest', ({ name, rest }) => {
    const command = all.find((one) => one.name === name)
    expect(command).toBeDefined()
    const words = [...(rest.split(' | ')[0] ?? '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      (match) => match[1] ?? match[2] ?? match[3] ?? '',
    )
    const { positionals } = parseFlags(words, command?.flags ?? {})
    expect(positionals.length).toBeGreaterThanOrEqual(command?.positionalsMin ?? 0)
    expect(positionals.length).toBeLessThanOrEqual(command?.positionalsMax ?? 0)
  })
})
