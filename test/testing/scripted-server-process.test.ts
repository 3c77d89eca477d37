// What only bytes and processes show: over standard input and output, without a client of the protocol.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { scriptedServer } from '../../src/testing/scripted-handles.ts'
import { freshFolder, isAlive, listening, markedPids, scriptedProgram } from '../sources/scripted.ts'
import { atEnd, bare, toolCall } from './scripted-clients.ts'

const answerWith = (text: string, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
})

describe('a scripted server as a process', () => {
  it.each([
    { die: {}, ended: { code: 1, signal: null } },
    { die: { code: 7 }, ended: { code: 7, signal: null } },
    { die: { signal: 'SIGKILL' }, ended: { code: null, signal: 'SIGKILL' } },
  ] as const)('ends in place of an answer: $die', async ({ die, ended }) => {
    const server = bare({ calls: { last: { die } } })
    server.send(toolCall(1, 'last'))
    expect(await server.line()).toBeUndefined()
    expect(await server.exit).toEqual(ended)
  })

  it('ends itself when its life is over, whatever it does', async () => {
    const server = bare({ lifeMs: 200, calls: { stuck: { hang: true } } })
    server.send(toolCall(1, 'stuck'))
    expect(await server.exit).toEqual({ code: 0, signal: null })
  })

  it('ends with its input, once it has answered', async () => {
    const server = bare({ calls: { slow: { afterMs: 100 } } })
    server.send(toolCall(1, 'slow'))
    server.stdin.end()
    expect(await server.answer()).toEqual(answerWith('ok'))
    expect(await server.exit).toEqual({ code: 0, signal: null })
  })

  it('starts a child that is left behind', async () => {
    const marker = join(freshFolder(), 'marker')
    const server = bare({ marker, calls: { fork: { fork: 'child' } } })
    server.send(toolCall(1, 'fork'))
    expect(await server.answer()).toEqual(answerWith('ok'))
    const [first, child = 0] = markedPids(marker)
    expect(first).toBe(server.pid)
    process.kill(server.pid, 'SIGKILL')
    await server.exit
    expect(isAlive(child)).toBe(true)
    process.kill(child, 'SIGKILL')
  })

  it('starts a daemon that has a session of its own and no parent here', async () => {
    const marker = join(freshFolder(), 'marker')
    const server = bare({ marker, calls: { fork: { fork: 'daemon' } } })
    server.send(toolCall(1, 'fork'))
    expect(await server.answer()).toEqual(answerWith('ok'))
    const [, daemon = 0] = markedPids(marker)
    atEnd(async () => process.kill(daemon, 'SIGKILL'))
    if (process.platform === 'linux') {
      const [, parent, , session] = statOf(daemon)
      expect(session).toBe(String(daemon))
      expect([server.pid, process.pid].map(String)).not.toContain(parent)
    }
    process.kill(server.pid, 'SIGKILL')
    await server.exit
    expect(isAlive(daemon)).toBe(true)
  })

  it('writes a file in its working folder and tells where', async () => {
    const folder = realpathSync(freshFolder())
    const server = bare({ calls: { save: { file: { path: 'out/chart.svg', text: '<svg/>' } } } }, { cwd: folder })
    server.send(toolCall(1, 'save'))
    expect(await server.answer()).toEqual(answerWith(join(folder, 'out/chart.svg')))
    expect(readFileSync(join(folder, 'out/chart.svg'), 'utf8')).toBe('<svg/>')
  })

  it('needs one file alone over standard input', async () => {
    const program = join(freshFolder(), 'server.mjs')
    copyFileSync(scriptedProgram, program)
    const server = bare({ calls: { greet: { text: 'hello' } } }, { program })
    server.send(toolCall(1, 'greet'))
    expect(await server.answer()).toEqual(answerWith('hello'))
  })
})

