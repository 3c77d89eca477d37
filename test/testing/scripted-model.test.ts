import { afterEach, describe, expect, it } from 'vitest'
import {
  type RecordedRequest,
  type Script,
  type ScriptedModel,
  startScriptedModel,
} from '../../src/testing/scripted-model/index.ts'
import { type Answer, ask, type Call, clients, messages, post, type Turn, ways } from './scripted-model-client.ts'

const started: ScriptedModel[] = []

async function start(script: Script): Promise<ScriptedModel> {
  const model = await startScriptedModel(script)
  started.push(model)
  return model
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((model) => model.close()))
})

const keyScript: Script = {
  turns: [
    {
      user: 'Who has the key to the archive?',
      steps: [
        {
          expect: { tools: ['search_notes'], no_tools: 'bash', system: 'desk' },
          say: 'I look through the notes.',
          call: [
            { tool: 'search_notes', args: { word: 'key' } },
            { tool: 'search_notes', args: { word: 'archive' } },
          ],
        },
        { expect: { result: ['blue cup', 'tea'], no_result: 'red cup' }, say: 'It is in the blue cup.' },
      ],
    },
    { user: 'And the tea?', steps: [{ say: 'On Thursday.', usage: { input: 7, output: 3 } }] },
  ],
}

const first: readonly Turn[] = [{ user: 'Please: who has the KEY to the archive' }]
const system = 'You work at a desk.'
const tools = ['search_notes', 'echo']

const then = (history: readonly Turn[], answer: Answer, results: readonly string[] = []): readonly Turn[] => [
  ...history,
  { say: answer.say, calls: answer.calls },
  ...answer.calls.map((call: Call, index) => ({ result: results[index] ?? '', of: call.id })),
]

