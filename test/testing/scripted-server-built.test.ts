// The scripted server as users get it: from the built package, with its program beside it.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ensureBuilt, root } from '../e2e/built.ts'
import { freshFolder, isAlive } from '../sources/scripted.ts'

const folder = join(root, 'dist/testing')
const program = join(folder, 'scripted-server.mjs')
const entry = pathToFileURL(join(folder, 'index.mjs')).href

beforeAll(ensureBuilt, 120_000)

describe('the scripted server of the built package', () => {
  it('is one file that runs wherever it is copied', async () => {
    const copy = join(freshFolder(), 'server.mjs')
    copyFileSync(program, copy)
    expect(readFileSync(copy, 'utf8')).not.toMatch(/(from|import\() ?["'](?!node:)/)
    const run = promisify(execFile)(process.execPath, [copy, '{"initialize":{"code":1,"message":"no"}}'])
    run.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"initialize"}\n')
    expect(JSON.parse((await run).stdout)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } })
  })

  it('answers the client of the SDK over standard input and over HTTP', async () => {
    const { scriptedServer, startScriptedServer } = (await import(entry)) as typeof import('../../src/testing/index.ts')
    const { command, args, received } = scriptedServer({ calls: { greet: { text: 'hello' } } })
    const listening = await startScriptedServer({ calls: { greet: { text: 'hello' } } })
    const transports = [
      new StdioClientTransport({ command, args: [...args] }),
      new StreamableHTTPClientTransport(new URL(listening.url)),
    ]
    for (const transport of transports) {
      const client = new Client({ name: 'tester', version: '1' })
      await client.connect(transport)
      expect(await client.callTool({ name: 'greet', arguments: {} })).toMatchObject({ content: [{ text: 'hello' }] })
      await client.close()
    }
    await listening.close()
    for (const came of [received(), listening.received()]) {
      expect(came.map(({ method }) => method)).toEqual(expect.arrayContaining(['initialize', 'tools/call']))
    }
  })

  it('ends with the process that started it, however that ends', async () => {
    const script = `const { startScriptedServer } = await import(${JSON.stringify(entry)})
      console.log((await startScriptedServer({})).pid)
      setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = Number(String((await once(starter.stdout, 'data'))[0]))
    expect(isAlive(pid)).toBe(true)
    starter.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000)
  })

  it('keeps no process alive that forgot to end it', async () => {
    const script = `const { startScriptedServer } = await import(${JSON.stringify(entry)})
      console.log((await startScriptedServer({})).pid)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    await vi.waitFor(() => expect(isAlive(Number(stdout))).toBe(false), 10_000)
  })
})
