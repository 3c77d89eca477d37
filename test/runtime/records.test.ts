// A record of each call: that it was made and what became of it, and nothing of what was said.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallRecord } from '../../src/report/call-record.ts'
import { logRecord } from '../../src/report/log-record.ts'
import { replay } from '../../src/report/replay.ts'
import { knownTool } from '../../src/runtime/known-tool.ts'
import type { CallContext, Middleware } from '../../src/runtime/middleware.ts'
import { records } from '../../src/runtime/middlewares/records.ts'
import { type CallEntry, entryOfRefusal } from '../../src/runtime/records/call-entry.ts'
import { type CallLogLimits, callLog } from '../../src/runtime/records/call-log.ts'
import { recordedArgs } from '../../src/runtime/records/recorded-args.ts'
import type { CallOutcome, ToolRequest } from '../../src/runtime/tool-call.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aFolder } from '../state/places.ts'
import { rule, type Setting, setting, text, toolOf } from './a-setting.ts'

const owner = { user: 'ada', thread: 't1' }

/** The record of one call on a surface. */
async function recorded(request: ToolRequest, given: Setting = {}): Promise<CallEntry | undefined> {
  const entries: CallEntry[] = []
  const { call } = setting({ ...given, more: { record: (entry) => entries.push(entry), ...given.more } })
  await call(request).catch(() => {})
  expect(entries.length).toBeLessThan(2)
  return entries[0]
}
const ask = [rule('ask', 'remove')]
const onX = { name: 'remove', args: { path: '/x' } }

describe('the record of a call [D8]', () => {
  it('says who called what on which surface, and of the arguments their names and their hash', async () => {
    const entry = await recorded({ name: 'list', args: { path: '/private', depth: 1 } })
    expect(entry).toEqual({
      agent: 'main',
      name: 'list',
      id: 'mcp:files/list',
      surface: setting({}).surface.hash,
      kind: 'result',
      ms: expect.any(Number),
      args: { sha256: sha256('{"depth":1,"path":"/private"}'), keys: ['path', 'depth'] },
    })
    expect(JSON.stringify(entry)).not.toContain('/private')
  })

  const failure = { kind: 'failed', code: 'call-timed-out', message: 'm', action: 'a', sent: true } as const
  it.each<[string, ToolRequest, Setting, Partial<CallEntry>]>([
    ['an error of the tool', onX, { answer: { ...text('no'), isError: true } }, { kind: 'error' }],
    ['a failure', onX, { answer: failure }, { kind: 'failed', code: 'call-timed-out' }],
    [
      'something thrown',
      onX,
      { tool: () => Promise.reject(new Error('x')) },
      { kind: 'failed', code: 'internal-error' },
    ],
    ['wrong arguments', { name: 'list', args: { depth: 1 } }, {}, { kind: 'refused', code: 'arguments-invalid' }],
    [
      'a rule that denies',
      onX,
      { rules: [rule('deny', 'remove(path:/**)')] },
      { kind: 'refused', code: 'call-denied' },
    ],
    ['nobody to ask', onX, { rules: ask }, { kind: 'refused', code: 'approval-needed', approval: 'nobody' }],
    ['a person who agrees', onX, { rules: ask, approve: async () => true }, { kind: 'result', approval: 'given' }],
    [
      'a person who does not',
      onX,
      { rules: ask, approve: async () => 'deny' },
      { kind: 'refused', approval: 'denied' },
    ],
    [
      'a tool that was never loaded',
      { name: 'late', args: {} },
      {
        tools: [
          aCandidate({ name: 'late', server: 'a' }),
          aCandidate({ name: 'tool_search', role: 'tool-search', source: 'builtin' }),
        ],
        facts: { deferral: { mode: 'on' } },
        more: { isPromoted: async () => false },
      },
      { kind: 'refused', code: 'not-promoted' },
    ],
  ])('tells %s', async (_what, request, given, says) => {
    const entry = await recorded(request, given)
    expect(entry).toMatchObject(says)
    if (says.kind === 'result' || says.kind === 'error') expect(entry).not.toHaveProperty('code')
  })

  it('is not in the way of the call when it cannot be taken', async () => {
    const { call } = setting({
      more: {
        record: () => {
          throw new Error('full')
        },
      },
    })
    expect((await call({ name: 'list', args: { path: '/x' } })).kind).toBe('result')
  })

  it('has no secret in it', async () => {
    const entry = await recorded({ name: 'list', args: { path: '/x', hunter2: 1 } })
    expect(entry?.args.keys).toEqual(['path', '***'])
  })

  it('stands around every other middleware', async () => {
    const { middlewareOrder } = await import('../../src/runtime/order.ts')
    expect(middlewareOrder.map(({ id }: Middleware) => id).slice(0, 3)).toEqual(['records', 'results', 'secrets'])
    expect(middlewareOrder[0]).toBe(records)
  })
})