describe.each(ways)('a conversation over $name', ({ client, stream }) => {
  it('is replayed turn by turn, calls of one message as siblings', async () => {
    const model = await start(keyScript)
    const one = await ask(model, client, stream, { system, tools, history: first })
    expect(one.error).toBeUndefined()
    expect(one.say).toBe('I look through the notes.')
    expect(one.calls.map(({ tool, args }) => [tool, JSON.parse(args)])).toEqual([
      ['search_notes', { word: 'key' }],
      ['search_notes', { word: 'archive' }],
    ])
    expect(new Set(one.calls.map(({ id }) => id)).size).toBe(2)

    const history = then(first, one, ['the key is in the blue cup', 'tea on Thursday'])
    const two = await ask(model, client, stream, { system, tools, history })
    expect(two).toMatchObject({ say: 'It is in the blue cup.', calls: [] })

    const three = await ask(model, client, stream, { history: [...then(history, two), { user: 'and the tea?' }] })
    expect(three).toMatchObject({ say: 'On Thursday.', usage: [7, 3] })
    expect(model.faults()).toEqual([])
    expect(model.unplayed()).toEqual([])
    expect(model.requests().map(({ step, outcome }) => [step, outcome])).toEqual([
      ['turns[0].steps[0]', 'answered'],
      ['turns[0].steps[1]', 'answered'],
      ['turns[1].steps[0]', 'answered'],
    ])
  })

  it('goes on in another process, for the position is in the request', async () => {
    const one = await ask(await start(keyScript), client, stream, { system, tools, history: first })
    const history = then(first, one, ['blue cup', 'tea'])
    const two = await ask(await start(keyScript), client, stream, { system, tools, history })
    expect(two.say).toBe('It is in the blue cup.')
  })

  it('has the same answer for the same request, byte by byte', async () => {
    const question = { system, tools, history: first }
    const [one, two] = [await start(keyScript), await start(keyScript)]
    expect((await ask(one, client, stream, question)).raw).toEqual((await ask(two, client, stream, question)).raw)
  })

  it('says that no model was asked', async () => {
    const { raw, headers } = await ask(await start(keyScript), client, stream, { system, tools, history: first })
    expect(JSON.stringify(raw)).toContain('no model was asked')
    expect(JSON.stringify(raw)).toContain('"model":"script"')
    expect(headers.get('x-scripted-model')).toContain('no model was asked')
  })

  it('refuses, once, what does not meet an expectation, with what was expected and what came', async () => {
    const model = await start(keyScript)
    const { status, error, headers } = await ask(model, client, stream, { tools: ['bash'], history: first })
    expect(status).toBe(400)
    expect(error).toContain('request 1 of the conversation "main": turns[0].steps[0]')
    expect(error).toContain('the tool "search_notes" is expected, and is not listed; listed are bash')
    expect(error).toContain('the tool "bash" is listed, and is expected not to be')
    expect(error).toContain('the system prompt is expected to hold "desk"')
    expect(headers.get('x-should-retry')).toBe('false')
    expect(model.faults()).toEqual([error])
    expect(model.requests()[0]?.outcome).toBe('refused')
    expect(model.unplayed()).toContain('turns[0].steps[0]')
  })

  it('refuses results other than expected', async () => {
    const model = await start(keyScript)
    const one = await ask(model, client, stream, { system, tools, history: first })
    const { error } = await ask(model, client, stream, { history: then(first, one, ['a red cup', 'none']) })
    expect(error).toContain('a result is expected to hold "blue cup"; what came is "a red cup", "none"')
    expect(error).toContain('a result holds "red cup", and is expected not to')
  })

  it('refuses a person who says something else', async () => {
    const model = await start(keyScript)
    const { error } = await ask(model, client, stream, { system, tools, history: [{ user: 'Good morning' }] })
    expect(error).toContain('expects that the person says "Who has the key to the archive?"')
    expect(error).toContain('what came is "Good morning"')
  })

  it('refuses what comes after the end of the script', async () => {
    const model = await start({ turns: [{ steps: [{ say: 'All.' }] }] })
    const history = [{ user: 'hi' }, { say: 'All.' }, { user: 'more' }]
    const { error } = await ask(model, client, stream, { history })
    expect(error).toContain('the script ends after 1 answers; what came is "more" (user)')
  })

  it('refuses a history that no provider takes', async () => {
    const model = await start(keyScript)
    const called = { say: '', calls: [{ id: 'a', tool: 't', args: '{}' }] }
    const hi = { user: 'hi' }
    for (const [history, what] of [
      [[hi, called, hi], /without one: "a"/],
      [[hi, called], /without one: "a"/],
      [[hi, called, { result: '', of: 'b' }], /"b" answers no/],
      [[hi, { say: 'x' }, { result: '', of: 'a' }], /"a" answers no/],
      [[], /at least one message/],
    ] as const) {
      const { error } = await ask(model, client, stream, { history })
      expect(error).toMatch(what)
    }
  })

  it('refuses names of tools that no provider takes', async () => {
    const model = await start(keyScript)
    for (const names of [['a.b'], [''], ['a'.repeat(129)], ['twin', 'twin']]) {
      expect((await ask(model, client, stream, { history: first, tools: names })).error).toMatch(/tools\[\d\]/)
    }
  })

  it('tells children apart by what their requests hold', async () => {
    const child = (name: string, when: object) => ({ name, when, turns: [{ steps: [{ say: `I am ${name}.` }] }] })
    const model = await start({
      turns: [{ steps: [{ say: 'I am main.' }] }],
      children: [
        child('both', { system: 'You count', user: 'papers' }),
        child('task', { user: 'papers' }),
        child('named', { model: 'small' }),
        child('tagged', { tag: 'x' }),
      ],
    })
    const said = async (question: object) =>
      (await ask(model, client, stream, { history: [{ user: 'hi' }], ...question })).say
    const papers = { history: [{ user: 'Read the papers.' }] }
    const all = [
      said({}),
      said(papers),
      said({ ...papers, system: 'You count.' }),
      said({ system: 'You count.' }),
      said({ model: 'small' }),
      said({ headers: { 'x-script-child': 'x' } }),
      said({ headers: { 'x-script-child': 'y' } }),
    ]
    expect(await Promise.all(all)).toEqual([
      'I am main.',
      'I am task.',
      'I am both.',
      'I am main.',
      'I am named.',
      'I am tagged.',
      'I am main.',
    ])
  })

  it('fails as often as written, and then answers', async () => {
    const model = await start({ turns: [{ steps: [{ say: 'At last.', fail: { status: 529, times: 2 } }] }] })
    const asked = () => ask(model, client, stream, { history: [{ user: 'hi' }] })
    expect([(await asked()).status, (await asked()).status, (await asked()).say]).toEqual([529, 529, 'At last.'])
    expect(model.requests().map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'answered'])
    expect(model.faults()).toEqual([])
  })

  it('cuts the connection where it is written, before the answer or in its middle', async () => {
    for (const cut of ['start', 'middle'] as const) {
      const model = await start({ turns: [{ steps: [{ say: 'Never heard as a whole.', fail: { cut } }] }] })
      await expect(ask(model, client, stream, { history: [{ user: 'hi' }] })).rejects.toThrow()
      expect(model.requests()[0]?.outcome).toBe('failed')
    }
  })

  it('breaks an answer in each way that is written', async () => {
    const say = 'A sentence that is long enough to be broken in its middle.'
    for (const broken of ['error', 'garbage', 'short'] as const) {
      const model = await start({ turns: [{ steps: [{ say, fail: { stream: broken, message: 'overloaded' } }] }] })
      const asked = ask(model, client, stream, { history: [{ user: 'hi' }] })
      if (broken === 'error') expect((await asked).error).toBe('overloaded')
      else if (broken === 'short' && stream) {
        const { say: said, stop } = await asked
        expect(say.startsWith(said) && said !== say).toBe(true)
        expect(stop === undefined || stop === 'in_progress').toBe(true)
      } else await expect(asked).rejects.toThrow()
    }
  })

  it('notes that a client went before the end', async () => {
    const model = await start({ turns: [{ steps: [{ say: 'Too late.', delay_ms: 600_000 }] }] })
    const gone = new AbortController()
    const asked = ask(model, client, stream, { history: [{ user: 'hi' }], signal: gone.signal })
    while (model.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(model.requests()[0]?.outcome).toBe('open')
    gone.abort()
    await expect(asked).rejects.toThrow()
    while (model.requests()[0]?.outcome === 'open') await new Promise((resolve) => setTimeout(resolve, 5))
    expect(model.requests()[0]?.outcome).toBe('left')
  })

  it('records what was sent in one form for all protocols', async () => {
    const model = await start(keyScript)
    const one = await ask(model, client, stream, { system, tools, history: first })
    await ask(model, client, stream, { system, tools, history: then(first, one, ['blue cup', 'tea']) })
    const { body, toolsText, ...last } = model.requests()[1] as RecordedRequest
    const schema = { type: 'object', properties: {} }
    expect(last).toMatchObject({
      protocol: client.protocol,
      conversation: 'main',
      position: 1,
      model: 'some-model',
      system,
      stream,
      messages: [
        { role: 'user', text: 'Please: who has the KEY to the archive' },
        { role: 'assistant', text: 'I look through the notes.', calls: one.calls },
        { role: 'tool', id: one.calls[0]?.id, text: 'blue cup' },
        { role: 'tool', id: one.calls[1]?.id, text: 'tea' },
      ],
    })
    expect(last.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])).toEqual(
      tools.map((name) => [name, 'd', schema]),
    )
    expect(toolsText).toBe(JSON.stringify(body.tools))
    expect(last.tools.map(({ text }) => text)).toEqual(
      (body.tools as readonly object[]).map((tool) => JSON.stringify(tool)),
    )
  })
})

