// What an embedder reads of a tool. Short on purpose: a sentence encoder blurs over long texts, and costs by the word.
// Measured on LiveMCPBench with the first 200 characters; parameters and the rest of a description brought nothing.

import type { SearchDocument } from '../search/search-document.ts'
import { embeddedCharsMax } from './embedder.ts'

const nameCharsMax = 120
const serverCharsMax = 60
const descriptionCharsMax = 200

/** Raised when the text of a tool is made in another way, so that vectors of the old texts are not used. */
const textForm = 1

/** "read text file. files. Reads the whole file as text." At most 500 characters. */
export function documentText({ originalName, server, description }: SearchDocument): string {
  const name = wordsOf(cut(originalName, nameCharsMax))
  const parts = [name, server === undefined ? '' : cut(server, serverCharsMax), cut(description, descriptionCharsMax)]
  return cut(parts.filter((part) => part !== '').join('. '), embeddedCharsMax)
}

/** What a vector is kept under, beside the embedder's id. Equal keys have equal texts (`SearchDocument.definitionHash`). */
export const documentKey = ({ definitionHash, name }: SearchDocument): string => `${textForm}:${definitionHash}:${name}`

/** `readTextFile` and `read_text-file` → `read text file`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_\-./:]+/g, ' ')
    .trim()
    .toLowerCase()

/** At most `max` UTF-16 units, and no half of a character at the end. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = text.charCodeAt(max - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? max - 1 : max)
}
