import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startFailure } from '../../src/sessions/processes/process-start-failure.ts'
import { StartFailure, startProcess } from '../../src/sessions/processes/server-process.ts'
import { freshFolder, root } from '../sources/scripted.ts'

const spec = { command: 'lab', args: [], env: { PATH: process.env.PATH ?? '' }, cwd: tmpdir() }
const systemError = (code: string) => Object.assign(new Error(`spawn lab ${code}`), { code })

describe('a server that a limit keeps from starting [Q4, R17]', () => {
  it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'E2BIG'])('%s is named, with what helps', (code) => {
    const { message } = startFailure(systemError(code), spec)
    expect(message).toMatch(new RegExp(`^command "lab" could not be started, for .+: .+ \\(${code}\\)$`))
  })

  it.skipIf(process.platform === 'win32')('too many arguments are told by name', async () => {
    const args = Array.from({ length: 40 }, () => 'x'.repeat(100_000))
    const failure = await startProcess({ ...spec, command: '/bin/sh', args }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StartFailure)
    expect((failure as StartFailure).message).toContain('E2BIG')
  })

  it.skipIf(process.platform === 'win32')(
    'at the limit of open files the next server is refused, the others go on, and room is used again',
    async () => {
      const folder = freshFolder()
      const script = join(folder, 'host.mts')
      writeFileSync(
        script,
        `import { startProcess } from ${JSON.stringify(join(root, 'src/sessions/processes/server-process.ts'))}
        const spec = { command: '/bin/sh', args: ['-c', 'while read -r line; do echo "$line"; done'], env: process.env, cwd: '/' }
        const servers = []
        let refused = ''
        while (refused === '' && servers.length < 200) {
          try { servers.push(await startProcess(spec)) } catch (error) { refused = error.name + ': ' + error.message }
        }
        const answer = new Promise((resolve) => servers[0].stdout.once('data', resolve))
        servers[0].stdin.write('still here\\n')
        const first = String(await answer).trim()
        await servers.pop().end()
        await servers.pop().end()
        servers.push(await startProcess(spec))
        await Promise.all(servers.map((server) => server.end()))
        console.log(JSON.stringify({ refused, first, started: servers.length }))`,
      )
      const command = `ulimit -n 80 && exec "$0" --import tsx "$1"`
      const host = spawn('/bin/sh', ['-c', command, process.execPath, script], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(host, 'exit')
      const told = JSON.parse(await text(host.stdout)) as { refused: string; first: string; started: number }
      expect(told.refused).toMatch(/^StartFailure: command "\/bin\/sh" could not be started, for .+\(EMFILE\)$/)
      expect(told.first).toBe('still here')
      expect(told.started).toBeGreaterThan(2)
      expect(await exited).toEqual([0, null])
    },
  )
})
