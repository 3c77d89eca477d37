// A scripted MCP server, for tests: it does exactly what its plan says, right or wrong. It shares no code with the
// client, and it knows the protocol only as far as plans need it. The types of plans stand in scripted-plan.ts.
//
//   node scripted-server.mjs '{"pages":[{"tools":[…]}]}'      standard input and output; the plan as JSON
//   node scripted-server.mjs @plan.json                        … or from a file
//   node scripted-server.mjs --http @plan.json                 Streamable HTTP on loopback; prints {"url":…}
//   node scripted-server.mjs --sse @plan.json                  the older HTTP with its one stream of events
//
// INVARIANT: over standard input this file alone is the program; scripted-http.ts is loaded for HTTP only.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve as absolute, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import type { CallPlan, ScriptedAnswer, ServerPlan } from './scripted-plan.ts'
import type { Call, Engine, Message, Outlet, OutletOn, Pace, Peer } from './scripted-wire.ts'

export type { CallPlan, ReceivedMessage, ServerPlan } from './scripted-plan.ts'

// ── the process ──

async function main(words: readonly string[]): Promise<void> {
  const wire = words.find((word) => word === '--http' || word === '--sse')
  const argument = words.find((word) => word !== wire)
  const text = argument?.startsWith('@') === true ? readFileSync(argument.slice(1), 'utf8') : argument
  const plan = JSON.parse(text ?? '{}') as ServerPlan
  if (plan.marker !== undefined) appendFileSync(plan.marker, `${process.pid}\n`)
  for (const line of plan.stderr ?? []) process.stderr.write(`${line}\n`)
  if (plan.grandchild === true) startChild(plan.marker)
  if (plan.exit?.at === 'start') process.exit(plan.exit.code)
  if (plan.lifeMs !== undefined) setTimeout(() => process.exit(0), plan.lifeMs).unref()
  if (plan.stubborn === true) {
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 60_000)
  }
  // A reader that is gone is no reason to stop; the end of the input is.
  process.stdout.on('error', () => {})
  for (const line of plan.stdout ?? []) process.stdout.write(`${line}\n`)
  if (plan.delayMs !== undefined) await after(plan.delayMs)
  const engine = engineFor(plan)
  if (wire === undefined) return serveStdio(engine)
  const { serveHttp } = await import('./scripted-http.ts')
  await serveHttp(engine, wire === '--sse' ? 'sse' : 'http')
}

function serveStdio(engine: Engine): void {
  const outlet = outletOn(process.stdout, '', '\n')
  const peer = engine.join(outlet)
  createInterface({ input: paced(process.stdin, engine.plan.readBytesPerSecond) }).on('line', (line) => {
    for (const message of messagesIn(line)) void engine.receive(peer, message, outlet)
  })
}

function messagesIn(line: string): readonly Message[] {
  try {
    return [JSON.parse(line)].flat().filter((value) => value !== null && typeof value === 'object')
  } catch {
    return []
  }
}

/** The input, not faster than so many bytes a second: a pipe that fills up makes its writer wait. */
function paced(input: Readable, bytesPerSecond: number | undefined): Readable {
  if (bytesPerSecond === undefined) return input
  const slow = new PassThrough()
  const timer = setInterval(() => {
    const chunk = input.read(Math.min(input.readableLength, Math.ceil(bytesPerSecond / 10)))
    if (chunk !== null) slow.write(chunk)
  }, 100)
  input.once('end', () => {
    clearInterval(timer)
    slow.end()
  })
  return slow
}

const outletOn: OutletOn = (stream, before, end) => {
  let last: Promise<void> = Promise.resolve()
  let done = (): void => {}
  stream.once('close', () => done())
  const write = (part: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      done = resolve
      if (stream.destroyed || stream.writableEnded || part.length === 0) done()
      else stream.write(part, () => resolve())
    })
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work)
    return last
  }
  return {
    send: (parts) =>
      inTurn(async () => {
        await write(before)
        for await (const part of parts) {
          if (stream.destroyed) return
          await write(part)
        }
        await write(end)
      }),
    raw: (bytes) => inTurn(() => write(bytes)),
    close: () =>
      void inTurn(async () => {
        stream.end()
        if (stream === process.stdout) closeSync(1) // Node leaves it open
      }),
  }
}

const sleep = 'setTimeout(() => {}, 600_000)'

