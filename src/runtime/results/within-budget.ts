// A result that a model can take: what is too long is kept whole in a file, and the model gets its beginning, its end,
// and the way to the rest.
//
//   blocks ──▶ texts ──── fit ───────────────────────────▶ as they are
//         │          └─── too long ──▶ file ──▶ preview
//         └──▶ images, sounds, files ──▶ shown, or file ──▶ a line
//   structure ── fits ──▶ as it is;  too long ──▶ file ──▶ a line
//
// INVARIANT: what came out once comes out the same again: no clock, no chance, and nothing over the budget.

import { canonicalJson, type Json, type JsonObject } from '../../core/json.ts'
import { fileLimits } from '../../workspace/files/limits.ts'
import type { ToolResult } from '../tool-call.ts'
import { jsonLines } from './json-lines.ts'
import type { Keep } from './keeper.ts'
import { previewText } from './preview-text.ts'
import { type ResultPiece, resultPiece } from './result-piece.ts'
import { shownBinary } from './shown-binary.ts'

export interface BudgetOptions {
  /** Bytes of all texts of a result, and of its structure. Below `budgetMin` it counts as that. */
  readonly bytesMax: number
  /** Whether the model takes images. */
  readonly sees: boolean
  readonly keep: Keep
  /** Name of the tool that reads files. Absent: this run has none. */
  readonly reader?: string
}

/** Room for the words about what was left out. */
export const budgetMin = 1024
/** Bytes of a preview: some two thousand tokens. */
const previewMax = 8192
const wordsMax = 760

type TextPiece = Extract<ResultPiece, { kind: 'text' }>

export async function withinBudget(result: ToolResult, options: BudgetOptions): Promise<ToolResult> {
  const budget = Math.max(options.bytesMax, budgetMin)
  const texts: TextPiece[] = []
  const images: JsonObject[] = []
  const notes: string[] = []
  /** In the order of the blocks, so that what fits stays where it was. */
  const all: JsonObject[] = []
  let imageBytes = 0
  for (const block of result.content) {
    const piece = resultPiece(block)
    if (piece.kind === 'text' || isSmallFile(piece, budget)) {
      texts.push(piece.kind === 'text' ? piece : smallFile(piece))
      all.push(block)
      continue
    }
    const room = { sees: options.sees, images: images.length, bytes: imageBytes }
    const { note, image } = await shownBinary(piece, room, options.keep)
    if (note !== undefined) {
      notes.push(note)
      all.push(textBlock(note))
    }
    if (image !== undefined) {
      imageBytes += image.bytes
      images.push(image.block)
      all.push(image.block)
    }
  }
  const structure = await structureOf(result, texts, budget, options)
  if (structure.note !== undefined) {
    notes.push(structure.note)
    all.push(textBlock(structure.note))
  }
  const noteBytes = bytesOf(notes)
  const cost = texts.reduce((sum, { bytes }) => sum + bytes, noteBytes)
  const content = cost <= budget ? all : [...(await shortened(texts, notes, budget, options)), ...images]
  const { structuredContent: _whole, ...rest } = result
  return {
    ...rest,
    content,
    ...(structure.kept === undefined ? {} : { structuredContent: structure.kept }),
  }
}

/** The preview of all texts, and the notes beside it while there are few. */
async function shortened(
  texts: readonly TextPiece[],
  notes: readonly string[],
  budget: number,
  options: BudgetOptions,
): Promise<readonly JsonObject[]> {
  const beside = bytesOf(notes) <= budget / 4 ? notes : []
  const body = [...texts.map(({ text }) => text), ...(beside.length === 0 ? notes : [])].join('\n')
  const room = Math.min(previewMax, budget - wordsMax - bytesOf(beside))
  return [textBlock(await preview(body, room, budget, options)), ...beside.map(textBlock)]
}

async function preview(body: string, room: number, budget: number, { keep, reader }: BudgetOptions): Promise<string> {
  const lines = hasLongLine(body) ? jsonLines(body) : undefined
  const bytes = Buffer.from(lines ?? body)
  const { path, words } = await keep(bytes, lines === undefined && !isJson(body) ? 'txt' : 'json')
  const form = lines === undefined ? '' : ', as JSON with one value a line,'
  const read = reader === undefined ? '' : ` Read it in parts with ${reader}.`
  const note = `[This result has ${Buffer.byteLength(body)} bytes, and ${budget} fit. The whole${form} ${path === undefined ? '' : 'is '}${words}.${path === undefined ? '' : read}]`
  if (room < 200) return note
  const { head, tail, leftOutBytes, nextLine } = previewText(bytes, room)
  const rest = path === undefined ? '' : `; they begin on line ${nextLine}`
  return `${note}\n${head}${head.endsWith('\n') ? '' : '\n'}[${leftOutBytes} bytes are left out here${rest}]\n${tail}`
}

interface Structure {
  readonly kept?: JsonObject
  readonly note?: string
}

async function structureOf(
  { structuredContent }: ToolResult,
  texts: readonly TextPiece[],
  budget: number,
  { keep }: BudgetOptions,
): Promise<Structure> {
  if (structuredContent === undefined) return {}
  const json = JSON.stringify(structuredContent)
  if (Buffer.byteLength(json) <= budget) return { kept: structuredContent }
  const [text] = texts
  if (texts.length === 1 && text !== undefined && saysTheSame(text.text, structuredContent))
    return { note: '[The structure of this result says the same, and is left out.]' }
  const { path, words } = await keep(Buffer.from(jsonLines(json) ?? json), 'json')
  return {
    note: `[The structure of this result has ${Buffer.byteLength(json)} bytes, and is left out; it ${path === undefined ? '' : 'is '}${words}.]`,
  }
}

function saysTheSame(text: string, structure: JsonObject): boolean {
  try {
    return canonicalJson(JSON.parse(text) as Json) === canonicalJson(structure)
  } catch {
    return false
  }
}

/** A file of a resource that costs little is left to whoever reads the result. */
const isSmallFile = (piece: ResultPiece, budget: number): boolean =>
  piece.kind === 'binary' && piece.what === 'file' && !piece.mime.startsWith('image/') && piece.data.length <= budget

function smallFile({ block }: ResultPiece): TextPiece {
  const text = JSON.stringify(block)
  return { kind: 'text', text, bytes: Buffer.byteLength(text), block }
}

/** A line that a tool for reading files would cut. */
const hasLongLine = (text: string): boolean => text.split('\n').some((line) => line.length > fileLimits.answerBytes / 4)

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
const textBlock = (text: string): JsonObject => ({ type: 'text', text })
