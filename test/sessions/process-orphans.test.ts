import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startProcess } from '../../src/sessions/processes/server-process.ts'
import { freshFolder, isAlive } from '../sources/scripted.ts'
import { type Round, runRounds } from './process-rounds.ts'

describe.skipIf(process.platform === 'win32')('servers of every bad behaviour [M1, Q4]', () => {
  it('leave nobody behind when they are ended, nor when the program that started them is killed', async () => {
    const seen: Round[] = []
    const { left } = await runRounds({ rounds: 17, lanes: 3, onRound: (round) => seen.push(round) })
    expect(seen.filter((round) => round.left.length > 0)).toEqual([])
    expect([seen.length, left]).toEqual([17, []])
  })
})

describe.skipIf(process.platform === 'win32')('a server that ends by itself [M1]', () => {
  it('takes with it what it leaves behind, though nobody ends it', async () => {
    const folder = freshFolder()
    const script = 'sleep 600 & echo $! > child; exit 3'
    const server = await startProcess({
      command: '/bin/sh',
      args: ['-c', script],
      env: { PATH: process.env.PATH ?? '' },
      cwd: folder,
    })
    expect(await server.gone).toBe('exited with code 3')
    expect(existsSync(join(folder, 'child'))).toBe(true)
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'))
    await expect.poll(() => isAlive(child), { timeout: 5000 }).toBe(false)
  })
})

describe('the variable that marks a session', () => {
  it('is ours alone: a value in the configuration does not count', async () => {
    const server = await startProcess({
      command: process.execPath,
      args: ['-e', 'console.log(process.env.TOOLGATE_SESSION, process.env.OTHER)'],
      env: { TOOLGATE_SESSION: 'mine', OTHER: 'kept' },
      cwd: freshFolder(),
    })
    let said = ''
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await server.gone
    await server.end()
    expect(said).toMatch(/^[0-9a-f]{32} kept\n$/)
  })
})