function startChild(marker: string | undefined) {
  const child = spawn(process.execPath, ['-e', sleep], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (marker !== undefined) appendFileSync(marker, `${child.pid}\n`)
  return child
}

/** A process in a session of its own. Whoever started it ends at once, so that it has no parent of ours. */
async function startDaemon(marker: string | undefined): Promise<void> {
  const parent = `const { spawn } = require('node:child_process')
    const daemon = spawn(process.execPath, ['-e', '${sleep}'], { detached: true, stdio: 'ignore' })
    if (${marker !== undefined}) require('node:fs').appendFileSync(process.argv[1], daemon.pid + '\\n')
    daemon.unref()`
  await once(spawn(process.execPath, ['-e', parent, marker ?? ''], { stdio: 'ignore' }), 'close')
}

// ── what comes in ──

const isModern = (message: Message): boolean =>
  typeof message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] === 'string'

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'

function engineFor(plan: ServerPlan): Engine {
  const peers = new Set<Peer>()
  const called = new Map<string, number>()
  const counts = { lists: 0, discoveries: 0 }
  let listed: readonly unknown[] | undefined

  const record = (line: object): void => {
    if (plan.record === undefined) return
    appendFileSync(plan.record, `${JSON.stringify({ at: Date.now(), pid: process.pid, ...line })}\n`)
  }
  const announce: Call['announce'] = async (note = { method: 'notifications/tools/list_changed' }) => {
    const told: (Promise<void> | undefined)[] = []
    for (const peer of peers) {
      if (peer.legacy) told.push(peer.unasked?.send([written(note)]))
      for (const [id, outlet] of peer.subscriptions)
        told.push(outlet.send([written({ ...note, params: { ...note.params, _meta: { [subscriptionKey]: id } } })]))
    }
    await Promise.all(told)
  }
  const switchTo = (list: number): Promise<void> => {
    listed = plan.lists?.[list] ?? []
    return announce()
  }
  const nextStep = (calls: ServerPlan['calls'] = {}, name: string, { params }: Message): CallPlan => {
    const key = Object.hasOwn(calls, name) ? name : '*'
    const steps = [calls[key] ?? {}].flat()
    const isNextRound = params?.inputResponses !== undefined || params?.requestState !== undefined
    const turn = (called.get(key) ?? 0) - (isNextRound ? 1 : 0)
    called.set(key, turn + 1)
    return steps[Math.max(0, Math.min(turn, steps.length - 1))] ?? {}
  }

  const answer = (peer: Peer, message: Message, outlet: Outlet, signal: AbortSignal): Promise<void> => {
    const { method, params } = message
    const reply = (how: ScriptedAnswer | undefined, result: object): Promise<void> => {
      if (how === 'silent') return aborted(signal)
      return outlet.send([response(message, typeof how === 'object' ? { error: how } : { result })])
    }
    if (plan.exit !== undefined && plan.exit.at === method) process.exit(plan.exit.code)
    if (method === 'ping') return reply(plan.deaf === true ? 'silent' : 'answer', {})
    if (method === 'initialize') {
      peer.legacy = typeof plan.initialize !== 'object'
      const protocolVersion = plan.protocolVersion ?? params?.protocolVersion
      const serverInfo = { name: 'scripted', version: '1', ...plan.serverInfo }
      return reply(plan.initialize, { protocolVersion, serverInfo, ...about(plan) })
    }
    if (method === 'server/discover' && plan.discover === true) {
      counts.discoveries += 1
      const silent = plan.deaf === true && counts.discoveries > 1
      const _meta = plan.serverInfo && { 'io.modelcontextprotocol/serverInfo': plan.serverInfo }
      const supportedVersions = ['2026-07-28']
      return reply(silent ? 'silent' : 'answer', { supportedVersions, ...keepFor(0), ...about(plan), _meta })
    }
    if (method === 'tools/list') {
      counts.lists += 1
      const page = listed === undefined ? pageFor(plan, params?.cursor, counts.lists) : { tools: listed }
      return reply(plan.list, { ...(isModern(message) ? keepFor(plan.ttlMs ?? 0) : {}), ...page })
    }
    const of = { plan, peer, message, outlet, signal, announce, switchTo }
    if (method === 'tools/call') return call(nextStep(plan.calls, String(params?.name), message), of)
    if (plan.requests?.[String(method)] !== undefined) return call(nextStep(plan.requests, String(method), message), of)
    if (method === 'subscriptions/listen' && plan.discover === true) return listen(of)
    return reply({ code: -32601, message: `Method not found: ${method}` }, {})
  }

  return {
    plan,
    record,
    isModern,
    outletOn,
    join: (unasked, forget = () => {}) => {
      const maps = { running: new Map(), subscriptions: new Map(), waiting: new Map() }
      const peer: Peer = { unasked, legacy: false, ...maps, forget }
      peers.add(peer)
      return peer
    },
    leave: (peer) => {
      peers.delete(peer)
      for (const running of peer.running.values()) running.abort()
    },
    receive: async (peer, message, outlet, came) => {
      const { id, method, params, result, error } = message
      record({ method, id, params, result, error, ...came })
      if (method === undefined) return peer.waiting.get(id)?.(message)
      if (method === 'notifications/cancelled') peer.running.get(params?.requestId)?.abort()
      if (id === undefined) return
      const running = new AbortController()
      peer.running.set(id, running)
      await answer(peer, message, outlet, running.signal)
      if (peer.running.get(id) === running) peer.running.delete(id)
    },
  }
}

