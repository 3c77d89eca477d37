// A scripted MCP server over stdio, for tests: it does exactly what its plan says, right or wrong. It shares no code
// with the client, and it knows the protocol only as far as plans need it.
//
//   node scripted-server.js '{"pages":[{"tools":[…]}]}'      the plan as JSON
//   node scripted-server.js @plan.json                        or from a file

import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** An answer to one method: the usual one, none at all, or an error. */
type ScriptedAnswer = 'answer' | 'silent' | { readonly code: number; readonly message: string }

interface ScriptedPage {
  /** The cursor that this page answers. Absent: a request without one. */
  readonly cursor?: string
  readonly tools: unknown
  readonly nextCursor?: unknown
}

/** What a call of a tool does. All of it is optional: an empty plan answers with the text `ok`. */
export interface CallPlan {
  /** Milliseconds before anything is answered. */
  readonly afterMs?: number
  /** The text of the answer. */
  readonly text?: string
  /** A text of so many letters. */
  readonly bytes?: number
  /** The whole result, in place of a text. */
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
  /** Answers with a JSON text of `{args, env, cwd, pid}`. */
  readonly tell?: true
  /** Writes a file (relative to the working folder) and answers with its absolute path. */
  readonly file?: { readonly path: string; readonly text: string }
  readonly progress?: { readonly everyMs: number; readonly times: number; readonly total?: number }
  readonly listChanged?: { readonly times: number; readonly everyMs: number }
  /** Sends the answer byte by byte. */
  readonly dripMs?: number
  /** Never answers. */
  readonly hang?: true
  /** Ends the process, with a code or by a signal, in place of an answer. */
  readonly die?: { readonly code?: number; readonly signal?: 'SIGKILL' | 'SIGTERM' }
  /** Bytes that are written as they are in place of an answer (base64), the words `$CALL` and `$CALL_AS_OTHER_TYPE` replaced. */
  readonly raw?: string
  /** After `raw`, standard output is closed. */
  readonly close?: true
  /** Which id the answer bears. Absent: the right one, once. */
  readonly answers?: 'twice' | 'other-id' | 'null-id'
  /** Starts a child that sleeps: in the same group, or in a session of its own that has lost its parent. */
  readonly fork?: 'child' | 'daemon'
  /** Sets what is listed from now on to this index of `lists`, and says so. */
  readonly list?: number
}

export interface ServerPlan {
  /** By original name; `*` for every other. A list is followed call by call, and its last stays. */
  readonly calls?: { readonly [tool: string]: CallPlan | readonly CallPlan[] }
  /** Other lists of tools, for `CallPlan.list`. */
  readonly lists?: readonly (readonly unknown[])[]
  /** File to which one line of JSON is added for each message that comes in: `{at, pid, method, id, params}`. */
  readonly record?: string
  /** Ends itself so many milliseconds after its start. */
  readonly lifeMs?: number
  /** Reads its input at this pace. Absent: as fast as it comes. */
  readonly readBytesPerSecond?: number
  /** Milliseconds that a listing says it may be kept (2026-07-28). Absent: 0. */
  readonly ttlMs?: number
  /** Answers no ping. */
  readonly deaf?: boolean
  /** File to which the process writes its id and a line break when it starts. */
  readonly marker?: string
  /** Milliseconds before the first request is read. */
  readonly delayMs?: number
  /** Lines on standard error at the start. */
  readonly stderr?: readonly string[]
  /** Lines on standard output before the first message. */
  readonly stdout?: readonly string[]
  /** Ends the process at its start, or instead of answering a method. */
  readonly exit?: { readonly at: 'start' | 'initialize' | 'tools/list'; readonly code: number }
  readonly initialize?: ScriptedAnswer
  /** Protocol revision that `initialize` answers with. Absent: the one that was asked for. */
  readonly protocolVersion?: string
  /** Answers the handshake of 2026-07-28. Absent: that method is not known. */
  readonly discover?: boolean
  /** Says that it has tools. Absent: yes. */
  readonly toolsCapability?: boolean
  readonly list?: ScriptedAnswer
  /**
   * pages: the page of the cursor that was asked for. repeat: `page` for ever. alternate: as pages. counter: `page`
   * for ever, each time with the next number for `{i}` in names and in `cursor`.
   */
  readonly serve?: 'pages' | 'repeat' | 'alternate' | 'counter'
  readonly pages?: readonly ScriptedPage[]
  readonly page?: ScriptedPage
  readonly cursor?: string
  /** Starts a child that sleeps, and writes its id to the marker as well. */
  readonly grandchild?: boolean
  /** Goes on when its input ends and when it is told to end. */
  readonly stubborn?: boolean
  /** Names of variables whose values become the description of a tool `environment`. */
  readonly tellEnvironment?: boolean
}

