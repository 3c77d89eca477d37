// Opens sessions until the system refuses, under limits that its parent set; tells what happened as one line of JSON.

import { setTimeout as sleep } from 'node:timers/promises'
import { openSession } from '../../src/sessions/open-session.ts'
import { sessionPool } from '../../src/sessions/pool/session-pool.ts'
import { serverEnvironment } from '../../src/sessions/processes/base-environment.ts'
import { serverConfig } from '../../test/sources/server-entry.ts'

const [program = '', plan = '', canary = ''] = process.argv.slice(2)
const server = serverConfig('many', {
  args: [program, `@${plan}`, canary],
  startTimeoutMs: 15_000,
  callTimeoutMs: 5000,
  callTotalMs: 5000,
  origin: { in: 'verify-faults' },
})
const pool = sessionPool({
  open: ({ server: asked, signal }) =>
    openSession(asked, { env: serverEnvironment(process.env, {}), cwd: process.cwd(), signal, timeoutMs: 15_000 }),
  max: 100,
  idleMs: 600_000,
})
const call = (thread: string) =>
  pool.use(server, { user: 'u', thread }, (session) =>
    session.call('work', {}, { idleTimeoutMs: 5000, totalTimeoutMs: 5000 }),
  )

const open: string[] = []
let refusal = ''
for (let at = 0; at < 60 && refusal === ''; at += 1) {
  try {
    await call(`t${at}`)
    open.push(`t${at}`)
  } catch (error) {
    refusal = error instanceof Error ? error.message : String(error)
  }
}
let live = 0
for (const thread of open)
  live += await call(thread).then(
    () => 1,
    () => 0,
  )
await Promise.all(open.slice(0, 4).map((thread) => pool.endThread({ user: 'u', thread })))
await sleep(500)
const recovered = await call('fresh').then(
  () => true,
  () => false,
)
console.log(JSON.stringify({ opened: open.length, refusal, live, recovered }))
await pool.close(0)
