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

/** Builds when `dist` is missing or older than `src`. Returns when the program can be run; throws when it cannot be built. */
export function ensureBuilt(): void {
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
  const src = join(root, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return files.every((file) => (statSync(join(src, file), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= built)
}
