// A process of its own for tests of stores: state-child.ts ROLE FOLDER …. It says what it did, one line each, written
// at once, so that what was said before a kill is known.
//
//   work SEED THREAD    asks for one change after another, and says which are done, until it is killed
//   add NAME COUNT      adds promotions and counts calls beside others that do the same
//   full                fills the disk that the folder is on, then makes room again
//   limit               may write no long file
//   read-only           finds its disk mounted read-only, then not

import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore } from '../../src/state/state-store.ts'
import { aState, codeOf, key, namesOf, withName } from './a-state.ts'
import { workStep } from './work-step.ts'

const say = (line: string): void => {
  writeSync(1, `${line}\n`)
}

const roles: { readonly [role: string]: (folder: string, first: string, second: string) => Promise<void> } = {
  work: async (folder, seed, thread) => {
    say('ready')
    const { promotions } = await openState('sqlite:state.db', { folder })
    for (let step = 1; ; step += 1) {
      await promotions.update({ ...key, thread }, workStep(Number(seed), step))
      say(`done ${step}`)
    }
  },
  add: async (folder, name, count) => {
    const { promotions, use, close } = await openState('sqlite:state.db', { folder, busyMs: 30_000 })
    for (let number = 1; number <= Number(count); number += 1) {
      await promotions.update(key, withName(`${name}_${number}`))
      await use.count('main', 'mcp:files/read')
    }
    await close()
  },
  full: async (folder) => {
    const filler = join(folder, 'filler')
    const store = await openState('sqlite:state.db', { folder })
    await store.promotions.update(key, () => aState('old'))
    await closedWith('closed.db', folder)
    fill(filler)
    await tellOf(store, 'full')
    const late = await openState('sqlite:closed.db', { folder })
    await tellOf(late, 'opened when full')
    rmSync(filler, { force: true })
    await tellOf(store, 'room again')
    await tellOf(late, 'opened when full, room again')
  },
  limit: async (folder) => {
    const store = await openState('sqlite:state.db', { folder })
    await store.promotions.update(key, () => aState('old'))
    await tellOf(store, 'limited')
  },
  'read-only': async (folder) => {
    await closedWith('state.db', folder)
    remount('ro', folder)
    const store = await openState('sqlite:state.db', { folder })
    await tellOf(store, 'opened when read-only')
    await tellOf(await openState('sqlite:none.db', { folder }), 'nothing there')
    remount('rw', folder)
    await tellOf(store, 'writable again')
  },
}

const remount = (how: 'ro' | 'rw', folder: string): void => {
  execFileSync('sh', ['-c', 'mount -o "remount,$0" "$1"', how, folder])
}

/** One promotion in a file that nobody has open. */
async function closedWith(file: string, folder: string): Promise<void> {
  const store = await openState(`sqlite:${file}`, { folder })
  await store.promotions.update(key, () => aState('old'))
  await store.close()
  // What was prepared holds the file until it is collected.
  await setImmediate()
  globalThis.gc?.()
  await setImmediate()
}

/** What a store can do now, as one line of JSON. */
async function tellOf({ promotions, use, findings }: StateStore, when: string): Promise<void> {
  const big = Array.from({ length: 900 }, (_, index) => `tool_${index}_${'x'.repeat(300)}`)
  const told = {
    when,
    unchanged: await codeOf(promotions.update(key, (before) => before)),
    write: await codeOf(promotions.update(key, () => aState(...big))),
    other: await codeOf(promotions.update({ ...key, thread: 'other' }, () => aState(...big))),
    forget: await codeOf(promotions.forget({ user: 'nobody', thread: 'none' })),
    count: await codeOf(use.count('main', 'a')),
    read: namesOf(await promotions.read(key)).length,
    most: await codeOf(use.most('main', 3)),
    findings: findings.map(({ code, message }) => `${code}: ${message}`),
  }
  say(JSON.stringify(told))
}

/** Until not a byte fits any more. */
function fill(path: string): void {
  for (const size of [64 * 1024, 4096, 512, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size))
    } catch {
      // A smaller piece may still fit.
    }
  }
}

const [, , role = '', folder = '', first = '', second = ''] = process.argv
await roles[role]?.(folder, first, second)
