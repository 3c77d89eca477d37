// The skills of the configuration as read-only folders below /mnt/skills, each under the name of its own folder. Of
// two with one name the first counts, in the order of the configuration, as everywhere with skills.
//
//   paths: [skills, /opt/shared]    skills/pdf/SKILL.md  →  /mnt/skills/pdf      /opt/shared/pdf is not seen

import { opendir, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { parseVirtualPath } from './virtual-path.ts'
import type { VirtualRoot } from './workspace.ts'

/** Entries of one configured folder; a larger one is not read at all, for which of them came first would be chance. */
const entriesMax = 1000

/**
 * One root for each skill below the given folders (a folder with a SKILL.md is a skill; a given folder may be one
 * itself). A folder that cannot be read has none: whoever loads the skills reports it. A link that leads out of its
 * folder is no skill.
 */
export async function skillRoots(folders: readonly string[]): Promise<readonly VirtualRoot[]> {
  const roots = new Map<string, VirtualRoot>()
  for (const folder of new Set(folders)) {
    for (const { name, host } of await skillsIn(folder)) {
      const virtual = `/mnt/skills/${name}`
      if (!roots.has(virtual) && canBeNamed(virtual)) roots.set(virtual, { virtual, host, writable: false })
    }
  }
  return [...roots.values()]
}

interface SkillFolder {
  readonly name: string
  /** Links resolved. */
  readonly host: string
}

async function skillsIn(folder: string): Promise<readonly SkillFolder[]> {
  try {
    const top = await realpath(folder)
    if (await holdsSkill(top)) return [{ name: basename(folder), host: top }]
    const names: string[] = []
    for await (const entry of await opendir(top)) {
      if (entry.name.startsWith('.')) continue
      names.push(entry.name)
      if (names.length > entriesMax) return []
    }
    const found: SkillFolder[] = []
    for (const name of names.sort()) {
      const host = await realpath(join(top, name)).catch(() => undefined)
      if (host !== undefined && isInside(host, top) && (await holdsSkill(host))) found.push({ name, host })
    }
    return found
  } catch {
    return []
  }
}

const holdsSkill = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, 'SKILL.md')).catch(() => undefined))?.isFile() === true

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** A folder whose name no path could hold is left out, rather than be there and never be found. */
function canBeNamed(virtual: string): boolean {
  const parsed = parseVirtualPath(virtual, [{ virtual, host: '', writable: false }])
  return !('fault' in parsed) && parsed.canonical === virtual
}
