// From a SKILL.md to a skill. A skill may limit the tools of the run that uses it, so whatever cannot be read in
// one way only fails closed: the skill stays, malformed, and allows nothing.
//
//   text ─ front matter (fences) ─ YAML (bounded) ─ name, description, allowed-tools ─ skill

import { originAt, type Path } from '../config/place.ts'
import { readYaml } from '../config/read-yaml.ts'
import type { Data } from '../config/reading.ts'
import type { Finding } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { cleanText } from '../text/clean-text.ts'
import { readAllowedTools } from './allowed-tools.ts'
import { frontMatter } from './front-matter.ts'
import { isKnownKey, meansToolList } from './keys.ts'
import type { Skill } from './skill.ts'

export interface SkillPlace {
  /** The folder of the skill, absolute. */
  readonly folder: string
  /** Its last part; names the skill while nothing better does. */
  readonly folderName: string
  /** Its SKILL.md as the user would name it. */
  readonly file: string
}

/** Longest name and description, and the form of a name: the Agent Skills format. */
const nameMax = 64
const descriptionMax = 1024
const nameForm = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Findings of one skill about the YAML of its front matter; one is what people mend at a time. */
const yamlFaultsMax = 3

/**
 * Reads the clean text of a SKILL.md. Findings: `skill-frontmatter`, `skill-name`, `skill-description`,
 * `skill-allowed-tools` (errors, each makes the skill malformed), `hidden-text`, `rule-condition-ignored`,
 * `config-unknown-key` (warnings). Never throws.
 */
export function readSkill(text: string, place: SkillPlace): Skill {
  const front = frontMatter(text)
  if ('fault' in front) {
    const origin = { in: place.file, line: front.line }
    return unreadSkill(place, [finding('skill-frontmatter', 'error', front.fault, { hint: fences, origin })])
  }
  const reading = readYaml(front.yaml, place.file)
  if ('faults' in reading) return unreadSkill(place, reading.faults.slice(0, yamlFaultsMax).map(ofFrontMatter))
  if (!isMapping(reading.value)) {
    const origin = originAt(reading.place, [])
    return unreadSkill(place, [finding('skill-frontmatter', 'error', 'the front matter is no mapping', { origin })])
  }
  return skillOf(reading.value, reading, place)
}

const fences = 'write "---" on the first line, the keys below it, and "---" after them'

/** A skill of which nothing is known but its folder. It bears the folder's name, so that using it fails closed. */
export function unreadSkill(place: SkillPlace, faults: readonly Finding[]): Skill {
  const name = printable(place.folderName, nameMax)
  const findings = faults.map((fault) => ({ ...fault, subject: name }))
  return made({ name, description: '', folder: place.folder, origin: { in: place.file }, findings })
}

/** The reader speaks of a file; here it is a part of one, under the code of skills and with its own code in the message. */
function ofFrontMatter(fault: Finding): Finding {
  const colon = 'put a value that holds a colon into quotes'
  return finding('skill-frontmatter', 'error', printable(`${fault.code}: ${fault.message}`, 300), {
    hint: fault.hint ?? (fault.code === 'config-syntax' ? colon : 'mend it; until then the skill allows nothing'),
    ...(fault.origin === undefined ? {} : { origin: fault.origin }),
  })
}

function skillOf(value: JsonObject, reading: Data, place: SkillPlace): Skill {
  const root = reading.place
  const findings: Finding[] = [...reading.warnings]
  const report: Report = (code, severity, path, message, hint) =>
    findings.push(finding(code, severity, message, { hint, origin: originAt(root, path) }))

  const name = nameIn(value, report) ?? printable(place.folderName, nameMax)
  const description = descriptionIn(value, report)
  const allowedTools = allowedToolsIn(value, report)
  reportKeys(value, report)

  const origin = allowedTools === undefined ? { in: place.file } : originAt(root, ['allowed-tools'])
  return made({
    name,
    description,
    ...(allowedTools === undefined ? {} : { allowedTools }),
    folder: place.folder,
    origin,
    findings: findings.map((found) => ({ ...found, subject: name })),
  })
}