async function listen({ peer, message: { id, params: asked }, outlet, signal }: Call): Promise<void> {
  peer.subscriptions.set(id, outlet)
  const params = { _meta: { [subscriptionKey]: id }, notifications: asked?.notifications ?? {} }
  await outlet.send([written({ method: 'notifications/subscriptions/acknowledged', params })])
  await aborted(signal)
  peer.subscriptions.delete(id)
}

// ── what goes out ──

/** An answer under the id of the request, or another. Results of 2026-07-28 say of which type they are. */
function response(request: Message, outcome: { readonly result?: unknown; readonly error?: unknown }, id = request.id) {
  const { result } = outcome
  const typed = isModern(request) && typeof result === 'object' && result !== null
  return written({ id, ...(typed ? { result: { resultType: 'complete', ...result } } : outcome) })
}

const written = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message })

const textResult = (text: string): object => ({ content: [{ type: 'text', text }] })

const keepFor = (ttlMs: number): object => ({ ttlMs, cacheScope: 'private' })

function about({ calls = {}, lists, toolsCapability, capabilities, instructions }: ServerPlan): object {
  const changes = lists !== undefined || [Object.values(calls)].flat(2).some((step) => step.listChanged !== undefined)
  const tools = toolsCapability === false ? undefined : { listChanged: changes ? true : undefined }
  return { capabilities: { tools, ...capabilities }, instructions }
}

function pageFor(plan: ServerPlan, cursor: string | undefined, asked: number): object {
  if (plan.tellEnvironment === true) {
    const description = JSON.stringify({ ...process.env, '(cwd)': process.cwd() })
    return { tools: [{ name: 'environment', description, inputSchema: { type: 'object' } }] }
  }
  if (plan.serve === 'repeat') return plan.page ?? {}
  if (plan.serve === 'counter') {
    const page = JSON.parse(JSON.stringify(plan.page).replaceAll('{i}', String(asked)))
    return { ...page, nextCursor: plan.cursor?.replace('{i}', String(asked)) }
  }
  const page = plan.pages?.find((candidate) => candidate.cursor === cursor)
  return { tools: page?.tools ?? [], ...(page?.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) }
}

async function call(step: CallPlan, of: Call): Promise<void> {
  const { message, outlet, signal } = of
  if (step.fork === 'child') startChild(of.plan.marker).unref()
  if (step.fork === 'daemon') await startDaemon(of.plan.marker)
  if (step.listChanged !== undefined) void repeated(step.listChanged, () => of.announce())
  for (const { times = 1, to, ...note } of step.notify ?? [])
    await repeated({ times, everyMs: 0 }, () => (to === 'client' ? of.announce(note) : outlet.send([written(note)])))
  await progress(step, of)
  if (step.afterMs !== undefined) await pause(step.afterMs, signal)
  const asked = step.sampling === true ? sample : step.ask
  const answered = asked !== undefined && !signal.aborted ? await asking(asked, step, of) : undefined
  if (signal.aborted || answered === 'asked') return
  if (step.list !== undefined) await of.switchTo(step.list)
  if (step.die?.signal !== undefined) process.kill(process.pid, step.die.signal)
  else if (step.die !== undefined) process.exit(step.die.code ?? 1)
  if (step.hang === true || step.die !== undefined) return aborted(signal)
  if (step.forgetSession === true) of.peer.forget()
  if (step.raw !== undefined) {
    await outlet.raw(withId(Buffer.from(step.raw, 'base64'), message.id))
    return step.close === true ? outlet.close() : aborted(signal)
  }
  const whole = response(message, answered ?? outcomeOf(step, message), answeredId(step, message.id))
  for (let left = step.answers === 'twice' ? 2 : 1; left > 0; left -= 1) {
    const parts = filled(whole, step.bytes ?? 0)
    await outlet.send(step.dripMs === undefined ? parts : dripping(parts, step.dripMs, signal))
  }
}

