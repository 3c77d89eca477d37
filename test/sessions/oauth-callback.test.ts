import { request } from 'node:http'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type CallbackListener, listenForCallback } from '../../src/sessions/login/oauth-callback.ts'

const open: { readonly listener: CallbackListener; readonly stop: AbortController }[] = []
afterEach(async () => {
  for (const { listener, stop } of open.splice(0)) {
    await listener.close()
    stop.abort()
  }
})

const state = 'the-state-of-this-login'

async function waiting(): Promise<CallbackListener> {
  const stop = new AbortController()
  const listener = await listenForCallback({ state, signal: stop.signal })
  open.push({ listener, stop })
  return listener
}

/** The status that a request line gets; what `fetch` would put in order goes out as it is. */
function statusOf(
  listener: CallbackListener,
  path: string,
  headers: { readonly [name: string]: string } = {},
): Promise<number> {
  const { hostname, port } = new URL(listener.redirectUrl)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Whether an answer was taken by now. */
const isTaken = (listener: CallbackListener): Promise<boolean> =>
  Promise.race([listener.answer.then(() => true), Promise.resolve(false)])

describe('the address that a login comes back to [M6]', () => {
  it('takes the answer that bears the state, with what stands in it', async () => {
    const listener = await waiting()
    expect(await statusOf(listener, `/callback?code=a%20b&state=${state}&iss=https%3A%2F%2Fauth.example&more=1`)).toBe(
      200,
    )
    expect(await listener.answer).toEqual({ code: 'a b', iss: 'https://auth.example' })
  })

  it.each([
    [
      'for another host, as when a page lets its name lead here',
      `/callback?code=a&state=${state}`,
      { host: 'rebound.example' },
      421,
    ],
    ['for another path', `/other?code=a&state=${state}`, {}, 404],
    ['for another path that only begins so', `/callback/x?code=a&state=${state}`, {}, 404],
    ['for a whole address', `http://elsewhere.example/callback?code=a&state=${state}`, {}, 400],
    ['without a state', '/callback?code=a', {}, 400],
    ['with a longer state', `/callback?code=a&state=${state}x`, {}, 400],
    ['with two states', `/callback?code=a&state=${state}&state=${state}`, {}, 400],
    ['with two codes', `/callback?code=a&code=b&state=${state}`, {}, 400],
    ['with neither a code nor an error', `/callback?state=${state}`, {}, 400],
    ['with a code and an error', `/callback?code=a&error=b&state=${state}`, {}, 400],
  ])('refuses an answer %s', async (_case, path, headers, status) => {
    const listener = await waiting()
    expect(await statusOf(listener, path, headers)).toBe(status)
    expect(await isTaken(listener)).toBe(false)
  })

  it('takes nothing without the state, whatever is asked', async () => {
    const listener = await waiting()
    const query = fc.dictionary(fc.constantFrom('code', 'state', 'error', 'iss', 'x'), fc.string())
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        const status = await statusOf(listener, `/callback?${new URLSearchParams(given)}`)
        expect(status).toBe(400)
        expect(await isTaken(listener)).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  it('takes one answer only', async () => {
    const listener = await waiting()
    const path = `/callback?code=first&state=${state}`
    const statuses = await Promise.all([statusOf(listener, path), statusOf(listener, path.replace('first', 'second'))])
    expect(statuses.sort()).toEqual([200, 410])
    expect((await listener.answer).code).toMatch(/^(first|second)$/)
  })

  it('gives up with its signal, also one that was given up before', async () => {
    const stop = new AbortController()
    stop.abort(new Error('nobody waits'))
    const listener = await listenForCallback({ state, signal: stop.signal })
    await expect(listener.answer).rejects.toThrow('nobody waits')
    await listener.close()
  })
})
