// Skills of a thread: which the model is told of, and which come into use.
//
//   /pdf fill in the form     the person puts it into use      <skill …> its text </skill> The person writes: fill in the form
//   /pdf off                  the person takes it out of use   the model is told so
//   read_file …/SKILL.md      the model puts it into use       what it reads is the text
//
// INVARIANT: only what is offered comes into use, and a skill that is malformed or not the agent's is never offered.

import { basename } from 'node:path'
import type { PreparedRun } from '../assembly/run-input.ts'
import { promptText } from '../catalog/prompt/prompt-text.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { SkillFact, SkillsFacts } from '../core/run-facts.ts'
import type { PromptSkill } from '../prompt/prompt-part.ts'
import type { Skill } from '../skills/skill.ts'
import { parseVirtualPath, type VirtualPath } from '../workspace/virtual-path.ts'
import type { VirtualRoot } from '../workspace/workspace.ts'
import { fencedSkill, readSkillBody } from './skill-text.ts'
import type { CallOutcome } from './tool-call.ts'

export interface SlashSkill {
  readonly skill: string
  /** False: it goes out of use. */
  readonly on: boolean
  /** What the model is given in the place of the message. */
  readonly message: string
}

type SkilledRun = Pick<PreparedRun, 'surface' | 'skills'>

/** The skills that the agent of a run may use. */
export const promptSkills = (run: SkilledRun): readonly PromptSkill[] =>
  offeredSkills(run).map(({ fact, skill, file }) => ({
    name: fact.name,
    description: skill.description,
    path: file.canonical,
    active: fact.active,
  }))

/**
 * The skill that a message asks for by its first word: `/name`, or `/name off` and nothing more. Undefined: it is an
 * ordinary message. What the operator has in use stays so, and a skill whose text cannot be read now comes into use all
 * the same, with the tools that it leaves: whoever asked for it asked for that as well. Never rejects.
 */
export async function skillBySlash(
  message: string,
  run: SkilledRun & Pick<PreparedRun, 'baseFacts' | 'policy'>,
): Promise<SlashSkill | undefined> {
  const word = /^\/(\S{1,64})(?=\s|$)/.exec(message)?.[1]
  const offered = word === undefined ? undefined : offeredSkills(run).find(({ fact }) => fact.name === word)
  if (word === undefined || offered === undefined) return undefined
  const words = message.slice(word.length + 1).trim()
  if (words.toLowerCase() === 'off') return putOff(offered, run)
  return { skill: word, on: true, message: await messageOn(offered, words) }
}

/** The skill whose text a call has just read, of those that are offered. */
export function skillRead(
  { decision, args }: { readonly decision: Decision; readonly args: unknown },
  outcome: CallOutcome,
  run: SkilledRun,
): string | undefined {
  const { role, protocol } = decision.candidate
  // What a server says that it has read is the word of the server.
  if (role !== 'file-read' || (protocol !== 'module' && protocol !== 'native')) return undefined
  if (outcome.kind !== 'result' || outcome.isError || !isJsonObject(args)) return undefined
  const offered = offeredSkills(run)
  const roots = offered.map(({ root }) => root)
  const read = parseVirtualPath(args.path, roots)
  if ('fault' in read) return undefined
  return offered.find(({ file }) => file.canonical === read.canonical)?.fact.name
}

interface OfferedSkill {
  readonly fact: SkillFact
  readonly skill: Skill
  readonly root: VirtualRoot
  /** Its SKILL.md. */
  readonly file: VirtualPath
}

/** In the order of the facts. Of two folders with one name only the first can be read, as in the workspace of a thread. */
function offeredSkills({ surface, skills }: SkilledRun): readonly OfferedSkill[] {
  const known = new Map(skills.map((skill) => [skill.name, skill]))
  const reached = new Map<string, Skill>()
  for (const skill of skills) {
    const name = basename(skill.folder)
    if (!reached.has(name)) reached.set(name, skill)
  }
  return surface.facts.skills.list.flatMap((fact): OfferedSkill[] => {
    const skill = known.get(fact.name)
    if (!fact.enabled || fact.malformed !== undefined || skill === undefined || skill.malformed !== undefined) return []
    const name = basename(skill.folder)
    if (reached.get(name) !== skill) return []
    const root: VirtualRoot = { virtual: `/mnt/skills/${name}`, host: skill.folder, writable: false }
    const file = parseVirtualPath(`${root.virtual}/SKILL.md`, [root])
    // A folder that no path can name is none of the thread either.
    return 'fault' in file || file.canonical !== `${root.virtual}/SKILL.md` ? [] : [{ fact, skill, root, file }]
  })
}

async function messageOn({ fact, skill, root, file }: OfferedSkill, words: string): Promise<string> {
  const [name, path] = [promptText(fact.name, 64), promptText(file.canonical, 4096)]
  const body = await readSkillBody(skill.folder, root.virtual)
  if ('fault' in body)
    return [
      `The person puts the skill "${name}" into use, but its file ${path} cannot be read now: ${printable(body.fault, 300)}.`,
      'Tell the person so, and do not guess what it says.',
      ...(fact.allowedTools === undefined
        ? []
        : [`It limits your tools all the same, until the person writes "/${name} off".`]),
      ...wordsOf(words, 'The person writes nothing else.'),
    ].join('\n')
  return [
    `The person puts the skill "${name}" into use. Follow what its file ${path} says about how to do the work; what ` +
      'stands between the marks is the text of the skill, not of the person.',
    fencedSkill(name, path, body),
    ...(body.goesOnAt === undefined
      ? []
      : [`[The text is cut here. The whole stands in ${path}; it goes on at line ${body.goesOnAt}.]`]),
    ...wordsOf(words, 'The person writes nothing else. Where the skill does not say how to begin, ask what it is for.'),
  ].join('\n')
}

const wordsOf = (words: string, none: string): readonly string[] =>
  words === '' ? [none] : ['The person writes:', words]

function putOff({ fact }: OfferedSkill, run: Pick<PreparedRun, 'surface' | 'baseFacts' | 'policy'>): SlashSkill {
  const name = promptText(fact.name, 64)
  const byOperator =
    run.policy.skills?.includes(fact.name) === true ||
    run.baseFacts.skills.list.some((one) => one.name === fact.name && one.active)
  if (byOperator)
    return {
      skill: fact.name,
      on: true,
      message:
        `The person wants the skill "${name}" out of use. It stays in use: the configuration of this run says so, and ` +
        'a message cannot change that. Tell the person.',
    }
  const { mode } = run.surface.facts.skills
  const what = fact.active
    ? `The skill "${name}" is not in use any more. Do not follow its text from here on. ${toolsAfter(fact, mode)}`
    : `The skill "${name}" is not in use; nothing changes.`
  return {
    skill: fact.name,
    on: false,
    message: `The person writes "/${name} off". ${what} Confirm that in a sentence.`,
  }
}

function toolsAfter({ allowedTools }: SkillFact, mode: SkillsFacts['mode']): string {
  if (allowedTools === undefined) return 'Your tools stay as they are.'
  if (mode === 'enabled') return 'It limits your tools all the same, as every skill does on this run.'
  return 'It limits your tools no longer.'
}
