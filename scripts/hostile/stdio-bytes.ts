// Kind `stdio-bytes`: bytes on standard output in place of the answer to a call, after a good handshake; in both eras.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { McpServerConfig } from '../../src/config/config.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { OpenSession } from '../../src/sessions/session.ts'
import { type ScriptedCommand, scriptedServer } from '../../src/testing/scripted-handles.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { bareEntry } from '../../test/sources/server-entry.ts'
import { fileOf, type HostileCase, type Kind } from './case.ts'
import { misses, type Told } from './expected.ts'
import { scriptedProgram } from './scripted-program.ts'

export const stdioBytes: Kind = {
  kind: 'stdio-bytes',
  run: async (one, dataDir) => {
    const out: string[] = []
    for (const era of ['legacy', 'modern'] as const)
      for (const miss of await fed(one, era, bytesOf(one, dataDir))) out.push(`${era}: ${miss}`)
    return out
  },
}

/** What the expectation of this kind has beside what all kinds have. */
type BytesExpectation = HostileCase['expect'] & { readonly then?: 'close' }

/** The words for ids stand in quotation marks, which belong to them. */
const bytesOf = (one: HostileCase, dataDir: string): Buffer =>
  Buffer.from(readFileSync(fileOf(one, dataDir), 'latin1').replaceAll(/"(\$CALL(?:_AS_OTHER_TYPE)?)"/g, '$1'), 'latin1')

const idleTimeoutMs = 1500
/** Longer than a burst of notices is waited for. */
const burstMs = 1500

interface Seen {
  readonly result?: JsonObject
  readonly failure?: CallFailure
  readonly session: OpenSession
  readonly server: ScriptedCommand
  /** How often the list was asked for. */
  readonly listings: number
}

async function fed(one: HostileCase, era: 'legacy' | 'modern', bytes: Buffer): Promise<readonly string[]> {
  const closes = (one.expect as BytesExpectation).then === 'close'
  const server = scriptedServer(planFor(era, bytes, closes), { program: scriptedProgram })
  const cwd = mkdtempSync(join(tmpdir(), 'toolgate-bytes-'))
  const env = { PATH: process.env.PATH ?? '' }
  const session = await openSession(entryFor(server), { env, cwd, era, timeoutMs: 20_000 })
  try {
    session.onListChanged(() => void session.page(undefined).catch(() => {}))
    const called = await session.call('probe', {}, { idleTimeoutMs, totalTimeoutMs: 10_000 }).then(
      (result) => ({ result }),
      (failure: CallFailure) => ({ failure }),
    )
    if (one.expect.yields?.list_calls_at_most !== undefined)
      await new Promise((resolve) => setTimeout(resolve, burstMs))
    // What was said before the next call has arrived when that is answered.
    const next = closes ? [] : await afterwards(session)
    const listings = server.received().filter(({ method }) => method === 'tools/list').length
    return [...judged(one, { ...called, session, server, listings }), ...next]
  } finally {
    await session.end()
    rmSync(cwd, { recursive: true, force: true })
  }
}

function planFor(era: 'legacy' | 'modern', bytes: Buffer, closes: boolean): ServerPlan {
  const raw = { raw: bytes.toString('base64'), ...(closes ? { close: true as const } : {}) }
  const spoken = era === 'modern' ? { discover: true, initialize: { code: -32601, message: 'no such method' } } : {}
  return { ...spoken, pages: [{ tools: [] }], calls: { probe: [raw, { text: 'afterwards' }] } }
}

const entryFor = ({ command, args }: ScriptedCommand): McpServerConfig => bareEntry('strange', { command, args })

function judged(one: HostileCase, seen: Seen): string[] {
  const { failure, result, session } = seen
  const errors: readonly Told[] =
    failure === undefined
      ? []
      : [{ code: failure.code, subject: 'strange', message: failure.message, hint: '', at: '' }]
  const remarks: readonly Told[] = session.findings().map(({ word, times, first }) => ({
    code: word,
    subject: 'strange',
    message: `${times}: ${first}`,
    hint: '',
    at: '',
  }))
  const out = misses(one, {
    outcome: failure === undefined ? 'accept' : 'reject',
    errors,
    told: [...errors, ...remarks],
    shown: result === undefined ? [] : [JSON.stringify(result)],
  })
  if (failure !== undefined && !(failure instanceof CallFailure)) out.push('the failure is no CallFailure')
  if (result?.isError === true) out.push('a good result says that the tool failed')
  for (const [fact, value] of Object.entries(one.expect.yields ?? {})) out.push(...notYielded(fact, value, seen))
  for (const invariant of one.expect.invariants ?? []) out.push(...broken(invariant, seen))
  return out
}

const textOf = (result: JsonObject | undefined): unknown =>
  (result?.content as readonly JsonObject[] | undefined)?.[0]?.text

function notYielded(fact: string, value: unknown, { result, listings }: Seen): string[] {
  switch (fact) {
    case 'call_text':
      return textOf(result) === value ? [] : [`the text is ${printable(JSON.stringify(textOf(result)) ?? 'none')}`]
    case 'call_finished':
      return [] // it has, or nothing would be judged
    case 'list_calls_at_most':
      if (listings === 0) return ['nobody asked for the list that changed']
      return listings <= Number(value) ? [] : [`the list was asked for ${listings} times`]
  }
  return [`the runner knows no fact "${fact}"`]
}

function broken(invariant: string, { server, session }: Seen): string[] {
  switch (invariant) {
    case 'not-executed': {
      // What is refused is refused in the protocol; 2026-07-28 knows no requests of a server, and so no answers to them.
      const answers = server.received().filter(({ method }) => method === undefined)
      const refused = answers.every(({ error }) => (error as { readonly code?: unknown } | undefined)?.code === -32601)
      const right = refused && answers.length === (session.era === 'legacy' ? 1 : 0)
      return right ? [] : [`the server was told ${printable(JSON.stringify(answers), 200)}`]
    }
    case 'single-line-error': // looked at in every case
    case 'no-pollution':
      return []
  }
  return [`the runner knows no invariant "${invariant}"`]
}

/** The session goes on: the next call has an answer of its own. */
async function afterwards(session: OpenSession): Promise<string[]> {
  try {
    const text = textOf(await session.call('probe', {}, { idleTimeoutMs: 10_000, totalTimeoutMs: 10_000 }))
    return text === 'afterwards' ? [] : [`the next call got ${printable(JSON.stringify(text) ?? 'nothing')}`]
  } catch (error) {
    return [`the next call failed: ${printable(String(error), 200)}`]
  }
}
