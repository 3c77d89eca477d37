// What `npm start` shows: the surface of the first agent with its real servers, three answers to "why", two calls, a
// conversation with that agent, and what to try next. It also asserts what it shows, so that the example cannot rot.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { explain, explainText, loadConfig, prepareRun, toolsReport, toolsTable } from '../../dist/index.mjs'
import { openToolbox } from '../../dist/runtime/index.mjs'

// Named from where the reader stands, so that every place it prints can be opened.
const placeOf = (name) => relative(process.cwd(), fileURLToPath(new URL(name, import.meta.url)))
const file = placeOf('toolgate.yaml')
// Without a past, so that what was used before decides nothing of what is shown.
process.env.DESK_STATE = 'sqlite::memory:'
const shown = 'examples/desk/toolgate.yaml'
const colours = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan']
const painted = process.stdout.isTTY === true && !process.env.NO_COLOR
const paint = Object.fromEntries(colours.map((name) => [name, (text) => (painted ? styleText(name, text) : text)]))
const style = { lang: 'en', paint, width: process.stdout.columns ?? 100 }
const papersFolder = (name) => fileURLToPath(new URL(`papers/${name}`, import.meta.url))
const progress = (line) => process.stderr.write(`${paint.dim(line)}\n`)

const { config, findings } = await loadConfig(file, { environment: process.env })
assert(config, 'the example configuration can be used')
const run = await prepareRun({ config, configFindings: findings, progress, listings: { refresh: true } })

console.log(toolsTable(toolsReport(run, { lang: 'en' }), { ...style, all: true }))
for (const word of ['bash', 'files__write_file', 'calendar']) {
  console.log(`\n${paint.bold(`$ toolgate why ${word}`)}\n`)
  console.log(explainText(explain(run, word, { lang: 'en' }), style))
}
// The same surface in service: a call that a rule lets through, and one that it does not.
const owner = { user: 'local', thread: 'example' }
const toolbox = await openToolbox({ config, owner })
const outcomes = []
try {
  const calls = await toolbox.callsOf(owner)
  const notes = papersFolder('archive.txt')
  for (const [name, args] of [
    ['files__read_text_file', { path: notes, head: 3 }],
    ['files__write_file', { path: notes, content: 'gone' }],
  ]) {
    const outcome = await calls.call({ name, args })
    outcomes.push(outcome)
    console.log(`\n${paint.bold(`$ toolgate call ${name} --args '{"path": "…/archive.txt", …}'`)}\n`)
    console.log(outcome.kind === 'result' ? outcome.content[0].text : `${paint.red(outcome.code)}  ${outcome.message}`)
  }
} finally {
  await toolbox.close()
}

// The agent at work on that surface, as the command line runs it: the model is a written conversation, the rest is real.
const main = fileURLToPath(new URL('../../dist/cli/main.mjs', import.meta.url))
const words = ['run', '--config', file, '--model', `script:${placeOf('conversation.yaml')}`, '--thread', owner.thread]
console.log(`\n${paint.bold(`$ toolgate ${words.join(' ')}`)}\n`)
const ran = spawnSync(process.execPath, [main, ...words], { stdio: 'inherit' })

console.log(`
${paint.bold('Try next')}
  npx toolgate why search_notes --config ${shown}
  npx toolgate diff clerk reader --config ${shown}
  npx toolgate tools --agent reader --config ${shown} --lang zh
  npx toolgate check --config ${shown}
  npx toolgate servers --config ${shown}
  npx toolgate call search_notes --args '{"word": "tea"}' --config ${shown}
  npx toolgate run "Where is the key to the archive?" --config ${shown}
  npx toolgate help`)

const { totals } = run.surface
assert.equal(totals.eager + totals.deferred + totals.excluded, totals.candidates)
for (const name of ['files', 'memory', 'demo']) {
  assert.equal(run.servers.find((server) => server.name === name)?.state, 'available', `the server ${name} answers`)
}
assert.deepEqual(
  outcomes.map(({ kind, code }) => [kind, code]),
  [
    ['result', undefined],
    ['refused', 'denied'],
  ],
)
assert.equal(explain(run, 'bash', { lang: 'en' }).decisions[0]?.settledBy, 'host-shell')
assert.equal(ran.status, 0, 'the conversation went as it is written')
