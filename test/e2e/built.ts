// The built program. `npm test` builds before it tests; whoever runs one of these files alone gets a build of what
// stands in `src` now. Files of tests run side by side, so that only one of them builds while the others wait.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const mainFile = join(root, 'dist/cli/main.mjs')

const lock = join(tmpdir(), `toolgate-build-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
/** A build takes some ten seconds; a lock older than this belongs to a run that was killed. */
const staleMs = 180_000

let isChecked = false

/**
 * Builds when `dist` is missing or older than `src`. Returns when the program can be run; throws when it cannot be
 * built. Looked at once in each process: a build in the midst of a file would pull `dist` away from its other tests.
 */
export function ensureBuilt(): void {
  if (isChecked) return
  build()
  isChecked = true
}

function build(): void {
  for (;;) {
    if (isCurrent() && !existsSync(lock)) return
    if (taken()) {
      try {
        if (!isCurrent())
          execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe', shell: process.platform === 'win32' })
      } finally {
        rmdirSync(lock)
      }
      return
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
}

function taken(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > staleMs) rmdirSync(lock)
    return false
  }
}

function isCurrent(): boolean {
  const built = statSync(mainFile, { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return false
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', file))
  return [...sources, 'tsdown.config.ts'].every(
    (file) => (statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= built,
  )
}