/** INVARIANT: with an error among its findings a skill is malformed and has no list that anybody could go by. */
function made(skill: Omit<Skill, 'malformed'>): Skill {
  const fault = skill.findings.find((found) => found.severity === 'error')
  if (fault === undefined) return skill
  const { allowedTools: _, ...rest } = skill
  return { ...rest, malformed: fault.message, origin: fault.origin ?? skill.origin }
}

type Report = (
  code: Parameters<typeof finding>[0],
  severity: 'error' | 'warning',
  path: Path,
  message: string,
  hint: string,
) => void

function nameIn(value: JsonObject, report: Report): string | undefined {
  const { name } = value
  const hint = `write small letters, digits and single hyphens between them, at most ${nameMax} characters`
  if (name === undefined) report('skill-name', 'error', [], 'the front matter has no name', hint)
  else if (typeof name !== 'string')
    report('skill-name', 'error', ['name'], 'the name is no text', 'put it into quotes')
  else if (name.length <= nameMax && nameForm.test(name)) return name
  else report('skill-name', 'error', ['name'], `the name "${printable(name, nameMax)}" is not of the right form`, hint)
  return undefined
}

function descriptionIn(value: JsonObject, report: Report): string {
  const { description } = value
  const path = ['description']
  const hint = 'write one or two plain sentences: what the skill does, and when to use it'
  if (description === undefined || description === null) {
    report(
      'skill-description',
      'error',
      description === undefined ? [] : path,
      'the front matter has no description',
      hint,
    )
    return ''
  }
  if (typeof description !== 'string') {
    report('skill-description', 'error', path, 'the description is no text', 'put it into quotes')
    return ''
  }
  const { text, removed } = cleanText(description)
  const visible = text.trim()
  if (removed > 0) {
    const message = `the description held ${removed} hidden character${removed === 1 ? '' : 's'}; they were removed`
    report('hidden-text', 'warning', path, message, 'look at the file: somebody may be hiding instructions')
  }
  if (visible === '') report('skill-description', 'error', path, 'the description is empty', hint)
  if ([...visible].length <= descriptionMax) return visible
  report(
    'skill-description',
    'error',
    path,
    `the description is longer than ${descriptionMax} characters`,
    'shorten it',
  )
  return ''
}

function allowedToolsIn(value: JsonObject, report: Report): readonly string[] | undefined {
  const key = 'allowed-tools'
  if (!Object.hasOwn(value, key)) return undefined
  const read = readAllowedTools(value[key])
  if ('fault' in read) {
    const hint = 'write a list of tool names, one by one; no wildcards; [] for no tool'
    report(
      'skill-allowed-tools',
      'error',
      read.at === undefined ? [key] : [key, read.at],
      `${key}: ${read.fault}`,
      hint,
    )
    return undefined
  }
  for (const entry of read.scoped.slice(0, scopedMax)) {
    const message = `${key}: only the tool of "${printable(entry, 60)}" counts; what stands in brackets has no effect`
    const hint = 'limit its arguments with a deny or ask rule under permissions'
    report('rule-condition-ignored', 'warning', [key], message, hint)
  }
  return read.tools
}

const scopedMax = 10

/** A key that means a list of tools and is not the one that counts is a lost restriction; any other is a remark. */
function reportKeys(value: JsonObject, report: Report): void {
  const unknown = Object.keys(value).filter((key) => !isKnownKey(key))
  const meant = unknown.find(meansToolList)
  if (meant !== undefined) {
    const message = `the key "${printable(meant, 40)}" is not known, and it looks like a list of tools`
    const hint = 'the key is allowed-tools; what a skill must not use goes under permissions.deny'
    report('skill-allowed-tools', 'error', [meant], message, hint)
  }
  const others = unknown.filter((key) => key !== meant)
  const [first] = others
  if (first === undefined) return
  const shown = others.slice(0, 5).map((key) => `"${printable(key, 40)}"`)
  const more = others.length > shown.length ? ` and ${others.length - shown.length} more` : ''
  const message = `no meaning is known for ${shown.join(', ')}${more}`
  report('config-unknown-key', 'warning', [first], message, 'remove it, or put it under metadata')
}

const isMapping = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