describe('the record of a name that is not in the list [D8]', () => {
  const tools = [
    toolOf('list'),
    toolOf('remove'),
    aCandidate({ name: 'shell', source: 'builtin', needs: ['host-shell'] }),
  ]
  const { surface } = setting({ tools, rules: [rule('deny', 'remove')] })
  const context = {
    surface,
    gates: setting({}).context.gates,
    redacted: (words: string) => words,
    viewOf: () => undefined,
  } as unknown as CallContext
  const refused = (request: ToolRequest) => {
    const known = knownTool(request, context)
    if (!('kind' in known)) throw new Error('it is known')
    return entryOfRefusal(request, known, context)
  }

  it('has the code that `why` gives', () => {
    for (const name of ['remove', 'shell']) {
      const [decision] = surface.named(name)
      expect(decision?.outcome).toBe('excluded')
      expect(refused({ name, args: {} })).toMatchObject({
        kind: 'not-listed',
        code: decision?.code,
        id: decision?.candidate.id,
      })
    }
  })

  it('is another kind than the refusal of a tool that is there', () => {
    expect(refused({ name: 'nothing', args: {} })).toMatchObject({ kind: 'not-listed', code: 'unknown-tool', ms: 0 })
    expect(refused({ name: 'nothing', args: {} })).not.toHaveProperty('id')
    expect(refused({ name: 'list', args: 'text' })).toMatchObject({
      kind: 'refused',
      code: 'arguments-invalid',
      args: { keys: [] },
    })
  })

  it('takes any name', () => {
    for (const name of [
      '',
      'a\nb',
      '__proto__',
      'x'.repeat(10_000),
      7 as unknown as string,
      null as unknown as string,
    ]) {
      const entry = refused({ name, args: { a: 1 } })
      expect(entry.kind).toBe('not-listed')
      expect(entry.name).toMatch(/^[ -~…]{0,140}$/)
    }
  })
})

it('arguments of any form are recorded by hash and names, or by nothing', () => {
  const of = (args: unknown) => recordedArgs(args, (words) => words)
  expect(of(undefined)).toEqual({ sha256: sha256('{}'), keys: [] })
  expect(of({ b: 1, a: 2 }).sha256).toBe(of({ a: 2, b: 1 }).sha256)
  expect(of({ a: 1 }).sha256).not.toBe(of({ a: 2 }).sha256)
  const circle: { self?: unknown } = {}
  circle.self = circle
  for (const none of [circle, [1], 'x', 7]) expect(of(none)).toEqual({ keys: [] })
  expect(of(Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`k${index}`, 1]))).keys).toHaveLength(50)
  expect(of({ ['k\n'.repeat(100)]: 1 }).keys[0]?.length).toBeLessThan(400)
})

