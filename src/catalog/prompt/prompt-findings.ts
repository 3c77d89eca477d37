import type { Finding } from '../../core/finding.ts'
import type { Origin } from '../../core/origin.ts'
import { printable } from '../../core/printable.ts'
import type { Surface } from '../../core/surface.ts'
import { nearNames } from './near-names.ts'
import { type NamedTool, toolsNamedIn } from './tools-named-in.ts'

export interface PromptLintOptions {
  /** What the text is, as a sentence begins with it: `the prompt of agent "main"`. Printable. */
  readonly where: string
  readonly origin?: Origin
}

/**
 * What is wrong with the tools that a system prompt or a skill names (C-139): an excluded tool is a warning, and so
 * is one whose schema the model does not have yet, and a name that nobody bears and that is nearly a tool's; a tool
 * that the model knows by another name is told as well. One finding for each word, at most 100.
 */
export function promptFindings(text: string, surface: Surface, options: PromptLintOptions): readonly Finding[] {
  const words = new Map<string, NamedTool[]>()
  for (const named of toolsNamedIn(text, surface)) {
    const tools = words.get(named.as)
    if (tools === undefined) words.set(named.as, [named])
    else tools.push(named)
  }
  const findings: Finding[] = []
  for (const [word, tools] of words) {
    const found = findingOf(word, tools, surface, options)
    if (found !== undefined) findings.push(found)
    if (findings.length === findingsMax) return findings
  }
  const misspelled = nearNames(text, surface).map(({ word, near }) => misspelledFinding(word, near, options))
  return [...findings, ...misspelled].slice(0, findingsMax)
}

const findingsMax = 100

function misspelledFinding(word: string, near: string, { where, origin }: PromptLintOptions): Finding {
  const subject = printable(word, 80)
  return {
    code: 'prompt-names-unknown',
    severity: 'warning',
    subject,
    message: `${where} names "${subject}", and there is no such tool`,
    hint: `did you mean "${printable(near, 80)}"`,
    ...(origin === undefined ? {} : { origin }),
  }
}

function findingOf(
  word: string,
  tools: readonly NamedTool[],
  surface: Surface,
  { where, origin }: PromptLintOptions,
): Finding | undefined {
  const said = `"${printable(word, 80)}"`
  const at = { subject: printable(word, 80), ...(origin === undefined ? {} : { origin }) }
  const exposed = tools.filter(({ outcome }) => outcome !== 'excluded')
  const [first] = exposed
  if (first === undefined) {
    const settled = surface.named(word).find(({ outcome }) => outcome === 'excluded')?.code ?? 'excluded'
    return {
      code: 'prompt-names-excluded',
      severity: 'warning',
      message: `${where} names ${said}, which the model does not have (${settled})`,
      hint: `take it out of the text, or see what withholds it: \`why ${printable(word, 80)}\``,
      ...at,
    }
  }
  if (exposed.every(({ outcome }) => outcome === 'deferred')) {
    return {
      code: 'prompt-names-deferred',
      severity: 'warning',
      message: `${where} names ${said}, whose schema the model has only after tool_search`,
      hint: `list "${printable(first.name, 80)}" under \`tool_search.always\`, or say in the text to fetch it with tool_search first`,
      ...at,
    }
  }
  if (exposed.some(({ name }) => name === word)) return undefined
  const names = exposed.slice(0, 3).map(({ name }) => `"${printable(name, 80)}"`)
  return {
    code: 'prompt-names-otherwise',
    severity: 'info',
    message: `${where} names ${said}, which the model knows as ${names.join(', ')}`,
    hint: `write ${names[0]} in the text`,
    ...at,
  }
}