interface Request {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly cursor?: string; readonly protocolVersion?: string }
}

function main(argument: string | undefined): void {
  const text = argument?.startsWith('@') === true ? readFileSync(argument.slice(1), 'utf8') : argument
  const plan = JSON.parse(text ?? '{}') as ServerPlan
  if (plan.marker !== undefined) appendFileSync(plan.marker, `${process.pid}\n`)
  for (const line of plan.stderr ?? []) process.stderr.write(`${line}\n`)
  if (plan.grandchild === true) {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (plan.marker !== undefined) appendFileSync(plan.marker, `${child.pid}\n`)
  }
  if (plan.exit?.at === 'start') process.exit(plan.exit.code)
  if (plan.stubborn === true) {
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 60_000)
  }
  for (const line of plan.stdout ?? []) process.stdout.write(`${line}\n`)
  setTimeout(() => serve(plan), plan.delayMs ?? 0)
}

function serve(plan: ServerPlan): void {
  let asked = 0
  createInterface({ input: process.stdin }).on('line', (line) => {
    const request = JSON.parse(line) as Request
    if (request.method === 'initialize') return answer(plan, request, plan.initialize, () => initialized(plan, request))
    if (request.method === 'server/discover' && plan.discover === true) return say(request, discovered(plan))
    if (request.method === 'tools/list') {
      asked += 1
      return answer(plan, request, plan.list, () => pageFor(plan, request.params?.cursor, asked))
    }
    if (request.id !== undefined) sayError(request, { code: -32601, message: `Method not found: ${request.method}` })
  })
}

function answer(plan: ServerPlan, request: Request, how: ScriptedAnswer = 'answer', result: () => unknown): void {
  if (plan.exit !== undefined && plan.exit.at === request.method) process.exit(plan.exit.code)
  if (how === 'silent') return
  if (how === 'answer') say(request, result())
  else sayError(request, how)
}

const capabilities = (plan: ServerPlan) => (plan.toolsCapability === false ? {} : { tools: {} })

const initialized = (plan: ServerPlan, request: Request) => ({
  protocolVersion: plan.protocolVersion ?? request.params?.protocolVersion,
  capabilities: capabilities(plan),
  serverInfo: { name: 'scripted', version: '1' },
})

const discovered = (plan: ServerPlan) => ({
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: capabilities(plan),
  ttlMs: 0,
  cacheScope: 'private',
})

function pageFor(plan: ServerPlan, cursor: string | undefined, asked: number): unknown {
  if (plan.tellEnvironment === true) {
    return {
      tools: [
        {
          name: 'environment',
          description: JSON.stringify({ ...process.env, '(cwd)': process.cwd() }),
          inputSchema: { type: 'object' },
        },
      ],
    }
  }
  if (plan.serve === 'repeat') return plan.page
  if (plan.serve === 'counter') {
    return {
      ...JSON.parse(JSON.stringify(plan.page).replaceAll('{i}', String(asked))),
      nextCursor: plan.cursor?.replace('{i}', String(asked)),
    }
  }
  const page = plan.pages?.find((candidate) => candidate.cursor === cursor)
  return {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    tools: page?.tools ?? [],
    ...(page?.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
  }
}

const say = (request: Request, result: unknown) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result })}\n`)
const sayError = (request: Request, error: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, error })}\n`)

main(process.argv[2])
