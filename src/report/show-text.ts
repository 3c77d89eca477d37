// One tool on a page: labels at the left, values in a column, then what the model is told of it.

import type { Json, JsonObject } from '../core/json.ts'
import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { clipped, columnWidths, grouped, tableLine, wrapped } from './layout.ts'
import { colourOf, type Paint, styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import type { Show, ShownTool } from './show.ts'
import { sourceText, toolRows } from './tools-table.ts'
import { labelledLines, roomBeside } from './totals-text.ts'
import type { Lang } from './words.ts'

/** The first tool whole, the others that bear the name in one line each; nearest names for an unknown word. */
export function showText(show: Show, options: TextStyle & { readonly lang: Lang }): string {
  const { paint, width } = styleOf(options)
  const say = phrases[options.lang]
  const [tool, ...others] = show.tools
  if (tool === undefined) {
    const nearest = show.nearest.map((name) => paint.cyan(printable(name, 128))).join(', ')
    return [say.unknownTool(printable(show.word, 120)), ...(nearest === '' ? [] : [`  ${say.nearest(nearest)}`])].join(
      '\n',
    )
  }
  const style = { paint, width }
  const blocks = [toolLines(tool, say, style), definitionLines(tool, say, style)]
  if (others.length > 0)
    blocks.push([say.alsoNamed, ...toolRows(others.slice(0, 40), { lang: options.lang, ...style })])
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

function toolLines(tool: ShownTool, say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const { show } = say
  const labels = [
    show.identity,
    show.names,
    show.source,
    show.kind,
    show.effects,
    show.approval,
    show.rules,
    show.tokens,
    show.hash,
  ]
  const room = roomBeside(labels, width - 2)
  const text = (value: string): string[] => (value === '' ? [] : wrapped(value, room))
  const outcome = colourOf(tool.outcome, paint)(say.outcome[tool.outcome])
  const blocks = [
    { label: show.identity, lines: text(printable(tool.id, 300)) },
    { label: show.names, lines: text(namesOf(tool, say)) },
    { label: show.source, lines: text(`${sourceText(tool)}, ${printable(originText(tool.origin), 200)}`) },
    { label: show.kind, lines: text(kindOf(tool, say)) },
    { label: show.effects, lines: text(`${tool.effects.join(', ') || say.none} (${show.effectsBy[tool.effectsBy]})`) },
    { label: show.approval, lines: tool.approval === 'ask' ? text(say.asksFirst) : [] },
    {
      label: show.rules,
      lines: tool.rules.flatMap((rule) =>
        text(`${rule.effect} ${printable(rule.text, 300)}  ${printable(originText(rule.origin), 200)}`),
      ),
    },
    { label: show.tokens, lines: text(show.size(grouped(tool.tokens), grouped(tool.definitionChars))) },
    { label: show.hash, lines: text(tool.definitionHash) },
  ]
  const settled = tool.steps.length === 0 ? say.noGate : `${tool.settledBy}: ${tool.why}`
  return [
    `${paint.bold(clipped(printable(tool.name, 128), width - 16))}   ${outcome}`,
    ...wrapped(settled, width - 2).map((line) => `  ${line}`),
    ...labelledLines(blocks, labels, paint).map((line) => `  ${line}`),
  ]
}

function namesOf(tool: ShownTool, { show }: Phrases): string {
  const names = [`${printable(tool.name, 128)} (${show.surfaceName})`]
  if (tool.originalName !== tool.name) names.push(`${printable(tool.originalName, 128)} (${show.originalName})`)
  if (tool.declaredName !== undefined) names.push(`${printable(tool.declaredName, 128)} (${show.declaredName})`)
  return names.join(', ')
}

function kindOf(tool: ShownTool, { show }: Phrases): string {
  const parts = [
    tool.form,
    tool.protocol,
    tool.role,
    tool.group === undefined ? undefined : show.group(printable(tool.group, 64)),
  ]
  const needs = tool.needs.length > 0 ? show.needs(tool.needs.join(', ')) : undefined
  return [...parts, needs].filter((part) => part !== undefined).join(', ')
}

/** Description and arguments, as far as a page holds them. */
function definitionLines(tool: ShownTool, say: Phrases, style: Required<TextStyle>): string[] {
  const { paint, width } = style
  const { definition, original } = tool
  const description = definition.description.split('\n').flatMap((line) => wrapped(printable(line, 600), width - 2))
  const shown = description.slice(0, 16)
  return [
    paint.bold(say.show.description),
    ...shown.map((line) => `  ${line}`.trimEnd()),
    ...(description.length > shown.length
      ? [paint.dim(`  ${say.show.moreLines(description.length - shown.length)}`)]
      : []),
    paint.bold(say.show.arguments),
    ...argumentLines(asObject(definition.inputSchema), say, style),
    ...(original === undefined ? [] : [paint.yellow(say.show.adapted)]),
  ]
}

function argumentLines(schema: JsonObject, say: Phrases, { paint, width }: { paint: Paint; width: number }): string[] {
  const properties = asObject(schema.properties)
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [])
  const names = Object.keys(properties)
  if (names.length === 0) return [`  ${say.none}`]
  const rows = names.slice(0, argumentsMax).map((name) => {
    const property = asObject(properties[name])
    const about = typeof property.description === 'string' ? property.description : ''
    return [printable(name, 64), typeOf(property), required.has(name) ? say.required : '', printable(about, 300)]
  })
  const columns = [{ head: '', max: Math.floor(width * 0.3) }, { head: '', max: 24 }, { head: '' }, { head: '' }]
  const widths = columnWidths(columns, rows, width - 2)
  return [
    ...rows.map(
      (row) =>
        `  ${tableLine(row, columns, widths, (cell, at) => (at === 0 ? paint.cyan(cell) : at === 3 ? paint.dim(cell) : cell))}`,
    ),
    ...(names.length > argumentsMax ? [paint.dim(`  ${say.more(names.length - argumentsMax)}`)] : []),
  ]
}

const argumentsMax = 60

/** `string`, `string or null`, `"a" or "b"`; whatever is not said so plainly is `any of`, or nothing. */
function typeOf(property: JsonObject): string {
  const { type, enum: values } = property
  if (Array.isArray(values))
    return printable(
      values
        .slice(0, 8)
        .map((value: Json) => JSON.stringify(value))
        .join(' | '),
      60,
    )
  if (typeof type === 'string') return printable(type, 24)
  if (Array.isArray(type)) return printable(type.filter((one) => typeof one === 'string').join(' | '), 60)
  return ['anyOf', 'oneOf', 'allOf', '$ref'].find((key) => Object.hasOwn(property, key)) ?? ''
}

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