describe('many conversations at once', () => {
  it('do not disturb each other', async () => {
    const model = await start(keyScript)
    const one = async ({ client, stream }: (typeof ways)[number]) => {
      const begun = await ask(model, client, stream, { system, tools, history: first })
      const history = then(first, begun, ['blue cup', 'tea'])
      const ended = await ask(model, client, stream, { system, tools, history })
      return [begun.say, ended.say]
    }
    const all = await Promise.all([...ways, ...ways, ...ways].map(one))
    for (const said of all) expect(said).toEqual(['I look through the notes.', 'It is in the blue cup.'])
  })
})

describe('the server', () => {
  it('keeps the pace of a step, and stops in the middle of a stream when nobody listens', async () => {
    const model = await start({ turns: [{ steps: [{ say: 'One word after the other.', pace_ms: 600_000 }] }] })
    const gone = new AbortController()
    const body = JSON.stringify(messages.body({ history: [{ user: 'hi' }] }, true))
    const response = await post(model, messages.path, body, { signal: gone.signal })
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toMatch(/^event: message_start\n[^\n]*\n\n$/)
    gone.abort()
    while (model.requests()[0]?.outcome === 'open') await new Promise((resolve) => setTimeout(resolve, 5))
    expect(model.requests()[0]?.outcome).toBe('left')
  })

  it('keeps the bytes of the tools as they were sent', async () => {
    const model = await start({ turns: [{ steps: [{ say: 'Yes.' }] }] })
    const tool = '{ "name":"t",\n "input_schema" : {"b":1.0,"a":"\\u0041","type":"object"} , "description":"é" }'
    const body = `{"tools":[1], "max_tokens":1, "messages":[{"role":"user","content":"\\"tools\\":[]"}], "tools" : [ ${tool} ,${tool.replace('"t"', '"u"')}] }`
    const response = await post(model, messages.path, body)
    expect(response.status).toBe(200)
    const [request] = model.requests()
    expect(request?.toolsText).toBe(`[ ${tool} ,${tool.replace('"t"', '"u"')}]`)
    expect(request?.tools.map(({ text }) => text)).toEqual([tool, tool.replace('"t"', '"u"')])
  })

  it('lists one model, which is called script', async () => {
    const model = await start(keyScript)
    const list = await (await fetch(`${model.openaiUrl}/models`)).json()
    expect(list).toMatchObject({ object: 'list', data: [{ id: 'script', object: 'model', type: 'model' }] })
  })

  it('says at another address what it answers, in the form of who asks', async () => {
    const model = await start(keyScript)
    for (const path of ['/', '//', '/v1/embeddings', '/v1/messages']) {
      const response = await fetch(`${model.url}${path}`)
      expect(response.status).toBe(404)
      expect(JSON.parse(await response.text()).error.message).toContain('it answers POST /v1/chat/completions')
    }
    const asked = await fetch(`${model.url}/v1/complete`, { headers: { 'anthropic-version': '2023-06-01' } })
    expect(await asked.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
  })

  it.each(clients)('refuses what it cannot read in the form of $protocol', async ({ path, protocol }) => {
    const model = await start(keyScript)
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '7',
      '{}',
      '{"messages":[{"role":"robot"}],"max_tokens":1,"input":[7]}',
    ]) {
      const response = await post(model, path, body)
      expect(response.status).toBe(400)
      const { error, type } = JSON.parse(await response.text())
      expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.stringMatching(/./) })
      expect(type).toBe(protocol === 'anthropic-messages' ? 'error' : undefined)
    }
    expect(model.faults()).toHaveLength(7)
  })

  it('asks the Responses interface for the whole input, because it keeps nothing', async () => {
    const model = await start(keyScript)
    const response = await post(model, '/v1/responses', '{"input":"hi","previous_response_id":"resp_1"}')
    expect(JSON.parse(await response.text()).error.message).toContain('keeps no state')
  })

  it('sends arguments that are no JSON letter by letter', async () => {
    const model = await start({ turns: [{ steps: [{ call: [{ tool: 't', raw_args: '{"a": 1', as: 'mine' }] }] }] })
    for (const { client, stream } of ways) {
      const { calls } = await ask(model, client, stream, { history: [{ user: 'hi' }] })
      const isValue = client === messages && !stream
      expect(calls).toEqual([{ id: 'mine', tool: 't', args: isValue ? '"{\\"a\\": 1"' : '{"a": 1' }])
    }
  })

  it('ends what it still sends, and can be closed twice', async () => {
    const model = await start({ turns: [{ steps: [{ say: 'a b c', delay_ms: 600_000 }] }] })
    const asked = ask(model, messages, true, { history: [{ user: 'hi' }] })
    asked.catch(() => {})
    while (model.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await model.close()
    await model.close()
    await expect(asked).rejects.toThrow()
  })

  it('listens on loopback only', async () => {
    const model = await start(keyScript)
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect([model.openaiUrl, model.anthropicUrl]).toEqual([`${model.url}/v1`, model.url])
  })

  it('rejects a script that is none, and a port that is taken', async () => {
    await expect(startScriptedModel({ turns: [] })).rejects.toThrow('script-invalid: turns is an empty list')
    const model = await start(keyScript)
    const port = Number(new URL(model.url).port)
    await expect(startScriptedModel(keyScript, { port })).rejects.toThrow('EADDRINUSE')
  })
})
