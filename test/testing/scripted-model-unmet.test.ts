import { describe, expect, it } from 'vitest'
import { otherWords } from '../../src/testing/scripted-model/conversation.ts'
import type { ModelRequest, RecordedMessage } from '../../src/testing/scripted-model/index.ts'
import { unmetBy } from '../../src/testing/scripted-model/unmet.ts'

const request = (given: Partial<ModelRequest>): ModelRequest => ({
  model: 'm',
  system: '',
  messages: [],
  tools: [],
  stream: false,
  ...given,
})
const named = (...names: readonly string[]) => ({
  tools: names.map((name) => ({ name, description: '', inputSchema: {}, text: '' })),
})
const user = (text: string): RecordedMessage => ({ role: 'user', text })
const result = (text: string): RecordedMessage => ({ role: 'tool', id: 'a', text, isError: false })
const model: RecordedMessage = { role: 'assistant', text: '', calls: [] }

describe('what a step expects', () => {
  it('of all tools holds for these names in this order only', () => {
    const expected = { only_tools: ['a', 'b'] }
    expect(unmetBy(expected, request(named('a', 'b')))).toEqual([])
    for (const other of [[], ['a'], ['b', 'a'], ['a', 'b', 'c']]) {
      expect(unmetBy(expected, request(named(...other)))).toEqual([
        `the tools a, b are expected, in this order; listed are ${other.join(', ') || 'none'}`,
      ])
    }
    expect(unmetBy({ only_tools: [] }, request({}))).toEqual([])
    expect(unmetBy({ only_tools: [] }, request(named('a')))).toHaveLength(1)
  })

  it('of the system prompt holds for each text, and against each', () => {
    const expected = { system: ['one', 'two'], no_system: 'three' }
    expect(unmetBy(expected, request({ system: 'two one' }))).toEqual([])
    expect(unmetBy(expected, request({ system: 'two\nthree' }))).toEqual([
      'the system prompt is expected to hold "one"; it is "two\\u000athree"',
      'the system prompt holds "three", and is expected not to',
    ])
  })

  it('of results is about those since the last message of the model', () => {
    const before = [user('x'), model, result('old'), model]
    expect(unmetBy({ result: 'old' }, request({ messages: [...before, result('new')] }))).toEqual([
      'a result is expected to hold "old"; what came is "new"',
    ])
    expect(
      unmetBy({ result: ['new', 'er'], no_result: 'old' }, request({ messages: [...before, result('newer')] })),
    ).toEqual([])
    expect(unmetBy({ result: 'x' }, request({ messages: [user('x')] }))).toEqual([
      'a result is expected to hold "x"; no result came',
    ])
  })

  it('is told in bounded words, however many tools there are', () => {
    const many = Array.from({ length: 500 }, (_, index) => `tool_${index}`)
    const [told = ''] = unmetBy({ tools: 'absent' }, request(named(...many)))
    expect(told).toContain('tool_39 and 460 more')
  })
})

describe('what a person is expected to say', () => {
  const said = (expected: string, ...messages: readonly RecordedMessage[]) =>
    otherWords(expected, request({ messages }))

  it('may be said in other letters, with more around it, and in another order', () => {
    expect(said('Short, please!', user('Please make it SHORT'))).toBeUndefined()
    expect(said('請幫我', user('好，請幫我。'))).toBeUndefined()
    expect(said('?!', user('anything'))).toBeUndefined()
  })

  it('is looked for in what is new only', () => {
    expect(said('short', user('short'), model, user('long'))).toBe('what came is "long"')
    expect(said('short', user('short'), model)).toBe('nothing new came')
    expect(said('short', user('x'), model, result('put to the person'), user('short'))).toBeUndefined()
  })
})
