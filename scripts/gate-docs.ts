// Writes docs/gates.md from the tables of the gates. The sample sentences come from the gates' own test cases, so
// they are what the program really says. A test compares the page with what this gives.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Gate } from '../src/core/gate.ts'
import { gateOrder, orderConstraints, presetNames } from '../src/gates/order.ts'
import { casebook } from '../test/gates/casebook.ts'
import { stepOf } from '../test/gates/gate-case.ts'

/** The page as text. */
export function gateDocs(): string {
  return [
    '# Gates',
    '',
    'Made from `src/gates/` by `npm run docs`. Each gate asks every tool one question. An `exclude` ends the walk, a',
    '`defer` gives the model the name now and the schema on request, an `admit` looked and agreed, an `abstain` has',
    'nothing to say. Sentences are examples, taken from the tests; a name in quotation marks is that of the example.',
    'Every sentence is there in Chinese too (`--lang zh`).',
    '',
    '## Order',
    '',
    ...presetNames.flatMap((preset) => [
      `**${preset}**: ${gateOrder[preset].map((gate) => `[${gate.id}](#${anchorOf(gate)})`).join(' → ')}`,
      '',
    ]),
    'What must come before what, and why:',
    '',
    '| before | after | presets | because |',
    '|---|---|---|---|',
    ...orderConstraints.map(
      ({ before, after, because, presets = ['all'] }) =>
        `| ${before} | ${after} | ${presets.join(', ')} | ${cell(because)} |`,
    ),
    '',
    ...[...casebook.keys()].flatMap(section),
  ].join('\n')
}

/** Gates that bear the id of one of the default order, but judge in another way. */
function titleOf(gate: Gate): string {
  const preset = presetNames.find((name) => gateOrder[name].some((other) => other === gate))
  return preset === 'default' || preset === undefined ? gate.id : `${gate.id} in ${preset}`
}

const anchorOf = (gate: Gate): string => titleOf(gate).replaceAll(' ', '-')

function section(gate: Gate): readonly string[] {
  return [
    `## ${titleOf(gate)}`,
    '',
    gate.asks.en,
    '',
    '| code | effect | for example | what to do |',
    '|---|---|---|---|',
    ...Object.entries(gate.reasons).map(([code, { effect, reserves }]) => {
      const { say, hint } = sampleOf(gate, code)
      const keeps = reserves === true ? ', keeps the name' : ''
      return `| \`${code}\` | ${effect}${keeps} | ${cell(say)} | ${cell(hint)} |`
    }),
    '',
  ]
}

/** What the gate says in the first of its cases that reaches the code. */
function sampleOf(gate: Gate, code: string): { readonly say: string; readonly hint: string } {
  const row = casebook.get(gate)?.find((other) => other.code === code)
  const reason = gate.reasons[code]
  if (row === undefined || reason === undefined) throw new Error(`no case of ${gate.id} reaches ${code}`)
  const { evidence } = stepOf(gate, row)
  return { say: reason.say.en(evidence, row.candidate), hint: reason.hint?.en(evidence, row.candidate) ?? '' }
}

const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(resolve(import.meta.dirname, '../docs/gates.md'), gateDocs())
}
