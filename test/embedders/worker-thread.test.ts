import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workerThread } from '../../src/embedders/worker-thread.ts'

interface Answer {
  readonly turn: number
  readonly said: string
  readonly thread: number
}

/** Says what it is asked; `die` ends it, `hang` makes it silent. */
const source = `
const { parentPort, threadId, workerData } = require('node:worker_threads')
console.log('noise')
console.error('noise')
parentPort.on('message', ({ turn, say }) => {
  if (say === 'die') process.exit(3)
  if (say === 'secret') say = String(process.env.PATH)
  if (say !== 'hang') parentPort.postMessage({ turn, said: workerData + say, thread: threadId })
})`

const threadOf = (answerMs = 20_000, data = () => 'said ') =>
  workerThread<{ readonly say: string }, Answer>({ source, data, answerMs })

describe('a thread that answers', () => {
  it('answers in the order in which it is asked, one thread for all', async () => {
    const thread = threadOf()
    const answers = await Promise.all(['a', 'b', 'c'].map((say) => thread.ask({ say })))
    expect(answers.map(({ said }) => said)).toEqual(['said a', 'said b', 'said c'])
    expect(new Set(answers.map((answer) => answer.thread)).size).toBe(1)
    await thread.end()
  })

  it('fails only the question that it died of, and is begun again for the others', async () => {
    const thread = threadOf()
    const asked = ['a', 'die', 'b'].map((say) => thread.ask({ say }))
    const [first, died, last] = await Promise.allSettled(asked)
    expect(died).toMatchObject({ status: 'rejected', reason: { message: 'the thread ended with 3' } })
    expect([first, last]).toMatchObject([{ value: { said: 'said a' } }, { value: { said: 'said b' } }])
    await thread.end()
  })

  it('is ended when it does not answer in time, and begun again', async () => {
    const thread = threadOf(1500)
    await expect(thread.ask({ say: 'hang' })).rejects.toThrow('the thread gave no answer within 1500 ms')
    expect((await thread.ask({ say: 'a' })).said).toBe('said a')
    await thread.end()
  })

  it('drops a question that nobody waits for, before or while it is asked', async () => {
    const thread = threadOf()
    const before = await thread.ask({ say: 'before' })
    const [asked, waiting] = [new AbortController(), new AbortController()]
    const first = thread.ask({ say: 'a' }, asked.signal)
    const second = thread.ask({ say: 'die' }, waiting.signal)
    const third = thread.ask({ say: 'c' })
    asked.abort(new Error('enough'))
    waiting.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    await expect(second).rejects.toThrow('enough')
    expect(await third).toMatchObject({ said: 'said c', thread: before.thread })
    await expect(thread.ask({ say: 'a' }, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
    await thread.end()
  })

  it('keeps no process alive when nothing is asked or it is silent, and what it prints reaches no output', () => {
    const script = `
      import { workerThread } from './src/embedders/worker-thread.ts'
      const thread = workerThread({ source: ${JSON.stringify(source)}, data: () => 'said ', answerMs: 20000 })
      const { said } = await thread.ask({ say: 'a' })
      const silent = workerThread({ source: ${JSON.stringify(source)}, data: () => '', answerMs: 500 })
      await silent.ask({ say: 'hang' }).catch(() => {})
      process.stdout.write(said)`
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { cwd: resolve(import.meta.dirname, '../..'), encoding: 'utf8', timeout: 30_000 },
    )
    expect({ stdout, stderr, status }).toEqual({ stdout: 'said a', stderr: '', status: 0 })
  })

  it('has no variables of ours', async () => {
    const thread = threadOf()
    expect((await thread.ask({ say: 'secret' })).said).toBe('said undefined')
    await thread.end()
  })

  it('rejects what is open when it is ended, and starts anew when it is asked again', async () => {
    const thread = threadOf()
    const open = ['hang', 'a'].map((say) => thread.ask({ say }))
    const outcomes = Promise.allSettled(open)
    await thread.end()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect((await thread.ask({ say: 'b' })).said).toBe('said b')
    await thread.end()
    await thread.end()
  })

  it('says why it could not be begun, to everybody who asks', async () => {
    const thread = threadOf(1000, () => {
      throw new Error('no data')
    })
    const outcomes = await Promise.allSettled(['a', 'b'].map((say) => thread.ask({ say })))
    expect(outcomes).toMatchObject([{ reason: { message: 'no data' } }, { reason: { message: 'no data' } }])
  })
})