describe('the bytes of a scripted server', () => {
  it('are a flood that waits for its reader', async () => {
    const letters = 200_000_000
    const server = bare({ calls: { flood: { bytes: letters } } })
    server.send(toolCall(1, 'flood'))
    let bytes = 0
    for await (const chunk of server.stdout) {
      bytes += (chunk as Buffer).length
      if (bytes >= letters && (chunk as Buffer).includes(10)) break
    }
    expect(bytes).toBe(letters + JSON.stringify(answerWith('')).length + 1)
    if (process.platform === 'linux') expect(peakOf(server.pid)).toBeLessThan(letters / 2)
  })

  it('are a flood over HTTP as well', async () => {
    const letters = 200_000_000
    const server = await listening({ discover: true, calls: { flood: { bytes: letters } } })
    atEnd(server.close)
    const body = JSON.stringify({
      jsonrpc: '2.0',
      ...toolCall(1, 'flood', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }),
    })
    const response = await fetch(server.url, { method: 'POST', body })
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    expect(bytes).toBeGreaterThan(letters)
    expect(bytes).toBeLessThan(letters + 1000)
    if (process.platform === 'linux') expect(peakOf(server.pid)).toBeLessThan(letters / 2)
  })

  it('come one by one when the plan says so, and other answers wait for the end', async () => {
    const server = bare({ calls: { drop: { dripMs: 2, text: 'drop' } } })
    const chunks: Buffer[] = []
    server.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    server.send(toolCall(1, 'drop'))
    await vi.waitFor(() => expect(chunks.length).toBeGreaterThan(0))
    server.send(toolCall(2, 'other'))
    const lines = () => Buffer.concat(chunks).toString().split('\n')
    await vi.waitFor(() => expect(lines()).toHaveLength(3), 10_000)
    expect(
      lines()
        .slice(0, 2)
        .map((line) => JSON.parse(line)),
    ).toEqual([answerWith('drop'), answerWith('ok', 2)])
    expect(chunks.length).toBeGreaterThan(20)
  })

  it('are what the plan holds, with the id of the call put in', async () => {
    const bytes = Buffer.concat([
      Buffer.from('half a mess\n'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('$CALL $CALL_AS_OTHER_TYPE\n'),
    ])
    const server = bare({ calls: { raw: { raw: bytes.toString('base64') } } })
    let read = Buffer.alloc(0)
    server.stdout.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk])
    })
    server.send(toolCall(17, 'raw'))
    await vi.waitFor(() => expect(read).toEqual(Buffer.concat([bytes.subarray(0, 14), Buffer.from('17 "17"\n')])))
    server.send(toolCall('17', 'raw'))
    await vi.waitFor(() => expect(read.toString('latin1')).toMatch(/"17" 17\n$/))
  })

  it('end when the plan closes the output, and the process goes on', async () => {
    const raw = Buffer.from('{"jsonrpc":"2.0","id":$CALL,').toString('base64')
    const record = join(freshFolder(), 'record')
    const server = bare({ record, calls: { half: { raw, close: true } } })
    server.send(toolCall(1, 'half'))
    expect(await server.line()).toBe('{"jsonrpc":"2.0","id":1,')
    expect(await server.line()).toBeUndefined()
    server.send(toolCall(2, 'other'))
    await vi.waitFor(() => expect(readFileSync(record, 'utf8').trim().split('\n')).toHaveLength(2))
    expect(isAlive(server.pid)).toBe(true)
  })

  // Node gives its children sockets, which end by themselves; shells and other languages give pipes.
  it.skipIf(process.platform === 'win32')(
    'end when the plan closes the output, also for the reader of a pipe',
    async () => {
      const { command, args } = scriptedServer(
        { calls: { half: { raw: '', close: true } } },
        { program: scriptedProgram },
      )
      const words = [command, ...args].map((word) => `'${word}'`).join(' ')
      const shell = spawn('/bin/sh', ['-c', `${words} | { cat; echo ended; }`], { stdio: ['pipe', 'pipe', 'inherit'] })
      shell.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...toolCall(1, 'half') })}\n`)
      const [said] = await once(shell.stdout, 'data')
      expect(String(said)).toBe('ended\n')
      shell.stdin.end()
      await once(shell, 'exit')
    },
  )

  it.each([
    { answers: 'twice', ids: [3, 3] },
    { answers: 'other-id', ids: [1_000_003] },
    { answers: 'null-id', ids: [null] },
  ] as const)('answer under the id of the plan: $answers', async ({ answers, ids }) => {
    const server = bare({ calls: { odd: { answers } } })
    server.send(toolCall(3, 'odd'))
    for (const id of ids) expect(await server.answer()).toEqual(answerWith('ok', id))
    server.send(toolCall(4, 'other'))
    expect(await server.answer()).toEqual(answerWith('ok', 4))
  })
})

describe('the input of a scripted server', () => {
  it('is read at the pace of the plan', async () => {
    const record = join(freshFolder(), 'record')
    const server = bare({ record, readBytesPerSecond: 2_000_000 })
    let taken = false
    const big = { ...toolCall(1, 'big'), padding: 'x'.repeat(1_000_000) }
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...big })}\n`, () => {
      taken = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect({ taken, came: existsSync(record) }).toEqual({ taken: false, came: false })
    expect(await server.answer()).toEqual(answerWith('ok'))
  })

  it('may hold what is no message', async () => {
    const server = bare({})
    server.stdin.write('hello\nnull\n[]\n')
    server.send(toolCall(1, 'any'))
    expect(await server.answer()).toEqual(answerWith('ok'))
  })

  it('brings no answer to a ping when the server is deaf', async () => {
    const hearing = bare({})
    hearing.send({ id: 1, method: 'ping' })
    expect(await hearing.answer()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const deaf = bare({ deaf: true })
    deaf.send({ id: 1, method: 'ping' })
    deaf.send(toolCall(2, 'any'))
    expect(await deaf.answer()).toEqual(answerWith('ok', 2))
  })
})

/** What Linux says of a process after its name: state, parent, group, session. */
const statOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')

/** Most bytes of memory that a process ever held. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
