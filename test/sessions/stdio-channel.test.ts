import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { ServerProcess } from '../../src/sessions/processes/server-process.ts'
import { type Asked, messageInbox } from '../../src/sessions/wire/message-inbox.ts'
import { stdioChannel } from '../../src/sessions/wire/stdio-channel.ts'

/** The pipes of a process that does not exist, and an inbox that waits for the answers to some requests. */
async function pipes(bytesMax = 1000, waiting: readonly (number | string)[] = [1, 2]) {
  let leave = (_words: string) => {}
  const gone = new Promise<string>((resolve) => {
    leave = resolve
  })
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const server: ServerProcess = { pid: 0, stdin, stdout, gone, lastWords: () => '', end: async () => {} }
  const inbox = messageInbox({ onListChanged: () => {}, onUnknownAnswer: (words) => channel.noteUnknownAnswer(words) })
  const channel = stdioChannel(server, inbox, bytesMax)
  const asked = new Map<number | string, Asked>()
  for (const id of waiting) {
    const one: Asked = { method: 'tools/call', bytesMax }
    asked.set(id, one)
    inbox.expect(id, one)
  }
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
  const answers = () => [...asked].flatMap(([id, { answer }]) => (answer === undefined ? [] : [[id, answer] as const]))
  return { channel, inbox, transport, received, answers, say, leave, stdin, stdout, closed: () => closed }
}

