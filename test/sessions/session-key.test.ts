import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { launchFingerprint, sessionKey } from '../../src/sessions/pool/session-key.ts'
import { aServer } from './pool-stage.ts'

describe('the key of a session [M1]', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('a', 'a:b', 'b', '', '"', '","', '[]', '__proto__', '\ud800', '\\ud800'),
  )
  const owner = fc.record(
    { server: part, user: part, thread: part, launch: part },
    { requiredKeys: ['server', 'user', 'thread'] },
  )

  it('[P25] is the same for the same owner and the same launch alone', () => {
    const parts = (one: { server: string; user: string; thread: string; launch?: string }) =>
      JSON.stringify([one.server, one.user, one.thread, one.launch ?? null])
    fc.assert(
      fc.property(owner, owner, (one, other) => {
        expect(sessionKey(one) === sessionKey(other)).toBe(parts(one) === parts(other))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('how a server is started [M1]', () => {
  const plain = aServer('files', { env: { A: '1', B: '2' }, headers: { X: '1' } })

  it.each<[string, Partial<McpServerConfig>]>([
    ['transport', { transport: 'http' }],
    ['command', { command: 'other' }],
    ['args', { args: ['x'] }],
    ['the order of args', { args: ['b', 'a'] }],
    ['cwd', { cwd: '/x' }],
    ['a value of env', { env: { A: '1', B: '3' } }],
    ['a name of env', { env: { A: '1', C: '2' } }],
    ['url', { url: 'https://x.test' }],
    ['allowHttp', { allowHttp: true }],
    ['a value of headers', { headers: { X: '2' } }],
    ['oauth', { oauth: { clientId: 'x' } }],
    ['a scope of oauth', { oauth: { clientId: 'x', scopes: ['read'] } }],
  ])('has another fingerprint after an edit of %s', (_key, edit) => {
    const before = edit.args?.[1] === 'a' ? { ...plain, args: ['a', 'b'] } : plain
    expect(launchFingerprint({ ...before, ...edit })).not.toBe(launchFingerprint(before))
  })

  it.each<[string, Partial<McpServerConfig>]>([
    ['what is offered', { includeTools: ['x'], excludeTools: ['y'], group: 'g', prefix: false }],
    ['time limits', { startTimeoutMs: 1, callTimeoutMs: 1, callTotalMs: 1 }],
    ['the place in the file', { origin: { in: 'x' }, origins: { command: { in: 'x' } } }],
    ['the order of names', { env: { B: '2', A: '1' } }],
  ])('has the same fingerprint after an edit of %s', (_key, edit) => {
    expect(launchFingerprint({ ...plain, ...edit })).toBe(launchFingerprint(plain))
  })

  it('tells no value', () => {
    expect(launchFingerprint(aServer('files', { env: { TOKEN: 'CANARY' } }))).toMatch(/^[0-9a-f]{64}$/)
  })
})
