// Finds the skills of a run: every configured folder one level deep, a folder with a SKILL.md is a skill. What
// lies in the folders comes from strangers, so everything is bounded and no link leads out of them.

import { opendir, realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { readText } from '../config/read-text.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { readSkill, unreadSkill } from './read-skill.ts'
import type { Skill } from './skill.ts'

export interface LoadedSkills {
  /** One for each name, in the order of paths and, inside a path, of folder names. */
  readonly skills: readonly Skill[]
  readonly findings: readonly Finding[]
}

export interface LoadOptions {
  /** Where the paths are configured, for findings about a whole folder. */
  readonly origin?: Origin
  /** Files are shown relative to this folder when they lie in it. Absent: the working folder. */
  readonly shownFrom?: string
}

/** Entries of one configured folder. A larger one is not read at all: which of them came first would be chance. */
const entriesMax = 1000
const fileName = 'SKILL.md'

/**
 * Reads the skills in the given folders (absolute paths); a path that itself holds a SKILL.md is one skill. Never
 * throws: a folder or skill that cannot be read is a finding, and such a skill is kept as malformed under the name
 * of its folder, so that a run that uses it allows nothing. Of two skills with one name the first counts.
 */
export async function loadSkills(paths: readonly string[], options: LoadOptions = {}): Promise<LoadedSkills> {
  const shown = shownFrom(options.shownFrom ?? process.cwd())
  const skills = new Map<string, Skill>()
  const findings: Finding[] = []
  for (const path of new Set(paths)) {
    const found = await foldersIn(path, shown, options.origin)
    findings.push(...found.findings)
    for (const folder of found.folders) {
      const skill = await skillIn(folder, found.root, shown)
      if (skill === undefined) continue
      findings.push(...skill.findings)
      const first = skills.get(skill.name)
      if (first === undefined) skills.set(skill.name, skill)
      else findings.push(twin(skill, first))
    }
  }
  return { skills: [...skills.values()], findings }
}

interface Found {
  /** The configured folder with all links resolved. */
  readonly root: string
  readonly folders: readonly string[]
  readonly findings: readonly Finding[]
}

async function foldersIn(path: string, shown: (path: string) => string, origin?: Origin): Promise<Found> {
  const place = { subject: printable(shown(path)), origin: origin ?? { in: shown(path) } }
  try {
    const root = await realpath(path)
    const names: string[] = []
    for await (const entry of await opendir(root)) {
      if (entry.name === fileName) return { root, folders: [root], findings: [] }
      if (!entry.name.startsWith('.')) names.push(entry.name)
      if (names.length > entriesMax) {
        const message = `the folder holds more than ${entriesMax} entries; none of them was read`
        return { root, folders: [], findings: [finding('skill-folder', 'error', message, place)] }
      }
    }
    return { root, folders: names.sort().map((name) => join(root, name)), findings: [] }
  } catch (error) {
    const message = `the folder of skills cannot be read: ${reasonOf(error)}`
    return { root: path, folders: [], findings: [finding('skill-folder', 'error', message, place)] }
  }
}

/** Nothing when the entry is no folder or has no SKILL.md. */
async function skillIn(folder: string, root: string, shown: (path: string) => string): Promise<Skill | undefined> {
  const place = { folder, folderName: basename(folder), file: shown(join(folder, fileName)) }
  const unread = (fault: string): Skill => {
    const origin = { in: place.file }
    return unreadSkill(place, [finding('skill-folder', 'error', `${fileName} ${fault}`, { origin })])
  }
  try {
    const file = await realpath(join(folder, fileName))
    if (!isInside(file, root)) return unread('is a link that leads out of the folder of skills')
    const reading = await readText(file, place.file)
    if ('text' in reading) return readSkill(reading.text, place)
    const { code, message, origin } = reading.fault
    const fault = finding('skill-frontmatter', 'error', `${code}: ${message}`, origin === undefined ? {} : { origin })
    return unreadSkill(place, [fault])
  } catch (error) {
    const reason = reasonOf(error)
    return reason === 'ENOENT' || reason === 'ENOTDIR' ? undefined : unread(`cannot be read: ${reason}`)
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const shownFrom =
  (base: string) =>
  (path: string): string => {
    const shown = isInside(path, base) ? relative(base, path) : path
    return printable(shown.split(sep).join('/'), 300)
  }

function twin(later: Skill, first: Skill): Finding {
  return finding('duplicate-name', 'warning', `the skill in ${first.origin.in} bears the same name and comes first`, {
    subject: later.name,
    hint: 'rename one of them; until then this one is not used',
    origin: later.origin,
  })
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return printable(error instanceof Error ? error.message : String(error))
}
