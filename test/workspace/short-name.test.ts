import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { virtualText } from '../../src/workspace/mapping/rewrite-result.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { shortNameOf } from '../../src/workspace/short-name.ts'

const deep = (): string => {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-test-'))), 'x'.repeat(80))
  mkdirSync(folder)
  return folder
}

describe.skipIf(process.platform === 'win32')('the temporary folder of a thread [M2]', () => {
  it('has a name under which a socket can be opened, however deep it lies', async () => {
    const folder = deep()
    const name = shortNameOf(folder)
    expect(name.length).toBeLessThan(50)
    expect(shortNameOf(folder)).toBe(name)
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(join(name, 'a-socket-with-a-name-of-some-length.sock'), resolve)
    })
    expect(lstatSync(join(folder, 'a-socket-with-a-name-of-some-length.sock')).isSocket()).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  it('has names of its own, in a folder that only its owner may look into', () => {
    const [one, other] = [deep(), deep()]
    expect(shortNameOf(one)).not.toBe(shortNameOf(other))
    expect(lstatSync(join(shortNameOf(one), '..')).mode & 0o077).toBe(0)
    writeFileSync(join(shortNameOf(one), 'a'), 'mine')
    expect(readFileSync(join(one, 'a'), 'utf8')).toBe('mine')
  })

  it('keeps its own name where that is short', () => {
    expect(shortNameOf('/srv/t/.tmp')).toBe('/srv/t/.tmp')
  })

  it('is shown by its virtual path under either name', async () => {
    const workspace = await openWorkspace({ threadsFolder: deep(), owner: { user: 'u', thread: 't' } })
    const view = { workspace, openRoots: [], privateRoots: ['/tmp'] }
    expect(workspace.tempName).toBeDefined()
    for (const name of [workspace.temp, workspace.tempName])
      expect(virtualText(`wrote ${name}/out.log`, view)).toBe('wrote /mnt/user-data/workspace/.tmp/out.log')
  })
})
