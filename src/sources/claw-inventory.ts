// claw-code's inventory: a list of source files of another product, each with a name, the path it was mirrored from
// and a sentence. What it decides by pieces of names is kept as marks, so that its own counts can be shown beside
// ours; what we decide by is declared.

import { type Candidate, effectClasses, type Protocol, type ToolRole } from '../core/candidate.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { cleanText } from '../text/clean-text.ts'
import { isObject } from './bounded-json.ts'
import { candidateOf, emptySchema } from './candidate-of.ts'

export interface ClawEntry extends JsonObject {
  readonly name: string
  readonly source_hint: string
}

export const isClawEntry = (value: Json): value is ClawEntry =>
  isObject(value) && typeof value.name === 'string' && typeof value.source_hint === 'string'

/** The three tools of its simple mode, by exact name (its `get_tools`). */
const roles = new Map<string, ToolRole>([
  ['BashTool', 'shell'],
  ['FileReadTool', 'file-read'],
  ['FileEditTool', 'file-edit'],
])

const protocols: readonly Protocol[] = ['module', 'native', 'mcp', 'acp']

/**
 * An entry as a candidate. Its protocol is what its own `protocol` field says; without one it is `mcp` when a whole
 * word of its path is (MCPTool, services/mcp, not SystemCpuTool), else `native`. Marks: `claw:mcp-by-substring` and
 * `claw:simple-by-name` where claw-code itself would take it for one.
 */
export function clawCandidate(entry: ClawEntry, place: { readonly id: string; readonly origin: Origin }): Candidate {
  const { name, source_hint: hint, responsibility, protocol } = entry
  const role = roles.get(name)
  const marks = [
    ...(`${name}\n${hint}`.toLowerCase().includes('mcp') ? ['claw:mcp-by-substring'] : []),
    ...(role === undefined ? [] : ['claw:simple-by-name']),
  ]
  return candidateOf({
    id: place.id,
    source: 'snapshot',
    protocol: protocols.find((known) => known === protocol) ?? (wordsOf(hint).includes('mcp') ? 'mcp' : 'native'),
    originalName: name,
    name,
    form: 'executes',
    ...(role === undefined ? {} : { role }),
    // Its shell is that product's own, which runs where the run lets it.
    needs: role === 'shell' ? ['shell'] : [],
    effects: effectClasses,
    effectsBy: 'assumed',
    availability: { state: 'available' },
    definition: {
      description: typeof responsibility === 'string' ? cleanText(responsibility).text : '',
      inputSchema: emptySchema,
    },
    marks,
    origin: place.origin,
    meta: { source_hint: hint },
    owner: { source: 'snapshot', source_hint: hint },
  })
}

/** `services/mcpAuth/MCPTool.ts` → services, mcp, auth, mcp, tool, ts. */
function wordsOf(path: string): readonly string[] {
  const words: string[] = []
  let word = ''
  const end = () => {
    if (word !== '') words.push(word.toLowerCase())
    word = ''
  }
  for (let at = 0; at < path.length; at += 1) {
    const char = path.charAt(at)
    if (!isLetter(char)) end()
    else {
      const before = path.charAt(at - 1)
      // A capital begins a word after a small letter, and at the end of a row of capitals: MCP|Tool.
      if (isUpper(char) && (isLower(before) || (isUpper(before) && isLower(path.charAt(at + 1))))) end()
      word += char
    }
  }
  end()
  return words
}

const isUpper = (char: string): boolean => char >= 'A' && char <= 'Z'
const isLower = (char: string): boolean => char >= 'a' && char <= 'z'
const isLetter = (char: string): boolean => isUpper(char) || isLower(char)