describe('the file of calls [D8]', () => {
  const entry: CallEntry = { agent: 'main', name: 'list', surface: 's', kind: 'result', ms: 250, args: { keys: [] } }
  const limits: CallLogLimits = { fileBytes: 1000, files: 3, waiting: 5 }
  const now = () => new Date('2026-03-01T10:00:00.250Z')
  const linesOf = (folder: string, name = 'calls.jsonl'): readonly string[] =>
    existsSync(join(folder, name))
      ? readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
  const seqs = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as CallRecord).seq)

  it('has a line for each, numbered, with the time when the call began', async () => {
    const folder = join(aFolder(), 'state')
    const log = callLog({ folder, tell: () => {}, now, writer: 'w' })
    for (let call = 0; call < 20; call += 1) log.add(owner, entry)
    await log.close()
    const lines = linesOf(folder)
    expect(seqs(lines)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      type: 'call',
      seq: 1,
      writer: 'w',
      at: '2026-03-01T10:00:00.000Z',
      ...owner,
      ...entry,
    })
    if (process.platform !== 'win32') expect(statSync(join(folder, 'calls.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('can be read beside a decision log', async () => {
    const folder = aFolder()
    const log = callLog({ folder, tell: () => {}, now })
    for (const kind of ['result', 'refused', 'not-listed', 'failed'] as const) log.add(owner, { ...entry, kind })
    await log.close()
    const lines = linesOf(folder)
    expect(logRecord(lines[0] ?? '')).toMatchObject({ type: 'call', kind: 'result' })
    expect(logRecord((lines[0] ?? '').replace('"result"', '"other"'))).toHaveProperty('wrong')
    expect(replay(lines, { sha256, gates: () => undefined } as unknown as Parameters<typeof replay>[1])).toMatchObject({
      refusals: 2,
      findings: [],
    })
  })

  it('is one of a few of bounded size; the oldest is gone', async () => {
    const folder = aFolder()
    for (let call = 0; call < 30; call += 1) {
      const log = callLog({ folder, tell: () => {}, now, limits, writer: `${call}` })
      log.add(owner, entry)
      await log.close()
    }
    expect(readdirSync(folder).sort()).toEqual(['calls.1.jsonl', 'calls.2.jsonl', 'calls.jsonl'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000)
    const writers = ['calls.2.jsonl', 'calls.1.jsonl', 'calls.jsonl'].flatMap((name) =>
      linesOf(folder, name).map((line) => Number(JSON.parse(line).writer)),
    )
    expect(writers).toEqual(writers.map((_, index) => 30 - writers.length + index))
  })

  it('is written whole by several programs at once', async () => {
    const folder = aFolder()
    const logs = ['a', 'b', 'c'].map((writer) => callLog({ folder, tell: () => {}, now, writer }))
    for (let call = 0; call < 50; call += 1) {
      for (const log of logs) log.add(owner, entry)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(logs.map((log) => log.close()))
    const lines = linesOf(folder)
    expect(lines).toHaveLength(150)
    for (const line of lines) expect(logRecord(line)).toMatchObject({ type: 'call' })
  })

  it('that cannot be written is told once, and the records that fit are written later', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'calls.jsonl'))
    const told: string[] = []
    const log = callLog({ folder, tell: (line) => told.push(line), now, limits })
    for (let call = 0; call < 7; call += 1) {
      log.add(owner, entry)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('calls are not recorded: ')
    rmSync(join(folder, 'calls.jsonl'), { recursive: true })
    // As a full disk leaves it.
    writeFileSync(join(folder, 'calls.jsonl'), '{"type":"ca')
    await log.close()
    const [half, ...whole] = linesOf(folder)
    expect(half).toBe('{"type":"ca')
    // The missing numbers tell what was lost.
    expect(seqs(whole)).toEqual([3, 4, 5, 6, 7])
    expect(told).toHaveLength(1)
  })

  it('is no link to another file', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'other'), 'mine')
    symlinkSync(join(folder, 'other'), join(folder, 'calls.jsonl'))
    const told: string[] = []
    const log = callLog({ folder, tell: (line) => told.push(line), now })
    log.add(owner, entry)
    await log.close()
    expect(told).toHaveLength(1)
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('mine')
  })
})

it('every refusal of a middleware leaves one record with its code [D8]', async () => {
  const refusing: readonly CallOutcome['kind'][] = ['refused', 'failed']
  for (const kind of refusing) {
    const outcome = { kind, code: `own-${kind}`, message: '', action: '', sent: false } as CallOutcome
    const entries: CallEntry[] = []
    const { context, surface } = setting({ more: { record: (entry) => entries.push(entry) } })
    const decision = surface.find('list')
    if (decision === undefined) throw new Error('there is no list')
    await records.wrap(async () => outcome, context)({ name: 'list', args: {}, decision })
    expect(entries).toMatchObject([{ kind, code: `own-${kind}` }])
  }
})
