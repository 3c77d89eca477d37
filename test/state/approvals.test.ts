// What is stored of approvals, where somebody else has been at the file, or an older version wrote it.

import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import type { AskedCall } from '../../src/state/approval-state.ts'
import { applicationId } from '../../src/state/sqlite/sqlite-schema.ts'
import { aState, codeOf, key } from './a-state.ts'
import { aFolder, aStore } from './places.ts'

const question: AskedCall = {
  id: 'id1',
  user: 'user',
  thread: 'thread',
  agent: 'main',
  tool: 'mcp:a/b',
  rule: '',
  call: 'call1',
  name: 'b',
  definitionHash: 'd',
  args: { text: 'a' },
  askedAt: 'now',
}
const grant = { user: 'user', agent: 'main', tool: 't', rule: '', definitionHash: 'd', at: 'now' }

describe('a state of the first version', () => {
  it('keeps what it holds, and takes approvals from now on', async () => {
    const folder = aFolder()
    const old = new Database(join(folder, 'state.db'))
    old.exec(`CREATE TABLE promotion ("user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, state TEXT NOT NULL,
        PRIMARY KEY ("user", thread, agent)) STRICT, WITHOUT ROWID;
      CREATE TABLE tool_use (agent TEXT NOT NULL, tool TEXT NOT NULL, calls INTEGER NOT NULL,
        PRIMARY KEY (agent, tool)) STRICT, WITHOUT ROWID;
      PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1`)
    const columns = [key.user, key.thread, key.agent].map((word) => JSON.stringify(word))
    old.prepare('INSERT INTO promotion VALUES (?, ?, ?, ?)').run(...columns, JSON.stringify(aState('a')))
    old.prepare('INSERT INTO tool_use VALUES (?, ?, 3)').run('"main"', '"t"')
    old.close()
    const store = await aStore(folder)
    expect(await store.promotions.read(key)).toEqual(aState('a'))
    expect(await store.use.most('main', 1)).toEqual([{ id: 't', calls: 3 }])
    await store.approvals.remember(grant)
    expect(await store.approvals.list({ user: 'user' })).toEqual([grant])
    expect(store.findings).toEqual([])
  })
})

describe('a question that is stored [R4]', () => {
  it('is none where it has another form, and is asked anew', async () => {
    const folder = aFolder()
    const { askedCalls } = await aStore(folder)
    for (const state of [
      '',
      '{}',
      JSON.stringify({ ...question, answer: 'yes' }),
      JSON.stringify({ ...question, args: 1 }),
    ]) {
      await askedCalls.ask(question)
      const other = new Database(join(folder, 'state.db'))
      other.prepare('UPDATE asked_call SET state = ?').run(state)
      other.close()
      expect(await askedCalls.find('id1')).toBeUndefined()
      expect(await askedCalls.take(question)).toBeUndefined()
      expect(await askedCalls.answer('id1', 'once')).toBeUndefined()
      expect(await askedCalls.list({ user: 'user' })).toEqual([])
      expect(await askedCalls.ask(question)).toEqual(question)
      await askedCalls.drop('id1')
    }
  })

  it('is told where it is too long', async () => {
    const { askedCalls } = await aStore(aFolder())
    const long = { ...question, args: { text: 'x'.repeat(300_000) } }
    expect(await codeOf(askedCalls.ask(long))).toBe('state-refused')
  })
})

it('of approvals that are too many the oldest are forgotten', async () => {
  const { approvals } = await aStore(aFolder())
  await approvals.remember({ ...grant, agent: 'child' })
  for (let index = 0; index < 1002; index += 1) await approvals.remember({ ...grant, tool: `t${index}` })
  const kept = await approvals.list({ user: 'user', agent: 'main' })
  expect([kept.length, kept[0]?.tool, kept.at(-1)?.tool]).toEqual([1000, 't2', 't1001'])
  expect(await approvals.list({ user: 'user', agent: 'child' })).toHaveLength(1)
})
