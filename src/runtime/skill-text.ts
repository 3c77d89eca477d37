// The text of a skill as it stands in a conversation: whole or cut, without what nobody sees, between two marks that
// nothing in it can write. A stranger wrote it; all that it says, it says as the skill.

import { realpath } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { bounds } from '../config/bounds.ts'
import { decodeText } from '../config/read-text.ts'
import { ToolgateError } from '../errors.ts'
import { frontMatter } from '../skills/front-matter.ts'
import { cleanText } from '../text/clean-text.ts'
import { openFile, readWhole } from '../workspace/open-file.ts'

export interface SkillBody {
  /** Without the front matter; `''` where there is nothing else. */
  readonly text: string
  /** Line of the file on which what was cut goes on. Absent: the text is whole. */
  readonly goesOnAt?: number
}

/** Bytes of a body that a message carries. */
const bodyBytesMax = 64 * 1024

/**
 * Reads the body of the SKILL.md of a folder, opened as the file tools open it: without a link, a pipe or a second name.
 * `virtual` is how its folder is named. `fault`: one line, why it cannot be had now. Never rejects.
 */
export async function readSkillBody(folder: string, virtual: string): Promise<SkillBody | { readonly fault: string }> {
  const canonical = `${virtual}/SKILL.md`
  try {
    const host = await realpath(folder)
    // As when the skills were looked for: a link may lead to a neighbour, and no further.
    if (host !== folder && !host.startsWith(`${dirname(folder)}${sep}`)) return { fault: 'its folder is a link' }
    const file = openFile({ canonical, root: { virtual, host, writable: false }, parts: ['SKILL.md'] })
    const bytes = await readWhole(file, bounds.fileBytes).finally(file.close)
    const reading = decodeText(bytes, canonical)
    return 'fault' in reading ? { fault: reading.fault.message } : bodyOf(reading.text)
  } catch (error) {
    return { fault: error instanceof ToolgateError ? error.finding.message : 'it is not there' }
  }
}

/** From the whole text of a file. */
export function bodyOf(text: string): SkillBody | { readonly fault: string } {
  const front = frontMatter(text)
  if ('fault' in front) return front
  const closing = text.indexOf('\n') + front.yaml.length
  const end = text.indexOf('\n', closing)
  const body = end === -1 ? '' : cleanText(text.slice(end + 1)).text
  const kept = firstBytes(body)
  const goesOnAt = linesIn(text.slice(0, end + 1)) + linesIn(kept) + 1
  return {
    text: withoutMarks(
      kept
        .replace(/\r\n?/g, '\n')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd(),
    ),
    ...(kept === body ? {} : { goesOnAt }),
  }
}

/** As much as fits, in whole lines where one fits. */
function firstBytes(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bodyBytesMax) return text
  // Half a character at the end is held back.
  const cut = new TextDecoder().decode(bytes.subarray(0, bodyBytesMax), { stream: true })
  const end = cut.lastIndexOf('\n')
  return end === -1 ? cut : cut.slice(0, end + 1)
}

const linesIn = (text: string): number => text.split('\n').length - 1

/** The body between its marks. `name` and `path` are safe between quotes. */
export const fencedSkill = (name: string, path: string, { text }: SkillBody): string =>
  [`<skill name="${name}" path="${path}">`, ...(text === '' ? [] : [text]), '</skill>'].join('\n')

/**
 * Writes the mark before whatever would be read as the edge of a part of the prompt as `\uXXXX`: of our own parts, of
 * the usual harnesses and chat templates, also in characters that look like them. Other markup stays, because skills
 * teach how to write it.
 */
function withoutMarks(text: string): string {
  return text.replace(marks, (mark, at: number) => {
    const after = text.slice(at + 1, at + 1 + windowChars).normalize('NFKC')
    const isEdge = (mark.normalize('NFKC') === '[' ? bracketed : tagged).test(after)
    return isEdge ? `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}` : mark
  })
}

/** Longer than the longest name with blanks around it. */
const windowChars = 64
const marks = /[<[\uff1c\ufe64\uff3b\u02c2\u1433\u2039\u226e\u227a\u22d6\u2329\u276c\u276e\u2770\u27e8\u29fc\u3008]/g
const tagged =
  /^(?:\s*\|[\w /]{1,40}\||[\s/]*(?:antml:)?(?:skills?|sys|system|assistant|developer|human|important|system[_-](?:reminder|prompt|message|instructions?)|(?:available[_-])?(?:deferred[_-])?(?:tools|functions)|available[_-]skills|tool[_-]routing[_-]hints|(?:tool|function)[_-](?:call|use|result|response)s?)(?![\w-])|\s*\/[\s/]*(?:user|tool|function)\s*>)/i
const bracketed = /^\s*\/?\s*(?:inst|sys(?:tem)?(?:_prompt)?|tool_(?:calls|results)|available_tools)\s*\]/i
