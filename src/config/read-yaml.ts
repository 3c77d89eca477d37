// YAML to plain data, bounded before and while it is parsed. Parsing is not validating: the parser takes tags with
// a warning, keeps circular aliases, forgives duplicate keys (or looks for them in quadratic time) and rounds
// numbers. What it would let through is refused here or, where a key decides, by the schema.
//
//   text ─ tokens (bounds, tags, directives) ─ nodes (syntax) ─ data with places (aliases, merges, twins)

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from 'yaml'
import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'
import { bounds } from './bounds.ts'
import { faultAt, OutOfBounds, type Reading } from './reading.ts'
import { dataOf } from './yaml-data.ts'

/**
 * Reads one YAML 1.2 document (core schema). `file` is how findings name it. Findings: `config-syntax`,
 * `config-too-big`, `config-too-deep`, `config-alias-limit`, `config-alias-cycle`, `config-tag`,
 * `config-multi-document`, `config-duplicate-key`, `config-version` (a directive), `config-empty`, `config-type`
 * (a key that is no text), `config-unknown-key` (`__proto__`), `config-range`. Never throws; its time is linear in the
 * size of the text.
 */
export function readYaml(text: string, file: string): Reading {
  const steps = yamlSteps(text, file)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same in steps, so that others have their turn: each takes up to a tenth of a second for a file at the limits. */
export async function readYamlInSteps(text: string, file: string): Promise<Reading> {
  const steps = yamlSteps(text, file)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}

function* yamlSteps(text: string, file: string): Generator<undefined, Reading, unknown> {
  const lines = new LineCounter()
  try {
    const tokens = tokensOf(text, file, lines)
    yield undefined
    const document = composed(tokens, text.length)
    const [error] = document.errors
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0])
      return { faults: [faultAt('config-syntax', { file, line, column: col }, sentence(error.message))] }
    }
    yield undefined
    const reading = dataOf(document.contents, file, lines)
    if ('value' in reading && reading.value === null) {
      return { faults: [faultAt('config-empty', { file, line: 1 }, 'the file holds no value')] }
    }
    return reading
  } catch (error) {
    if (error instanceof OutOfBounds) return { faults: [error.fault] }
    // The parser is bounded, not proven: whatever class of error it throws ends as a finding.
    const what = error instanceof Error ? error.message : 'the parser gave up'
    return { faults: [faultAt('config-syntax', { file, line: 1 }, sentence(what))] }
  }
}

/** Runs lexer and parser token by token (both without recursion) and stops at the first bound or forbidden token. */
function tokensOf(text: string, file: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let documents = 0
  let aliases = 0
  let count = 0
  let inScalar = false
  lines.addNewLine(0)
  const stop = (code: ErrorCode, what: string, hint?: string, offset = parser.offset): never => {
    const { line, col } = lines.linePos(offset)
    throw new OutOfBounds(faultAt(code, { file, line: Math.max(line, 1), column: Math.max(col, 1) }, what, hint))
  }
  const take = (token: CST.Token) => {
    if (token.type === 'document' && ++documents > 1) {
      stop('config-multi-document', 'a second YAML document begins', 'keep one document', token.offset)
    }
    tokens.push(token)
  }
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > bounds.tokens) stop('config-too-big', `the file has more than ${bounds.tokens} YAML tokens`)
    if (inScalar) {
      if (longNumber.test(lexeme)) stop('config-range', `a number has more than ${bounds.digits} digits`)
    } else if (lexeme[0] === '!') {
      stop('config-tag', `the tag ${printable(lexeme, 60)} is not supported; none is`, 'remove the tag')
    } else if (lexeme[0] === '*' && ++aliases > bounds.aliases) {
      stop('config-alias-limit', `the file uses more than ${bounds.aliases} aliases`, 'write the values out')
    } else if (lexeme[0] === '%') {
      const name = printable(lexeme.split(/\s/, 1)[0] ?? '', 40)
      stop(name === '%TAG' ? 'config-tag' : 'config-version', `the directive ${name} is not supported`, 'remove it')
    }
    inScalar = lexeme === scalarFollows
    for (const token of parser.next(lexeme)) take(token)
    if (parser.stack.length > stackMax) {
      stop('config-too-deep', `the file is nested deeper than ${bounds.depth} levels`, 'flatten it')
    }
  }
  for (const token of parser.end()) take(token)
  return tokens
}

/** The lexer's mark before a plain or block scalar. */
const scalarFollows = '\u001f'
/** The parser keeps the document and the scalar in hand on its stack beside the collections. */
const stackMax = bounds.depth + 2
/** Matching a number takes quadratic time in the length of its digits. */
const longNumber = new RegExp(`^[-+]?[0-9.]{${bounds.digits}}`)

function composed(tokens: readonly CST.Token[], length: number): Document.Parsed {
  // Every complaint of the parser is an Error, and taking a stack trace for each is what makes garbage slow.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const options = {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      merge: false,
      resolveKnownTags: false,
    } as const
    for (const document of new Composer(options).compose(tokens, true, length)) return document as Document.Parsed
    throw new Error('the file holds no document')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The parser's words as one line that begins small and ends without a period. */
function sentence(message: string): string {
  const line = printable(message, 200).replace(/\.$/, '')
  return line.charAt(0).toLowerCase() + line.slice(1)
}
