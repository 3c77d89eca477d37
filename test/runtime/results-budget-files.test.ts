// The files that keep results whole: their names, their bounds, and what they never do.

import { linkSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { keeper } from '../../src/runtime/results/keeper.ts'
import { glob } from '../../src/tools/index.ts'
import { keepLimits, keepResult } from '../../src/workspace/files/keep-result.ts'
import { aThread, faultOf, type Thread } from '../workspace/a-thread.ts'

const folder = '/mnt/user-data/workspace/.results/'
let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
const kept = (): readonly string[] => readdirSync(thread.at('.results')).sort()

describe('kept results', () => {
  const keep = (bytes: string, limits = {}) =>
    keepResult(
      thread.workspace,
      {
        label: 'a b/../c',
        hash: Buffer.from(bytes.padEnd(32, '0')).toString('hex'),
        ending: 'txt',
        bytes: Buffer.from(bytes),
      },
      { limits: { ...keepLimits, ...limits } },
    )
  const age = (path: string, seconds: number) => {
    const name = path.slice(folder.length)
    utimesSync(thread.at(`.results/${name}`), seconds, seconds)
    return name
  }

  it('have names that can be files anywhere, and the same for the same content', async () => {
    const { path } = await keep('one')
    expect(path).toMatch(/\/\.results\/a-b-c-[0-9a-f]{16}\.txt$/)
    expect((await keep('one')).path).toBe(path)
    expect(kept()).toHaveLength(1)
  })

  it('make room for others, the oldest first, and say so; what is not theirs stays', async () => {
    writeFileSync(age((await keep('1')).path, 300) && thread.at('.results/notes.txt'), 'mine')
    const oldest = age((await keep('2')).path, 100)
    const third = age((await keep('3')).path, 200)
    expect((await keep('4', { files: 3 })).removed).toBe(1)
    expect(kept()).not.toContain(oldest)
    expect((await keep('55', { bytes: 4 })).removed).toBe(1)
    expect(kept()).not.toContain(third)
    expect(kept()).toContain('notes.txt')
    expect((await keep('666', { bytes: 3 })).removed).toBe(3)
  })

  it('say in the answer that older ones are gone', async () => {
    const words = async (file: string) =>
      (await keeper(thread.workspace, 'list', { limits: { ...keepLimits, files: 1 } })(Buffer.from(file), 'txt')).words
    expect(await words('1')).not.toContain('removed')
    expect(await words('2')).toMatch(/^kept as \S+ \(1 older one was removed for it\)$/)
  })

  it('are refused where one is too big, or stands on what is no file of its own', async () => {
    expect(await faultOf(() => keep('12345', { fileBytes: 4 }))).toMatchObject({ code: 'file-too-big' })
    const { path } = await keep('one')
    const at = thread.at(`.results/${path.slice(folder.length)}`)
    linkSync(at, join(thread.base, 'other'))
    expect(await faultOf(() => keep('one'))).toMatchObject({ code: 'hardlink' })
    rmSync(at)
    symlinkSync(join(thread.outside, 'secret.txt'), at)
    expect(await faultOf(() => keep('one'))).toMatchObject({ code: 'symlink-escape' })
    expect(readFileSync(join(thread.outside, 'secret.txt'), 'utf8')).toBe('OUTSIDE')
  })

  it('are not found by searches that do not name their folder', async () => {
    await keep('one')
    const found = async (path: string) =>
      String(await glob.execute?.({ path, pattern: '**/*.txt' }, { workspace: thread.workspace }))
    expect(await found('/mnt/user-data/workspace')).toContain('not looked into: .results')
    expect(await found('/mnt/user-data/workspace/.results')).toContain('/.results/a-b-c-')
  })
})
