// What a tool gave, as blocks: nothing of it is lost, and nothing of it is a danger to whoever walks through it.

import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/core/decision.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { type Invokers, invoke } from '../../src/runtime/invoke.ts'
import type { SessionPool } from '../../src/sessions/pool/pool.ts'
import { aCandidate } from '../../src/testing/world.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { outsideWord, virtualJson } from '../../src/workspace/mapping/rewrite-result.ts'
import { serverConfig } from '../sources/scripted.ts'

const owner = { user: 'u', thread: 't' }
const poolThat = (use: () => unknown) => ({ use: async () => use() }) as unknown as SessionPool
const call = (
  args: JsonObject = {},
  signal?: AbortSignal,
  candidate = aCandidate({ server: 'files', name: 'read' }),
) => ({
  name: 'read',
  args,
  decision: { candidate, name: 'read' } as Decision,
  ...(signal === undefined ? {} : { signal }),
})
const invokers = (use: () => unknown, modules: Invokers['modules'] = new Map()): Invokers => ({
  modules,
  servers: new Map([['files', serverConfig('files')]]),
  pool: poolThat(use),
  owner,
})
const given = (result: unknown) =>
  invoke(
    call(),
    invokers(() => result),
  )

describe('a result of a server', () => {
  it('that says all in structure keeps it, its mark of failure and its `_meta`, and is a text as well', async () => {
    const structuredContent = { rows: [1] }
    expect(await given({ structuredContent, isError: true, _meta: { a: 1 } })).toEqual({
      kind: 'result',
      content: [{ type: 'text', text: '{"rows":[1]}' }],
      structuredContent,
      meta: { a: 1 },
      isError: true,
    })
  })

  it('that nests without an end is a failure, and was sent', async () => {
    let deep: Json = 'x'
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    const outcome = await given({ content: [{ type: 'text', text: 'x', deep }] })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'result-malformed', sent: true })
  })

  it('is not asked for when the call was called off before', async () => {
    let asked = 0
    const outcome = await invoke(
      call({}, AbortSignal.abort()),
      invokers(() => {
        asked += 1
      }),
    )
    expect(outcome).toMatchObject({ kind: 'failed', code: 'call-cancelled', sent: false })
    expect(asked).toBe(0)
  })

  it('of ten megabytes is gone through in a time that grows with its length', () => {
    const roots = [{ virtual: '/mnt/user-data/workspace', host: '/srv/t/w', writable: true }]
    const workspace = { owner, userData: '/srv/t', cwd: '/srv/t/w', servers: '/srv/t/s', temp: '/srv/t/w/.tmp', roots }
    const view = { workspace, openRoots: [], privateRoots: ['/home/ada'] }
    const line = 'at "/home/ada/x (/srv/t/w/a.ts) file:///srv/t/w/b https://a.example/srv/t/w \' ` '
    const text = line.repeat(Math.ceil(10_000_000 / line.length))
    const seen = virtualJson({ content: [{ type: 'text', text }] }, view)
    expect(seen.content[0]?.text).toContain(outsideWord)
    expect(seen.content[0]?.text).not.toContain('ada')
  }, 60_000)
})

describe('a tool of this process', () => {
  const candidate = aCandidate({ name: 'count' })
  const from = (execute: Tool['execute'], args: JsonObject = {}) => {
    const tool = { execute } as Tool
    return invoke(
      call(args, undefined, candidate),
      invokers(() => undefined, new Map([[candidate.id, tool]])),
    )
  }

  it('may change what it was given, and nobody else sees that', async () => {
    const args = Object.freeze({ list: Object.freeze(['b', 'a']) as readonly string[] })
    const outcome = await from(async (own) => {
      const { list } = own as { list: string[] }
      list.sort()
      return list.join()
    }, args)
    expect(outcome).toMatchObject({ kind: 'result', content: [{ text: 'a,b' }] })
    expect(args.list).toEqual(['b', 'a'])
  })

  it.each([
    ['a text', 'x', 'x'],
    ['nothing', undefined, ''],
    ['content that is no list', { content: 'x' }, '{"content":"x"}'],
  ])('gives blocks for %s', async (_, value, text) => {
    expect(await from(async () => value)).toEqual({ kind: 'result', content: [{ type: 'text', text }], isError: false })
  })

  it('that gives something circular has failed', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(await from(async () => circle)).toMatchObject({ kind: 'failed', sent: true })
  })
})
