// The session report for people.

import { printable } from '../core/printable.ts'
import type { Bootstrap } from './bootstrap.ts'
import { grouped, wrapped } from './layout.ts'
import { styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import { routeText } from './route-text.ts'
import {
  findingLines,
  type Labelled,
  labelledLines,
  leftOutLines,
  roomBeside,
  serverLines,
  tokenLines,
} from './totals-text.ts'
import type { Lang } from './words.ts'

/** The report as lines of text: one block of labels and values, then what fits the prompt. */
export function bootstrapText(report: Bootstrap, options: TextStyle & { readonly lang: Lang }): string {
  const { paint, width } = styleOf(options)
  const say = phrases[options.lang]
  const { labels } = say
  const room = roomBeside(Object.values(labels), width)
  const text = (value: string): readonly string[] => (value === '' ? [] : wrapped(value, room))
  const { totals } = report
  const blocks: Labelled[] = [
    { label: labels.agent, lines: text(agentText(report, say)) },
    { label: labels.model, lines: text(modelText(report, say)) },
    {
      label: labels.target,
      lines: text(`${printable(report.target, 60)}, ${labels.preset} ${printable(report.preset, 60)}`),
    },
    { label: labels.switches, lines: text(switchText(report, say)) },
    { label: labels.rules, lines: text(ruleText(report, say)) },
    { label: labels.skills, lines: text(skillText(report, say)) },
    { label: labels.sources, lines: text(sourcesText(report, say)) },
    { label: labels.servers, lines: serverLines(report.servers, { say, paint, width: room }) },
    {
      label: labels.candidates,
      lines: text(say.sum(totals.candidates, totals.eager, totals.deferred, totals.excluded)),
    },
    { label: labels.leftOutBy, lines: leftOutLines(totals.byGate, room) },
    { label: labels.eager, lines: text(nameList(report.eager, say)) },
    { label: labels.deferred, lines: text(nameList(report.deferred, say)) },
    { label: labels.tokens, lines: tokenLines(totals, say, room) },
    { label: labels.findings, lines: findingLines(report.findings, say, room) },
    { label: labels.surface, lines: [report.surface.slice(0, 12)] },
  ]
  const lines = labelledLines(blocks, Object.values(labels), paint)
  if (report.route === undefined) return lines.join('\n')
  const prompt = paint.bold(`> ${printable(report.route.prompt, 200)}`)
  return [...lines, '', prompt, routeText(report.route, options)].join('\n')
}

function agentText({ agent, groups }: Bootstrap, say: Phrases): string {
  const name = printable(agent, 60)
  if (groups === undefined) return name
  const list = groups.map((group) => printable(group, 60)).join(', ')
  return `${name} (${say.bootstrap.groups(list === '' ? say.none : list)})`
}

function modelText({ model }: Bootstrap, say: Phrases): string {
  const can = model.can.length === 0 ? say.none : model.can.join(', ')
  const context = model.contextTokens === undefined ? '' : `, ${say.bootstrap.context(grouped(model.contextTokens))}`
  return `${printable(model.name, 60)} (${can}${context})`
}

function switchText({ switches }: Bootstrap, { bootstrap }: Phrases): string {
  const { delegation, deferral } = switches
  return [
    `${bootstrap.simpleMode} ${bootstrap.on(switches.simpleMode)}`,
    `MCP ${bootstrap.on(switches.mcp)}`,
    `${bootstrap.sandbox} ${switches.sandbox}${switches.allowHostBash ? ` + ${bootstrap.hostBash}` : ''}`,
    `${bootstrap.delegation} ${delegation.enabled ? `${delegation.depth}/${delegation.depthMax}` : bootstrap.on(false)}`,
    `${bootstrap.deferral} ${deferral.mode === 'auto' ? `auto (${grouped(deferral.budgetTokens)})` : deferral.mode}`,
    switches.attended ? bootstrap.attended : bootstrap.unattended,
  ].join(', ')
}

function ruleText({ rules }: Bootstrap, { bootstrap }: Phrases): string {
  const scopes = rules.scopes.map(({ scope, deny, ask, allow }) => {
    const counts = [
      ...(deny > 0 ? [`${deny} deny`] : []),
      ...(ask > 0 ? [`${ask} ask`] : []),
      ...(allow > 0 ? [`${allow} allow`] : []),
    ]
    return `${printable(scope, 60)}: ${counts.join(', ')}`
  })
  return [...scopes, bootstrap.otherwise(rules.otherwise)].join('; ')
}

function skillText({ skills }: Bootstrap, say: Phrases): string {
  const { bootstrap } = say
  return skills.list
    .map(({ name, enabled, active, tools, malformed }) => {
      const state = active ? bootstrap.active : enabled ? bootstrap.ready : bootstrap.disabled
      const holds = malformed !== undefined ? bootstrap.malformed : tools === undefined ? '' : say.toolCount(tools)
      return `${printable(name, 64)} (${[state, holds].filter((part) => part !== '').join(', ')})`
    })
    .join(', ')
}

function sourcesText({ sources }: Bootstrap, say: Phrases): string {
  return Object.entries(sources)
    .map(
      ([source, { eager, deferred, candidates }]) =>
        `${source} ${say.exposed(grouped(eager + deferred), grouped(candidates))}`,
    )
    .join(', ')
}

function nameList(names: readonly string[], say: Phrases): string {
  const shown = names.slice(0, namesMax).map((name) => printable(name, 128))
  const more = names.length > shown.length ? [say.more(names.length - shown.length)] : []
  return [...shown, ...more].join(', ')
}

/** So many names of each kind; the JSON form has all. */
const namesMax = 100