const message = (id: unknown, text = '') => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"text":"${text}"}}`
const result = (text = '') => ({ kind: 'result', value: { text } })

describe('messages on standard output', () => {
  it('are whole lines, however they are cut', async () => {
    const { answers, say, channel } = await pipes()
    const bytes = Buffer.from(`${message(1, 'é🛠')}\r\n${message(2)}\n`)
    await say(...Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1)))
    expect(answers()).toEqual([
      [1, result('é🛠')],
      [2, result()],
    ])
    expect(channel.received()).toBe(bytes.length)
  })

  it('tell the SDK of an answer only that there is one', async () => {
    const { received, say } = await pipes()
    await say(`{"extra":1,"jsonrpc":"2.0","id":1,"result":{"content":7,"_meta":"x"}}\n`)
    expect(received).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: { resultType: 'complete', tools: [], content: [], ttlMs: 0, cacheScope: 'private' },
      },
    ])
  })

  it('come several to a batch', async () => {
    const { answers, say } = await pipes()
    await say(`[${message(1)},${message(2)},7]\n`)
    expect(answers()).toHaveLength(2)
  })

  it('are told apart from what is printed besides [C-172]', async () => {
    const { answers, say, channel } = await pipes()
    const noise = ['Ready \u001b[1m!', '', '{"level":"info"}', '{broken', '[]', '"text"', '42', 'null', '\0\0', '7']
    await say(...noise.map((line) => `${line}\n`), `\ufeff${message(1)}\n`)
    expect(answers()).toHaveLength(1)
    expect(channel.findings()).toEqual([{ word: 'stdout-noise', times: 9, first: 'Ready \\u001b[1m!' }])
  })

  it('may hold bytes that are no UTF-8', async () => {
    const { answers, say } = await pipes()
    await say('{"jsonrpc":"2.0","id":1,"result":{"text":"a', Buffer.from([0xff, 0xfe]), 'b"}}\n')
    expect(answers()).toEqual([[1, result('a\ufffd\ufffdb')]])
  })

  it.each<[string, string, string]>([
    ['an id that nobody used', message(99), 'an answer to id 99, which nobody waits for'],
    ['the same id of another type', message('1'), 'an answer to id "1", which nobody waits for'],
    ['no id', message(null), 'an answer to id null, which nobody waits for'],
  ])('are noise when they answer %s [R23]', async (_what, line, first) => {
    const { answers, say, channel } = await pipes()
    await say(`${line}\n`)
    expect(answers()).toEqual([])
    expect(channel.findings()).toEqual([{ word: 'stdout-noise', times: 1, first }])
  })

  it('are no noise when they answer what nobody waits for any more, but once', async () => {
    const { inbox, answers, say, channel } = await pipes()
    for (const asked of inbox.waiting()) if (asked.id === 1) inbox.abandon(asked)
    await say(`${message(1)}\n`)
    expect([answers(), channel.findings()]).toEqual([[], []])
    await say(`${message(1)}\n`)
    expect(channel.findings()).toMatchObject([{ times: 1 }])
  })

  it('count once when one request is answered twice [R23]', async () => {
    const { answers, say, channel } = await pipes()
    await say(`${message(1, 'first')}\n${message(1, 'second')}\n`)
    expect(answers()).toEqual([[1, result('first')]])
    expect(channel.findings()).toMatchObject([{ times: 1 }])
  })

  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', /both a result and an error/],
    ['{"jsonrpc":"2.0","id":1}', /neither a result nor an error/],
    ['{"jsonrpc":"2.0","id":1,"result":7}', /no object/],
  ])('that are malformed fail the request that they answer: %s', async (line, why) => {
    const { answers, say } = await pipes()
    await say(`${line}\n`)
    expect(answers()).toEqual([[1, { kind: 'malformed', why: expect.stringMatching(why) }]])
  })

  it('are passed on to the SDK with what it knows when it waits for them itself', async () => {
    const { inbox, received, say } = await pipes()
    inbox.expect('probe', undefined)
    await say('{"jsonrpc":"2.0","id":"probe","error":{"code":"x"},"more":1}\n')
    expect(received).toEqual([{ jsonrpc: '2.0', id: 'probe', error: { code: -32603, message: '{"code":"x"}' } }])
  })
})

describe('noise without a message', () => {
  it('ends the server after a thousand lines, quoting the first', async () => {
    const { say, channel, closed } = await pipes()
    await say('one\u001b\n'.repeat(999))
    expect(closed()).toBe(0)
    await say('last\n')
    expect(closed()).toBe(1)
    expect(await channel.over).toMatch(
      /^was ended, for it printed 1000 lines .* without a message; the first: one\\u001b$/,
    )
  })

  it('ends the server after a mebibyte, also within one line', async () => {
    for (const text of [`${'x'.repeat(1000)}\n`.repeat(1100), 'x'.repeat(1_100_000)]) {
      const { say, channel, closed } = await pipes()
      await say(text)
      expect(closed()).toBe(1)
      expect((await channel.over).length).toBeLessThan(400)
    }
  })

  it('begins anew with each message', async () => {
    const { say, closed, answers } = await pipes(
      1000,
      Array.from({ length: 10 }, (_, id) => id),
    )
    for (let id = 0; id < 10; id += 1) await say(`${'noise\n'.repeat(900)}${message(id)}\n`)
    expect([closed(), answers().length]).toEqual([0, 10])
  })
})

describe('a message over the limit [R5]', () => {
  const long = 'x'.repeat(3000)
  const tooLarge = (bytes: unknown) => ({ kind: 'too-large', bytes, bytesMax: 1000 })

  it.each([
    ['its beginning', `{"jsonrpc":"2.0","id":1,"result":{"text":"${long}"}}\n`],
    ['its end', `{"result":{"text":"${long}","id":2,"x":{"id":2}},"jsonrpc":"2.0","id":1}\n`],
    ['its end, before the version', `{"result":{"text":"${long}"},"id":1,"jsonrpc":"2.0"}\n`],
  ])('fails the call whose id stands at %s, and what comes after it is read', async (_where, line) => {
    const { answers, say, channel } = await pipes()
    const bytes = Buffer.from(`${line}${message(2)}\n`)
    for (let at = 0; at < bytes.length; at += 700) await say(bytes.subarray(at, at + 700))
    expect(answers()).toEqual([
      [1, tooLarge(expect.any(Number))],
      [2, result()],
    ])
    expect(channel.findings()).toEqual([])
  })

  it('fails its call before it has ended', async () => {
    const { answers, say } = await pipes()
    await say('{"jsonrpc":"2.0","id":1,"result":{"text":"', 'x'.repeat(2000))
    expect(answers()).toEqual([[1, tooLarge(expect.any(Number))]])
  })

  it('fails every call that waits when it shows no id', async () => {
    const { answers, say } = await pipes()
    await say(`{"result":{"text":"${long.repeat(2)}"},"id":1,"more":"${long.repeat(2)}"}\n`)
    expect(answers().map(([, answer]) => answer.kind)).toEqual(['too-large', 'too-large'])
  })

  it('fails no call when it is a notification', async () => {
    const { answers, say } = await pipes()
    await say(
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${long}","id":1}}\n`,
      `${message(2)}\n`,
    )
    expect(answers()).toEqual([[2, result()]])
  })

  it('is read when its own limit is wider', async () => {
    const { inbox, say } = await pipes()
    const listing: Asked = { method: 'tools/list', bytesMax: 5000 }
    inbox.expect('list', listing)
    await say(`{"result":{"text":"${long}"},"jsonrpc":"2.0","id":"list"}\n`)
    expect(listing.answer).toEqual(result(long))
  })

  it('ends the server when it never ends', async () => {
    const { say, channel } = await pipes(1000)
    await say('{"jsonrpc":"2.0","id":1,"result":{"text":"')
    for (let part = 0; part < 30; part += 1) await say('x'.repeat(5000))
    expect(await channel.over).toMatch(/^was ended, for a message of it has not ended after 1\d{5} bytes$/)
  })
})

