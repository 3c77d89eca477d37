import { expect, it } from 'vitest'
import { type RefreshRequest, refresher } from '../../src/runtime/refresher.ts'

const request = (because: string, ...servers: string[]): RefreshRequest => ({ because, servers: new Set(servers) })

function held() {
  const seen: RefreshRequest[] = []
  const gates: (() => void)[] = []
  const work = (one: RefreshRequest) => {
    seen.push(one)
    return new Promise<void>((resolve) => gates.push(resolve))
  }
  return { seen, release: () => gates.shift()?.(), work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('one refresh runs at a time, and what comes in meanwhile becomes one more', async () => {
  const { seen, release, work } = held()
  const { request: ask } = refresher(work)
  const first = ask(request('edited'))
  await turn()
  const second = ask(request('the list of a changed', 'a'))
  const third = ask(request('the list of b changed', 'b'))
  await turn()
  expect(seen.length).toBe(1)
  release()
  await first
  await turn()
  expect(seen.length).toBe(2)
  expect([...(seen[1]?.servers ?? [])]).toEqual(['a', 'b'])
  expect(seen[1]?.because).toBe('the list of a changed; the list of b changed')
  release()
  await Promise.all([second, third])
})

it('a request is answered by a refresh that began after it', async () => {
  const { seen, release, work } = held()
  const { request: ask } = refresher(work)
  void ask(request('one'))
  await turn()
  let done = false
  const late = ask(request('two')).then(() => {
    done = true
  })
  release()
  await turn()
  await turn()
  expect(done).toBe(false)
  release()
  await late
  expect(seen.map(({ because }) => because)).toEqual(['one', 'two'])
})

it('a refresh that fails does not fail those that come after it', async () => {
  let count = 0
  const { request: ask } = refresher(async () => {
    count += 1
    if (count === 1) throw new Error('not this time')
  })
  await expect(ask(request('one'))).rejects.toThrow('not this time')
  await ask(request('two'))
  expect(count).toBe(2)
})
