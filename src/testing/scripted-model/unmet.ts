// What a step expects of its request, against what came.

import { printable } from '../../core/printable.ts'
import { type ModelRequest, newMessages } from './recorded-request.ts'
import type { ScriptExpectation } from './script.ts'

/** One sentence for each thing that does not hold, with what came in its place. */
export function unmetBy(expectation: ScriptExpectation, request: ModelRequest): readonly string[] {
  const names = request.tools.map(({ name }) => name)
  const listed = new Set(names)
  const results = newMessages(request.messages).flatMap((message) => (message.role === 'tool' ? [message.text] : []))
  const { tools, no_tools: noTools, only_tools: onlyTools, system, no_system: noSystem } = expectation
  const inResults = (text: string): boolean => results.some((result) => result.includes(text))
  return [
    ...all(tools)
      .filter((name) => !listed.has(name))
      .map((name) => `the tool "${shown(name)}" is expected, and is not listed; listed are ${someOf(names)}`),
    ...all(noTools)
      .filter((name) => listed.has(name))
      .map((name) => `the tool "${shown(name)}" is listed, and is expected not to be`),
    ...(onlyTools === undefined || sameTexts(onlyTools, names)
      ? []
      : [`the tools ${someOf(onlyTools)} are expected, in this order; listed are ${someOf(names)}`]),
    ...all(system)
      .filter((text) => !request.system.includes(text))
      .map((text) => `the system prompt is expected to hold "${shown(text)}"; it is "${shown(request.system)}"`),
    ...all(noSystem)
      .filter((text) => request.system.includes(text))
      .map((text) => `the system prompt holds "${shown(text)}", and is expected not to`),
    ...all(expectation.result)
      .filter((text) => !inResults(text))
      .map((text) => `a result is expected to hold "${shown(text)}"; ${cameAs(results)}`),
    ...all(expectation.no_result)
      .filter(inResults)
      .map((text) => `a result holds "${shown(text)}", and is expected not to`),
  ]
}

const all = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

const shown = (text: string): string => printable(text, 300)

const someOf = (names: readonly string[]): string =>
  names.length === 0
    ? 'none'
    : `${names.slice(0, 40).map(shown).join(', ')}${names.length > 40 ? ` and ${names.length - 40} more` : ''}`

const cameAs = (results: readonly string[]): string =>
  results.length === 0 ? 'no result came' : `what came is ${results.map((text) => `"${shown(text)}"`).join(', ')}`

const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])