describe('a request to a server that does not read', () => {
  it('is not sent when eight mebibytes would be waiting, while a cancellation is [R18]', async () => {
    const { transport, stdin } = await pipes()
    const request = (id: number) => ({
      jsonrpc: '2.0' as const,
      id,
      method: 'tools/call',
      params: { x: 'x'.repeat(3_000_000) },
    })
    for (const id of [1, 2]) void transport.send(request(id))
    await expect(transport.send(request(3))).rejects.toThrow(/does not read its input: 6\d{6} bytes/)
    const before = stdin.writableLength
    void transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(stdin.writableLength).toBeGreaterThan(before)
    expect(stdin.writableLength).toBeLessThan(8 * 1024 * 1024)
    stdin.resume()
    await new Promise((resolve) => stdin.once('drain', resolve))
    await transport.send(request(4))
  })

  it('is not sent when the pipe is closed', async () => {
    const { transport, stdin } = await pipes()
    stdin.destroy()
    await expect(transport.send({ jsonrpc: '2.0', id: 3, method: 'ping' })).rejects.toThrow(/any more/)
  })
})

describe('a transport on the channel', () => {
  it('hears of the end of the process, also when it comes late', async () => {
    const { channel, leave, closed } = await pipes()
    leave('exited with code 1')
    await turn()
    expect(closed()).toBe(1)
    expect(channel.ended()).toBe('exited with code 1')
    const late = channel.transport()
    const heard = new Promise<void>((resolve) => {
      late.onclose = resolve
    })
    await late.start()
    await heard
  })

  it('hears that standard output was closed by a process that lives on', async () => {
    const { channel, stdout } = await pipes()
    stdout.destroy()
    expect(await channel.over).toBe('closed its standard output')
  })

  it('can be followed by another on the same process', async () => {
    const { channel, inbox, transport, received, say, stdin } = await pipes()
    await transport.close()
    const second = channel.transport()
    const heard: JSONRPCMessage[] = []
    second.onmessage = (incoming) => heard.push(incoming)
    await second.start()
    await transport.close()
    inbox.expect(5, undefined)
    await say(`${message(5)}\n`)
    expect([received, heard.length]).toEqual([[], 1])
    await second.send({ jsonrpc: '2.0', method: 'ping', id: 1 })
    expect(stdin.read().toString()).toBe('{"jsonrpc":"2.0","method":"ping","id":1}\n')
  })
})
