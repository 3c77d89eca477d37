// Which documents hold a required word in their names or in the name of their server.

import { foldName } from '../../core/json.ts'
import type { Lexicon } from './lexicon.ts'
import { inName, inServer, type Postings } from './postings.ts'
import type { SearchDocument } from './search-document.ts'
import { words } from './words.ts'

/** For each document whether it holds the word there: as a piece of a name, in any letter case, or as words of it. */
export type NameHolders = (word: string) => readonly boolean[]

export function nameHolders(
  documents: readonly SearchDocument[],
  { lexicon, postings }: { readonly lexicon: Lexicon; readonly postings: Postings },
): NameHolders {
  const { starts, others, places } = postings.byTerm
  return (word) => {
    const piece = foldName(word)
    const holds = documents.map(({ name, originalName, server = '' }) =>
      [server, name, originalName].some((text) => foldName(text).includes(piece)),
    )
    const terms = [...new Set(words(word).map((part) => lexicon.find(part)))]
    const heldTerms = new Uint8Array(documents.length)
    for (const term of terms) {
      const end = starts[term + 1] ?? 0
      for (let at = starts[term] ?? end; at < end; at++) {
        const document = others[at] ?? 0
        if (((places[at] ?? 0) & (inName | inServer)) !== 0) heldTerms[document] = (heldTerms[document] ?? 0) + 1
      }
    }
    return holds.map((held, at) => held || (terms.length > 0 && heldTerms[at] === terms.length))
  }
}
