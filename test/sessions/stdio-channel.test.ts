import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { ServerProcess } from '../../src/sessions/server-process.ts'
import { stdioChannel } from '../../src/sessions/stdio-channel.ts'

/** The pipes of a process that does not exist. */
async function pipes(bytesMax = 1000) {
  let leave = (_words: string) => {}
  const gone = new Promise<string>((resolve) => {
    leave = resolve
  })
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const server: ServerProcess = { pid: 0, stdin, stdout, gone, lastWords: () => '', end: async () => {} }
  const channel = stdioChannel(server, bytesMax)
  const transport = channel.transport()
  const received: JSONRPCMessage[] = []
  let closed = 0
  transport.onmessage = (message) => received.push(message)
  transport.onclose = () => {
    closed += 1
  }
  await transport.start()
  const say = async (...chunks: readonly (string | Buffer)[]) => {
    for (const chunk of chunks) stdout.write(chunk)
    await turn()
    await turn()
  }
  return { channel, transport, received, say, leave, stdin, closed: () => closed }
}

const message = (id: number, text = '') => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}`

describe('messages on standard output', () => {
  it('are whole lines, however they are cut', async () => {
    const { received, say, channel } = await pipes()
    const bytes = Buffer.from(`${message(1, 'é🛠')}\r\n${message(2)}\n`)
    await say(...Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1)))
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, result: { text: 'é🛠' } },
      { jsonrpc: '2.0', id: 2, result: { text: '' } },
    ])
    expect(channel.received()).toBe(bytes.length)
  })

  it('come several to a batch', async () => {
    const { received, say } = await pipes()
    await say(`[${message(1)},${message(2)},7]\n`)
    expect(received).toHaveLength(2)
  })

  it('are told apart from what is printed besides', async () => {
    const { received, say, channel } = await pipes()
    await say('Ready \u001b[1m!\n', '\n', '{"level":"info"}\n', '{broken\n', message(1), '\n', '7\n')
    expect(received).toHaveLength(1)
    expect(channel.noise()).toEqual({ lines: 4, first: 'Ready \\u001b[1m!' })
  })

  it('end when one is longer than a listing may be', async () => {
    const { received, say, channel, closed } = await pipes(1000)
    await say('{"jsonrpc":"2.0",', 'x'.repeat(2000), `"}\n${message(1)}\n`)
    expect([channel.overflowed(), closed(), received]).toEqual([true, 1, []])
  })
})

describe('a transport on the channel', () => {
  it('hears of the end of the process, also when it comes late', async () => {
    const { channel, leave, closed } = await pipes()
    leave('exited with code 1')
    await turn()
    expect(closed()).toBe(1)
    const late = channel.transport()
    const heard = new Promise<void>((resolve) => {
      late.onclose = resolve
    })
    await late.start()
    await heard
  })

  it('can be followed by another on the same process', async () => {
    const { channel, transport, received, say, stdin } = await pipes()
    await transport.close()
    const second = channel.transport()
    const heard: JSONRPCMessage[] = []
    second.onmessage = (incoming) => heard.push(incoming)
    await second.start()
    await transport.close()
    await say(`${message(5)}\n`)
    expect([received, heard.length]).toEqual([[], 1])
    await second.send({ jsonrpc: '2.0', method: 'ping', id: 1 })
    expect(stdin.read().toString()).toBe('{"jsonrpc":"2.0","method":"ping","id":1}\n')
  })
})
