// What is read of a document: its words by field, bounded. It depends on the text alone, so it is kept from one index to
// the next.

import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { Lexicon } from './lexicon.ts'
import type { SearchDocument } from './search-document.ts'
import { documentStopWords } from './stop-words.ts'
import { type SearchField, searchFields } from './weights.ts'
import { brandWords, words } from './words.ts'

/** Counts of the words of one document. */
export interface DocumentTerms {
  /** Ids of distinct terms in a lexicon. */
  readonly terms: Int32Array
  /** For each term its count in each field, in the order of `searchFields`; 255 at most. */
  readonly counts: Uint8Array
  /** Words in each field. */
  readonly lengths: Int32Array
}

const nameChars = 256
const descriptionChars = 2000
const keywordsMax = 64
const schemaChars = 8000
const propertiesMax = 200
const schemaDepth = 4
const choicesMax = 12

const fieldCount = searchFields.length

/** Counts the words of a document. New words enter the lexicon. */
export function documentTerms(document: SearchDocument, lexicon: Lexicon): DocumentTerms {
  const slots = new Map<number, number>()
  const terms: number[] = []
  const counts: number[] = []
  const lengths = new Int32Array(fieldCount)
  readDocument(document, (word, field) => {
    lengths[field] = (lengths[field] ?? 0) + 1
    const term = lexicon.add(word)
    let slot = slots.get(term)
    if (slot === undefined) {
      slot = terms.length
      slots.set(term, slot)
      terms.push(term)
      for (let each = 0; each < fieldCount; each++) counts.push(0)
    }
    const at = slot * fieldCount + field
    counts[at] = Math.min(255, (counts[at] ?? 0) + 1)
  })
  return { terms: Int32Array.from(terms), counts: Uint8Array.from(counts), lengths }
}

/** Where a capital inside a word is a way of spelling it; elsewhere it begins a word. */
const proseFields: ReadonlySet<SearchField> = new Set(['server', 'lead', 'rest', 'argumentTexts'])

/** Gives each word of a document that carries weight, with the number of its field in `searchFields`. */
export function readDocument(document: SearchDocument, take: (word: string, field: number) => void): void {
  const read = (name: SearchField, text: string, charsMax: number): void => {
    if (text === '') return
    const field = searchFields.indexOf(name)
    if (proseFields.has(name)) for (const word of brandWords(text, charsMax)) take(word, field)
    for (const word of words(text, charsMax)) if (!documentStopWords.has(word)) take(word, field)
  }
  read('name', document.originalName, nameChars)
  for (const keyword of document.keywords.slice(0, keywordsMax)) read('keywords', keyword, nameChars)
  read('server', document.server ?? '', nameChars)
  const { lead, rest } = sentences(document.description.slice(0, descriptionChars))
  read('lead', lead, descriptionChars)
  read('rest', rest, descriptionChars)
  const { names, texts } = schemaTexts(document.inputSchema)
  for (const name of names) read('arguments', name, nameChars)
  for (const text of texts) read('argumentTexts', text, schemaChars)
}

/** The first sentence, and what follows. A sentence ends at a mark before a blank, at a line break, at a full-width mark. */
function sentences(text: string): { readonly lead: string; readonly rest: string } {
  const plain = text.trimStart()
  const end = plain.search(sentenceEnd) + 1
  return end === 0 ? { lead: plain, rest: '' } : { lead: plain.slice(0, end), rest: plain.slice(end) }
}

const sentenceEnd = /[.!?](?=\s|$)|[\n。！？]/

/** Names of arguments, and what is said of them: descriptions and choices; bounded in number, depth and size. */
function schemaTexts(schema: JsonObject): { readonly names: readonly string[]; readonly texts: readonly string[] } {
  const names: string[] = []
  const texts: string[] = []
  let chars = 0
  const take = (text: string): void => {
    if (chars >= schemaChars) return
    const piece = text.slice(0, schemaChars - chars)
    chars += piece.length
    texts.push(piece)
  }
  const walk = (part: unknown, depth: number): void => {
    if (depth > schemaDepth || !isJsonObject(part) || !isJsonObject(part.properties)) return
    for (const name in part.properties) {
      if (names.length >= propertiesMax) return
      names.push(name)
      const property = part.properties[name]
      if (!isJsonObject(property)) continue
      if (typeof property.description === 'string') take(property.description)
      if (Array.isArray(property.enum))
        for (const choice of property.enum.slice(0, choicesMax)) if (typeof choice === 'string') take(choice)
      walk(property.type === 'array' ? property.items : property, depth + 1)
    }
  }
  walk(schema, 0)
  return { names, texts }
}
