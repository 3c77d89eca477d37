// Which documents hold required words in their names or in the name of their server.

import { foldName } from '../../core/json.ts'
import type { Lexicon } from './lexicon.ts'
import { inName, inServer, type Postings } from './postings.ts'
import type { SearchDocument } from './search-document.ts'
import { words } from './words.ts'

/**
 * For each document whether it holds all of these there: each as a piece of a name, in any letter case, or as words of it.
 */
export type NameHolders = (required: readonly string[]) => readonly boolean[]

export function nameHolders(
  documents: readonly SearchDocument[],
  { lexicon, postings }: { readonly lexicon: Lexicon; readonly postings: Postings },
): NameHolders {
  const { starts, others, places } = postings.byTerm
  /** For each document 1 when all words of a text are in its names. */
  const holdersOfWords = (text: string): Uint8Array => {
    const terms = [...new Set(words(text).map((word) => lexicon.find(word)))]
    const held = new Uint8Array(documents.length)
    terms.forEach((term, number) => {
      const end = starts[term + 1] ?? 0
      for (let at = starts[term] ?? end; at < end; at++) {
        const document = others[at] ?? 0
        // Only what held all words so far goes on.
        if (((places[at] ?? 0) & (inName | inServer)) !== 0 && held[document] === number) held[document] = number + 1
      }
    })
    return held.map((count) => (terms.length > 0 && count === terms.length ? 1 : 0))
  }
  let texts: readonly string[] | undefined
  return (required) => {
    texts ??= documents.map(({ name, originalName, server = '' }) => foldName(`${server}|${name}|${originalName}`))
    const holds = documents.map(() => true)
    for (const word of required) {
      const piece = foldName(word)
      const byWords = holdersOfWords(word)
      for (let at = 0; at < holds.length; at++)
        if (holds[at] === true && byWords[at] !== 1 && texts[at]?.includes(piece) !== true) holds[at] = false
    }
    return holds
  }
}
