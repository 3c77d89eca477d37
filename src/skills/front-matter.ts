/** The text between the fences, or one printable line that says what is wrong with them. */
export type FrontMatter = { readonly yaml: string } | { readonly fault: string; readonly line: number }

/** Longest front matter in characters; the longest of those in use are below a tenth of it. */
const frontMatterMax = 64 * 1024

/**
 * Takes the front matter off a SKILL.md. It opens on the first line and ends at the next line that is `---` from
 * its first column: an indented `---` belongs to a block of text and ends nothing. The line of the opening fence
 * stays as an empty line, so that the lines of the YAML are those of the file.
 */
export function frontMatter(text: string): FrontMatter {
  const opening = lineAt(text, 0)
  if (!isFence(opening.line)) return { fault: 'the first line is not "---", so there is no front matter', line: 1 }
  let at = opening.next
  while (at < text.length) {
    if (at > frontMatterMax) return { fault: `the front matter is longer than ${frontMatterMax} characters`, line: 1 }
    const { line, next } = lineAt(text, at)
    if (isFence(line)) return { yaml: `\n${text.slice(opening.next, at)}` }
    at = next
  }
  return { fault: 'no line "---" closes the front matter', line: 1 }
}

/** Blanks after the dashes are an editor's doing and mean nothing in YAML either. */
const isFence = (line: string): boolean => line.startsWith('---') && line.slice(3).trim() === ''

function lineAt(text: string, from: number): { readonly line: string; readonly next: number } {
  const end = text.indexOf('\n', from)
  if (end === -1) return { line: text.slice(from), next: text.length }
  return { line: text.slice(from, end), next: end + 1 }
}
