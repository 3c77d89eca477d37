import { expect, it } from 'vitest'
import { upkeep } from '../../src/runtime/upkeep.ts'
import type { Clock } from '../../src/sessions/pool/pool.ts'
import type { ServerReport } from '../../src/sources/source.ts'

function stage() {
  let time = 0
  let timers: { at: number; work: () => void }[] = []
  const clock: Clock = {
    now: () => time,
    after: (ms, work) => {
      const timer = { at: time + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
  }
  const asked: (readonly [at: number, servers: string])[] = []
  const kept = upkeep({ ask: (_, servers) => asked.push([time, servers.join()]), clock })
  const pass = (ms: number) => {
    const until = time + ms
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      time = next.at
      timers = timers.filter((one) => one !== next)
      next.work()
    }
    time = until
  }
  return { kept, asked, pass, timers: () => timers }
}

const report = (name: string, more: Partial<ServerReport>): ServerReport => ({
  name,
  state: 'available',
  required: false,
  tools: 1,
  origin: { in: 'toolgate.yaml', key: name },
  ...more,
})
const down = (name: string) => report(name, { state: 'failed-to-start' })

it('asks a server that is down after 5 s, and then at growing distances', () => {
  const { kept, asked, pass } = stage()
  for (const wait of [5000, 10_000, 20_000]) {
    kept.found([down('lab')])
    pass(wait)
  }
  expect(asked.map(([at]) => at)).toEqual([5000, 15_000, 35_000])
})

it('asks it in time although other servers have news every second', () => {
  const { kept, asked, pass } = stage()
  for (let second = 0; second < 6; second += 1) {
    kept.found([down('lab'), report('files', {})])
    pass(1000)
  }
  expect(asked).toEqual([[5000, 'lab']])
})

it('asks a server that went down later as soon as the first one at its time', () => {
  const { kept, asked, pass } = stage()
  for (const wait of [5000, 10_000, 1]) {
    kept.found([down('lab')])
    pass(wait)
  }
  kept.found([down('lab'), down('files')])
  pass(5000)
  expect(asked.at(-1)).toEqual([20_001, 'files'])
})

it('asks only the server whose listing becomes stale, and not more than once a second', () => {
  const { kept, asked, pass } = stage()
  const servers = (ms: number) => [report('files', { freshForMs: ms }), report('lab', { freshForMs: 60_000 })]
  kept.found(servers(3000))
  pass(3000)
  kept.found(servers(0))
  pass(999)
  expect(asked).toEqual([[3000, 'files']])
  pass(1)
  expect(asked).toEqual([
    [3000, 'files'],
    [4000, 'files'],
  ])
})

it('sleeps a day at most, and asks nothing before its time', () => {
  const { kept, asked, pass, timers } = stage()
  const day = 86_400_000
  kept.found([report('files', { freshForMs: 40 * day })])
  expect(timers().map(({ at }) => at)).toEqual([day])
  pass(39 * day)
  expect(asked).toEqual([])
  pass(day)
  expect(asked).toEqual([[40 * day, 'files']])
})

it('asks again when a refresh as a whole came to nothing', () => {
  const { kept, asked, pass } = stage()
  kept.found([report('files', { freshForMs: 2000 })])
  pass(2000)
  kept.foundNothing()
  pass(10_000)
  expect(asked.map(([, servers]) => servers)).toEqual(['files', 'files'])
})

it('asks nothing once it is closed, and of no server that is gone', () => {
  const { kept, asked, pass } = stage()
  kept.found([down('lab')])
  kept.found([])
  pass(10_000)
  kept.found([down('lab')])
  kept.close()
  kept.found([down('lab')])
  pass(10_000)
  expect(asked).toEqual([])
})