/** Stands in an answer where its letters will be. */
const gap = '(the letters of the answer)'

function outcomeOf(step: CallPlan, message: Message): { readonly result?: unknown; readonly error?: unknown } {
  if (step.error !== undefined) return { error: step.error }
  if (step.result !== undefined) return { result: step.result }
  if (step.bytes !== undefined) return { result: textResult(gap) }
  if (step.tell === true) {
    const told = { args: message.params?.arguments, env: process.env, cwd: process.cwd(), pid: process.pid }
    return { result: textResult(JSON.stringify(told)) }
  }
  if (step.file === undefined) return { result: textResult(step.text ?? 'ok') }
  const path = absolute(step.file.path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, step.file.text)
  return { result: textResult(path) }
}

function answeredId({ answers }: CallPlan, id: unknown): unknown {
  if (answers === 'null-id') return null
  if (answers !== 'other-id') return id
  return typeof id === 'number' ? id + 1_000_000 : `${id}-other`
}

/** The same bytes with the id of the call for its words; all other bytes stay as they are. */
function withId(bytes: Buffer, id: unknown): Buffer {
  const word = (value: unknown) => () => Buffer.from(JSON.stringify(value)).toString('latin1')
  const other = typeof id === 'number' ? String(id) : Number(id)
  const text = bytes.toString('latin1')
  return Buffer.from(text.replaceAll('$CALL_AS_OTHER_TYPE', word(other)).replaceAll('$CALL', word(id)), 'latin1')
}

function* filled(whole: string, letters: number): Iterable<string> {
  const [head = '', tail] = whole.split(gap)
  yield head
  if (tail === undefined) return
  const chunk = 'x'.repeat(65_536)
  for (let left = letters; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.slice(0, left) : chunk
  yield tail
}

/** Byte by byte. When nobody waits any more, the rest comes at once: half a message would spoil the next. */
async function* dripping(parts: Iterable<string>, everyMs: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    const bytes = Buffer.from(part)
    for (let at = 0; at < bytes.length; at += 1) {
      await pause(everyMs, signal)
      yield bytes.subarray(at, at + 1)
    }
  }
}

async function progress({ progress: plan }: CallPlan, { message, outlet, signal }: Call): Promise<void> {
  const progressToken = message.params?._meta?.progressToken
  if (plan === undefined || progressToken === undefined) return
  const { total, more } = plan
  const tell = (progress: number) =>
    outlet.send([written({ method: 'notifications/progress', params: { progressToken, progress, total, ...more } })])
  await repeated(plan, tell, signal)
}

const messages = [{ role: 'user', content: { type: 'text', text: 'Say something.' } }]
const sample = { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } }

/** What the client makes of a request; `asked` when it will say so with a new request. */
async function asking(request: object, { rounds }: CallPlan, { message, outlet, peer, signal }: Call) {
  if (isModern(message)) {
    const { inputResponses, requestState } = message.params ?? {}
    const round = Number(requestState ?? (inputResponses === undefined ? 0 : 1))
    if (round >= (rounds ?? 1)) return { result: textResult(JSON.stringify(inputResponses)) }
    const state = rounds === undefined ? {} : { requestState: String(round + 1) }
    const result = { resultType: 'input_required', inputRequests: { sample: request }, ...state }
    await outlet.send([response(message, { result })])
    return 'asked'
  }
  const id = `sampling for ${message.id}`
  const said = new Promise<string>((done) => {
    peer.waiting.set(id, ({ result, error }) => done(JSON.stringify(result ?? { error })))
  })
  await outlet.send([written({ id, ...request })])
  return { result: textResult(await Promise.race([said, aborted(signal).then(() => '')])) }
}

async function repeated(pace: Pace, work: (turn: number) => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (let turn = 1; turn <= pace.times; turn += 1) {
    if (pace.everyMs > 0) await pause(pace.everyMs, signal)
    if (signal?.aborted === true) return
    await work(turn)
  }
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  after(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

await main(process.argv.slice(2))
