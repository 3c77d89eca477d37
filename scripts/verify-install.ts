// The package as somebody installs it: packed, installed from the file into an empty folder without running any install
// script, so that nothing is compiled, and used there: a turn of an agent on a written conversation, and the next one in
// another process over the same state. Needs what `npm install` needs.
//
//   npm run verify:install
//
// Ends with "N passed, N failed".

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'toolgate-install-'))
let passed = 0
let failed = 0

function check(what: string, holds: () => void): void {
  try {
    holds()
    passed += 1
    console.log(`ok    ${what}`)
  } catch (error) {
    failed += 1
    console.log(`FAIL  ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const npm = (words: readonly string[], cwd: string): string =>
  execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: 300_000 })

function toolgate(...words: readonly string[]): string {
  const program = join(home, 'node_modules/toolgate/dist/cli/main.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: home,
    encoding: 'utf8',
    timeout: 120_000,
  })
  if (status !== 0) throw new Error(`toolgate ${words.join(' ')} ended with ${status}: ${stderr || stdout}`)
  return stdout
}

interface Event {
  readonly type: string
  readonly text?: string
  readonly because?: string
}

function eventsOf(output: string): readonly Event[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

function says(output: string, words: string): void {
  if (!output.includes(words)) throw new Error(`"${words}" is not in: ${output.slice(0, 600)}`)
}

const config = `version: 1
tools:
  - { name: write_file, use: "toolgate/tools:writeFile" }
`
const conversation = `turns:
  - user: Write it down
    steps:
      - call: [{ tool: write_file, args: { path: /mnt/user-data/outputs/a.md, content: hello } }, { tool: ask_clarification, args: { question: Is that all? } }]
  - user: "Yes"
    steps:
      - say: It is written.
`

try {
  const packed = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', home], root)
  const [{ filename } = { filename: '' }] = JSON.parse(packed) as { filename: string }[]
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', join(home, filename)], home)
  writeFileSync(join(home, 'toolgate.yaml'), config)
  writeFileSync(join(home, 'conversation.yaml'), conversation)
  const model = ['--model', 'script:conversation.yaml', '--thread', 't1', '--json']

  check('lists its tools', () => says(toolgate('tools'), 'write_file'))
  check('runs a turn that ends with a question', () => {
    const last = eventsOf(toolgate('run', 'Write it down', ...model)).at(-1)
    if (last?.because !== 'waiting') throw new Error(`it ended as ${last?.because}`)
  })
  check('knows the thread, and what it waits for', () => says(toolgate('threads'), 't1'))
  check('goes on in another process', () => {
    const output = toolgate('run', 'Yes', ...model)
    const events = eventsOf(output)
    // It comes in pieces.
    says(events.map((event) => (event.type === 'text' ? event.text : '')).join(''), 'It is written.')
    const last = events.at(-1)
    if (last?.because !== 'answered') throw new Error(`it ended as ${last?.because}`)
  })
} finally {
  rmSync(home, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
