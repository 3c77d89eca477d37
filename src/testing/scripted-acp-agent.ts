// A scripted ACP agent, for tests: a program that speaks the protocol over its standard input and output and does what
// its plan says, right or wrong. The types of plans stand in scripted-acp-agent-plan.ts.
//
//   node scripted-acp-agent.mjs @plan.json

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { type AgentContext, agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'
import type { AcpAgentPlan, AcpRecord, AcpStep } from './scripted-acp-agent-plan.ts'

const plan = JSON.parse(readFileSync(String(process.argv[2]).slice(1), 'utf8')) as AcpAgentPlan
const sessionId = 'the-session'
const cancelled = new AbortController()
let cwd = ''

function begin(): void {
  if (plan.marker !== undefined) appendFileSync(plan.marker, `${process.pid}\n`)
  if (plan.child === true) startChild()
  for (const line of plan.stderr ?? []) process.stderr.write(`${line}\n`)
  for (const line of plan.stdout ?? []) process.stdout.write(`${line}\n`)
  exitAt('start')
  if (plan.stubborn === true) {
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 60_000)
  }
  process.stdout.on('error', () => {})
  const { session } = methods.agent
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
  agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, async ({ method, params }) => {
      await arrived(method, params)
      if (plan.refuse !== undefined) throw new RequestError(plan.refuse.code, plan.refuse.message, plan.refuse.data)
      const protocolVersion = plan.protocolVersion ?? params.protocolVersion
      return { protocolVersion, authMethods: plan.authMethods ?? [] } as never
    })
    .onRequest(session.new, async ({ method, params }) => {
      await arrived(method, params)
      cwd = params.cwd
      return { sessionId }
    })
    .onRequest(session.prompt, async ({ method, params, client }) => {
      await arrived(method, params)
      for (const step of plan.steps ?? []) await carriedOut(step, client)
      const stopReason = plan.stopReason ?? (cancelled.signal.aborted ? 'cancelled' : 'end_turn')
      return { stopReason } as never
    })
    .onNotification(session.cancel, ({ method, params }) => {
      record({ method, params })
      if (plan.deaf !== true) cancelled.abort()
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, input))
}

async function arrived(method: string, params: unknown): Promise<void> {
  record({ method, params })
  exitAt(method)
  if (plan.silent === method) await new Promise(() => {})
  if (plan.authRequired === method) throw RequestError.authRequired()
}

function exitAt(what: string): void {
  if (plan.exit?.at === what) process.exit(plan.exit.code)
}

function record(line: AcpRecord): void {
  if (plan.record !== undefined) appendFileSync(plan.record, `${JSON.stringify(line)}\n`)
}

function startChild(): void {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], { stdio: 'ignore' })
  if (plan.marker !== undefined) appendFileSync(plan.marker, `${child.pid}\n`)
}

async function carriedOut(given: AcpStep, client: AgentContext): Promise<void> {
  const step = JSON.parse(JSON.stringify(given).replaceAll('{cwd}', JSON.stringify(cwd).slice(1, -1))) as AcpStep
  const kind = Object.keys(step)[0] ?? ''
  if ('beside' in step) {
    void carriedOut(step.beside, client)
  } else if (isRequest(step)) {
    try {
      record({ step: kind, result: await asked(step, client) })
    } catch (error) {
      const { code, message } = error as RequestError
      record({ step: kind, error: { code, message } })
    }
  } else await said(step, client)
}

type Asking = Extract<
  AcpStep,
  { ask: unknown } | { read: unknown } | { write: unknown } | { request: unknown } | { readAtOnce: unknown }
>

const isRequest = (step: AcpStep): step is Asking =>
  ['ask', 'read', 'write', 'request', 'readAtOnce'].some((kind) => kind in step)

async function asked(step: Asking, client: AgentContext): Promise<unknown> {
  const { fs, session } = methods.client
  if ('request' in step) return client.request(step.request.method, step.request.params)
  if ('read' in step) return client.request(fs.readTextFile, { sessionId, ...step.read })
  if ('write' in step) return client.request(fs.writeTextFile, { sessionId, ...step.write })
  if ('readAtOnce' in step) {
    const { path, times } = step.readAtOnce
    const all = Array.from({ length: times }, () => client.request(fs.readTextFile, { sessionId, path }))
    return (await Promise.all(all)).map(({ content }) => content.length)
  }
  const { id = 'call-1', ...toolCall } = step.ask
  const options = (step.options ?? everyOption) as never
  return client.request(session.requestPermission, {
    sessionId,
    options,
    toolCall: { toolCallId: id, ...toolCall } as never,
  })
}

const everyOption = ['allow_always', 'allow_once', 'reject_once', 'reject_always'].map((kind) => ({
  optionId: `id of ${kind}`,
  name: kind,
  kind,
}))

async function said(step: Exclude<AcpStep, Asking | { beside: AcpStep }>, client: AgentContext): Promise<void> {
  const update = (value: unknown): Promise<void> =>
    client.notify(methods.client.session.update, { sessionId, update: value } as never)
  const text = (words: string): Promise<void> =>
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } })
  if ('text' in step) return text(step.text)
  if ('update' in step) return update(step.update)
  if ('tell' in step) return text(JSON.stringify({ env: process.env, cwd: process.cwd(), args: process.argv.slice(3) }))
  if ('print' in step) return printed(step.print.map((line) => `${line}\n`).join(''))
  if ('longLine' in step) {
    const head = step.noise === true ? 'a log without an end ' : '{"jsonrpc":"2.0","method":"session/update","params":"'
    return printed(`${head}${'x'.repeat(step.longLine)}\n`)
  }
  if ('die' in step) {
    if (step.stderr !== undefined) process.stderr.write(`${step.stderr}\n`)
    process.exit(step.die)
  }
  if (plan.deaf === true) await new Promise(() => {})
  if (!cancelled.signal.aborted) await once(cancelled.signal, 'abort')
}

const printed = (text: string): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(text, () => resolve())
  })

begin()
