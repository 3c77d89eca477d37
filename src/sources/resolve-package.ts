// Where a package lies, seen from the configuration's folder. Node resolves bare names only from the module that
// imports them, which would be ours; so the look-up that Node documents is done here: node_modules upwards, then
// `exports` for `import`, else `main`.

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

const manifestBytesMax = 1_000_000
const conditions = new Set(['node', 'import', 'module-sync', 'default'])

/** Absolute path of the module file, or why there is none. The file is inside the package's own folder. */
export function resolvePackage(
  folder: string,
  specifier: string,
): { readonly file: string } | { readonly why: string } {
  const parts = specifier.split('/')
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  const inner = parts.slice(name.split('/').length).join('/')
  const root = packageFolder(folder, name)
  if (root === undefined) return { why: `package "${name}" is not installed where the configuration can see it` }
  try {
    const manifest = readManifest(join(root, 'package.json'))
    const target =
      manifest.exports === undefined || manifest.exports === null
        ? inner === ''
          ? mainOf(manifest)
          : `./${inner}`
        : exported(manifest.exports, inner === '' ? '.' : `./${inner}`)
    if (target === undefined) return { why: `package "${name}" does not export "${specifier}"` }
    const file = realpathSync(join(root, target))
    if (!file.startsWith(root + sep)) return { why: `package "${name}" leads outside its own folder` }
    return { file }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

function packageFolder(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (statSync(join(candidate, 'package.json'), { throwIfNoEntry: false })?.isFile()) return realpathSync(candidate)
    if (dirname(folder) === folder) return undefined
  }
}

function readManifest(path: string): { readonly exports?: unknown; readonly main?: unknown } {
  if (statSync(path).size > manifestBytesMax) throw new Error(`${path} is too big`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

const mainOf = (manifest: { readonly main?: unknown }): string =>
  typeof manifest.main === 'string' && manifest.main !== '' ? manifest.main : 'index.js'

/** The target of a subpath in `exports`: an exact key first, then the longest pattern with one `*`. */
function exported(map: unknown, subpath: string): string | undefined {
  if (!isRecord(map) || !Object.keys(map).some((key) => key.startsWith('.'))) {
    return subpath === '.' ? chosen(map) : undefined
  }
  if (Object.hasOwn(map, subpath)) return chosen(map[subpath])
  const patterns = Object.keys(map)
    .filter((key) => key.includes('*'))
    .sort((a, b) => b.length - a.length)
  for (const pattern of patterns) {
    const [before = '', after = ''] = pattern.split('*')
    const fits = subpath.startsWith(before) && subpath.endsWith(after) && subpath.length > before.length + after.length
    if (fits) return chosen(map[pattern])?.replaceAll('*', subpath.slice(before.length, subpath.length - after.length))
  }
  return undefined
}

/** The first target whose condition holds for `import` on Node; null closes a subpath. */
function chosen(target: unknown): string | undefined {
  if (typeof target === 'string') return target.startsWith('./') ? target : undefined
  if (Array.isArray(target)) return target.map(chosen).find((found) => found !== undefined)
  if (!isRecord(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    if (!conditions.has(condition)) continue
    const found = chosen(inner)
    if (found !== undefined || inner === null) return found
  }
  return undefined
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
