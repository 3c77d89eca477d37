// The file functions against a thread that swaps folders, files and links under them. Outside of the thread's folder
// lie files with a mark; a mark that is read, or anything that changes outside, is an escape.

import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { ToolgateError } from '../../src/errors.ts'
import { readText } from '../../src/workspace/files/read-text.ts'
import { searchFiles } from '../../src/workspace/files/search-files.ts'
import { writeText } from '../../src/workspace/files/write-file.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { type Swap, swapping } from './swapping.ts'

export interface RaceTally {
  readonly tries: number
  /** Carried out, inside. */
  readonly done: number
  /** Answered with an error that has a code. */
  readonly refused: number
  readonly escapes: number
  /** Other errors, one line each; there must be none. */
  readonly faults: readonly string[]
}

export interface RaceCounts {
  readonly reads: number
  readonly writes: number
  readonly searches: number
  /** Reads by realpath and then open, to see what the same swapper does to them. */
  readonly compared: number
}

export interface RaceReport {
  readonly reads: RaceTally
  readonly writes: RaceTally
  readonly searches: RaceTally
  readonly compared: RaceTally
  readonly swaps: number
  /** Files open at the end that were not open at the beginning. Linux only; 0 elsewhere. */
  readonly leaked: number
}

/** Runs everything in a folder of its own, which is removed. */
export async function race(counts: RaceCounts, progress: (line: string) => void = () => {}): Promise<RaceReport> {
  const base = realpathSync(mkdtempSync(join(quickFolder(), 'toolgate-races-')))
  try {
    const scene = await sceneIn(base)
    // Loaded before files are counted: a library may keep one open.
    await attempt(scene, 'first', 1, () => read(scene, 0))
    const openBefore = openFiles()
    const swapper = await swapping(scene.swaps)
    try {
      const reads = await attempt(scene, 'reads', counts.reads, (index) => read(scene, index), progress)
      const writes = await attempt(scene, 'writes', counts.writes, (index) => write(scene, index), progress)
      const searches = await attempt(scene, 'searches', counts.searches, () => search(scene), progress)
      const compared = await attempt(
        scene,
        'compared',
        counts.compared,
        (index) => checkThenOpen(scene, index),
        progress,
      )
      const swaps = swapper.swaps()
      await swapper.end()
      return { reads, writes, searches, compared, swaps, leaked: openFiles() - openBefore }
    } finally {
      await swapper.end()
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** In memory where that can be had: names change ten times as often there as on a disk. */
function quickFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}

const virtual = '/mnt/user-data/workspace'
const mark = 'OUTSIDE-MARK'

interface Scene {
  readonly workspace: Workspace
  readonly swaps: readonly Swap[]
  /** Misses: what changed outside since the last look. */
  readonly changes: () => number
}

async function sceneIn(base: string): Promise<Scene> {
  const workspace = await openWorkspace({ threadsFolder: join(base, 'threads'), owner: { user: 'u', thread: 't' } })
  const [inside, outputs, outside] = [workspace.cwd, join(workspace.userData, 'outputs'), join(base, 'outside')]
  const text = (path: string, content: string): void => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
  }
  for (const file of ['secret.txt', 'sub/deep.txt', 'drop/kept.txt']) text(join(outside, file), `${mark} ${file}`)
  for (const file of [
    'd/secret.txt',
    'd/sub/deep.txt',
    'e/sub/deep.txt',
    'f.txt',
    'h.txt',
    'w/kept.txt',
    'real/secret.txt',
  ])
    text(join(inside, file), 'inside')
  text(join(outputs, 'secret.txt'), 'inside')
  symlinkSync(join(inside, 'real'), join(inside, 'l'))
  const swaps: Swap[] = [
    { kind: 'away', at: join(inside, 'd'), to: outside },
    { kind: 'away', at: join(inside, 'e/sub'), to: join(outside, 'sub') },
    { kind: 'relink', at: join(inside, 'l'), to: outside, back: join(inside, 'real') },
    { kind: 'hardlink', at: join(inside, 'h.txt'), to: join(outside, 'secret.txt') },
    { kind: 'away', at: join(inside, 'w'), to: join(outside, 'drop') },
    { kind: 'away', at: outputs, to: outside },
    { kind: 'away', at: join(inside, 'f.txt'), to: join(outside, 'secret.txt') },
  ]
  let before = contentOf(outside)
  return {
    workspace,
    swaps,
    changes: () => {
      const now = contentOf(outside)
      const names = new Set([...before.keys(), ...now.keys()])
      const changed = [...names].filter((name) => before.get(name) !== now.get(name))
      before = now
      return changed.length
    },
  }
}

function contentOf(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'no file']
    }),
  )
}

const readTargets = ['d/secret.txt', 'd/sub/deep.txt', 'e/sub/deep.txt', 'f.txt', 'h.txt', 'l/secret.txt', 'w/kept.txt']

async function read({ workspace }: Scene, index: number): Promise<string> {
  const target = readTargets[index % (readTargets.length + 1)]
  const path = target === undefined ? '/mnt/user-data/outputs/secret.txt' : `${virtual}/${target}`
  return (await readText(workspace, path)).text
}

async function write({ workspace }: Scene, index: number): Promise<string> {
  const name = `n${index % 40}.txt`
  const targets = [
    `${virtual}/w/${name}`,
    `${virtual}/d/sub/${name}`,
    `${virtual}/e/sub/${name}`,
    `${virtual}/w/made${index % 7}/deeper/${name}`,
    `${virtual}/l/${name}`,
    `${virtual}/h.txt`,
    `/mnt/user-data/outputs/${name}`,
  ]
  await writeText(workspace, targets[index % targets.length], 'inside', { append: index % 3 === 0 })
  return ''
}

async function search({ workspace }: Scene): Promise<string> {
  const { matches } = await searchFiles(workspace, '/mnt/user-data', { pattern: mark, max: 10 })
  return matches.map(({ text }) => text).join()
}

/** What is usual elsewhere: find out where the path leads, compare, and open what was compared. */
async function checkThenOpen({ workspace }: Scene, index: number): Promise<string> {
  const host = join(workspace.cwd, readTargets[index % 3] ?? '')
  const real = await realpath(host)
  if (!real.startsWith(workspace.userData + sep)) throw Object.assign(new Error('outside'), { code: 'OUTSIDE' })
  return readFile(real, 'utf8')
}

async function attempt(
  scene: Scene,
  what: string,
  tries: number,
  work: (index: number) => Promise<string>,
  progress: (line: string) => void = () => {},
): Promise<RaceTally> {
  let [done, refused, escapes] = [0, 0, 0]
  const faults: string[] = []
  for (let index = 0; index < tries; index += 1) {
    try {
      if ((await work(index)).includes(mark)) escapes += 1
      else done += 1
    } catch (error) {
      if (error instanceof ToolgateError || (error instanceof Error && 'code' in error)) refused += 1
      else faults.push(String(error))
      if (
        error instanceof ToolgateError &&
        unexpected.has(error.finding.code) &&
        !error.message.includes('again and again')
      )
        faults.push(error.message)
    }
    if ((index + 1) % progressEvery === 0) {
      escapes += scene.changes()
      progress(`  ${what}: ${index + 1} of ${tries}, ${escapes} escapes`)
    }
  }
  return { tries, done, refused, escapes: escapes + scene.changes(), faults: faults.slice(0, 20) }
}

const progressEvery = 10_000

/** A swap explains none of these. */
const unexpected: ReadonlySet<string> = new Set(['internal-error', 'file-io', 'file-not-text', 'path-outside'])

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
