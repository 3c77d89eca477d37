import { mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { type FileWatch, watchFiles } from '../../src/runtime/config-watch.ts'

const watches: FileWatch[] = []
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close()
})

function watched(files: () => readonly string[], onChange: () => Promise<void>): void {
  watches.push(watchFiles(files, onChange, { everyMs: 20 }))
}

const fresh = (): string => join(mkdtempSync(join(tmpdir(), 'toolgate-test-')), 'toolgate.yaml')

it('an edit, a replacement and a removal are each told once', async () => {
  const file = fresh()
  writeFileSync(file, 'version: 1')
  let changes = 0
  watched(
    () => [file],
    async () => {
      changes += 1
    },
  )
  await sleep(100)
  writeFileSync(file, 'version: 1 # edited')
  await vi.waitFor(() => expect(changes).toBe(1))
  writeFileSync(`${file}.new`, 'version: 1')
  renameSync(`${file}.new`, file)
  await vi.waitFor(() => expect(changes).toBe(2))
  rmSync(file)
  await vi.waitFor(() => expect(changes).toBe(3))
  await sleep(100)
  expect(changes).toBe(3)
})

it('a file that is still being written is not told yet', async () => {
  const file = fresh()
  writeFileSync(file, '')
  const sizes: number[] = []
  let text = ''
  watched(
    () => [file],
    async () => {
      sizes.push(text.length)
    },
  )
  await sleep(60)
  for (let part = 0; part < 20; part += 1) {
    text += `# line ${part}\n`
    writeFileSync(file, text)
    await sleep(8)
  }
  await vi.waitFor(() => expect(sizes.at(-1)).toBe(text.length))
})

it('an edit while the last one is taken in is not lost', async () => {
  const file = fresh()
  writeFileSync(file, 'a')
  let changes = 0
  watched(
    () => [file],
    async () => {
      changes += 1
      if (changes === 1) writeFileSync(file, 'ccc')
      await sleep(50)
    },
  )
  await sleep(60)
  writeFileSync(file, 'bb')
  await vi.waitFor(() => expect(changes).toBe(2))
})

it('the files are asked for anew, so that an edit may name others', async () => {
  const [one, other] = [fresh(), fresh()]
  writeFileSync(one, 'a')
  writeFileSync(other, 'b')
  let files = [one]
  let changes = 0
  watched(
    () => files,
    async () => {
      changes += 1
      files = [one, other]
    },
  )
  await sleep(60)
  writeFileSync(one, 'aa')
  await vi.waitFor(() => expect(changes).toBeGreaterThanOrEqual(1))
  await sleep(150)
  const before = changes
  writeFileSync(other, 'bb')
  await vi.waitFor(() => expect(changes).toBe(before + 1))
})

it('a file of the same size and date that took its place is another', async () => {
  const file = fresh()
  writeFileSync(file, 'a')
  utimesSync(file, 1, 1)
  let changes = 0
  watched(
    () => [file],
    async () => {
      changes += 1
    },
  )
  await sleep(60)
  // Written in place, so that the inode stays; only the time of change tells.
  writeFileSync(file, 'b')
  utimesSync(file, 1, 1)
  await vi.waitFor(() => expect(changes).toBe(1))
})

it.skipIf(process.platform === 'win32')(
  'a file that cannot be looked at for a while is no edit, and stops nothing',
  async () => {
    const file = fresh()
    const folder = dirname(file)
    writeFileSync(file, 'a')
    let changes = 0
    watched(
      () => [file],
      async () => {
        changes += 1
      },
    )
    await sleep(60)
    // A link that leads to itself cannot be followed by anybody.
    renameSync(folder, `${folder}.away`)
    symlinkSync(folder, folder)
    await sleep(150)
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
    await sleep(100)
    expect(changes).toBe(0)
    writeFileSync(file, 'bb')
    await vi.waitFor(() => expect(changes).toBe(1))
  },
)

it('a path that no system takes stops nothing', async () => {
  const file = fresh()
  writeFileSync(file, 'a')
  let changes = 0
  watched(
    () => [file, 'a\0b', `/${'x'.repeat(5000)}`],
    async () => {
      changes += 1
    },
  )
  await sleep(60)
  writeFileSync(file, 'bb')
  await vi.waitFor(() => expect(changes).toBe(1))
})
