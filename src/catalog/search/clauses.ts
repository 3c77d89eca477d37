// A long request holds several needs. Each clause is searched by itself as well, so that a small need is not drowned by
// the words of the others.

/** Most clauses of one query that are searched. */
const clausesMax = 16

/** The clauses of a text: between sentence ends, semicolons, lines, and the words that join steps. In order. */
export function clauses(text: string): readonly string[] {
  return text
    .split(boundary)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
    .slice(0, clausesMax)
}

const boundary = /[.!?](?=\s|$)|[;\n。！？；]|,\s(?:and|then)\s|\s(?:and then|and also|then)\s|\s\+\s/
