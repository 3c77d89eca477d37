import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const linesMax = 400
const coreLinesMax = 900

const lines = (file: string): number => readFileSync(resolve(root, file), 'utf8').split('\n').length - 1
const tracked = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'bench', 'scripts', 'test'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.includes('fixtures/'))

it(`has no file over ${linesMax} lines`, () => {
  expect(tracked.length).toBeGreaterThan(50)
  expect(tracked.map((file) => ({ file, lines: lines(file) })).filter((entry) => entry.lines > linesMax)).toEqual([])
})

it(`keeps the core under ${coreLinesMax} lines in all`, () => {
  const core = tracked.filter((file) => file.startsWith('src/core/'))
  expect(core.reduce((sum, file) => sum + lines(file), 0)).toBeLessThan(coreLinesMax)
})
