// The checks of an adapter: a script for the model, and what must be true of it when it was played.

import type { Decision } from '../core/decision.ts'
import type { CallOutcome } from '../runtime/tool-call.ts'
import { type AdapterWorld, picture } from './adapter-world.ts'
import { must, same } from './conformance-checks.ts'
import type { RecordedMessage, RecordedRequest, Script, ScriptCall, ScriptStep } from './scripted-model/index.ts'

interface AdapterScene {
  readonly title: string
  readonly script: Script
  /** Whether the model takes pictures. Absent: it does. */
  readonly canSee?: boolean
  readonly holds: (world: AdapterWorld) => Promise<void>
}

const user = 'Where is the key?'
const turn = (...steps: readonly ScriptStep[]): Script => ({ turns: [{ user, steps }] })
const done: ScriptStep = { say: 'That is all.' }
const search: ScriptCall = { tool: 'tool_search', args: { query: 'select:notes__archive' } }
const word = (text: string) => ({ word: text })

export const adapterChecks: readonly AdapterScene[] = [
  {
    title: 'gives the model what the thread has, request by request, and a promotion opens its tool in the next',
    script: turn({ call: [search] }, { call: [{ tool: 'notes__archive', args: word('key') }] }, done),
    holds: async ({ turn, requests, visible, reached }) => {
      const before = await visible()
      same((await turn(user)).waitsFor, [], 'what the turn waits for')
      const after = await visible()
      must(after.length === before.length + 1, 'the thread has not loaded what was searched for')
      const [first, ...later] = requests()
      sendsExactly(first, before)
      for (const request of later) sendsExactly(request, after)
      same(reached(), [{ tool: 'archive', args: word('key') }], 'what reached the server')
      includes(resultOf(requests()[2]), 'the blue cup')
    },
  },
  {
    title: 'begins the turn with the words of the person, which load what they route to',
    script: { turns: [{ user: 'the ledger of June', steps: [done] }] },
    holds: async ({ turn, requests, visible }) => {
      await turn('Bring me the ledger of June')
      const has = await visible()
      must(
        has.some(({ name }) => name === 'notes__count'),
        'the words were not looked at',
      )
      sendsExactly(requests()[0], has)
    },
  },
  {
    title: 'refuses a denied, a deferred and an unknown tool with our code and action, and none is reached',
    script: turn({ call: strangers().map((tool) => ({ tool, args: word('key') })) }, done),
    holds: async ({ turn, requests, reached, call }) => {
      same((await turn(user)).waitsFor, [], 'what the turn waits for')
      const results = resultsIn(requests()[1])
      for (const [place, name] of strangers().entries())
        refuses(results[place], await call({ name, args: word('key') }))
      same(reached(), [], 'what reached the server')
    },
  },
  {
    title: 'gives calls of one message their own results in the next request, errors of a tool among them',
    script: turn(
      {
        say: 'I look.',
        call: [
          { tool: 'notes__find', args: word('red') },
          { tool: 'notes__fail', args: word('key') },
          { tool: 'notes__find', args: word('blue') },
          { tool: 'notes__find', args: { word: 7 } },
        ],
      },
      done,
    ),
    holds: async ({ turn, requests, reached }) => {
      await turn(user)
      same(requests().length, 2, 'requests of the model')
      const [red, stuck, blue, misfit] = resultsIn(requests()[1]).map(({ text }) => text)
      includes(red ?? '', '"word":"red"')
      includes(stuck ?? '', 'the drawer is stuck')
      includes(blue ?? '', '"word":"blue"')
      includes(misfit ?? '', 'arguments-invalid')
      must(
        !reached().some(({ args }) => JSON.stringify(args) === '{"word":7}'),
        'arguments that do not fit reached a tool',
      )
    },
  },
  {
    title: 'answers a call whose arguments cannot be read, and the turn goes on',
    script: turn(
      {
        call: [
          { tool: 'notes__find', raw_args: '{"word": "key' },
          { tool: 'notes__find', args: word('key') },
        ],
      },
      done,
    ),
    holds: async ({ turn, requests, reached }) => {
      same((await turn(user)).waitsFor, [], 'what the turn waits for')
      const [unread, read] = resultsIn(requests()[1]).map(({ text }) => text)
      includes(unread ?? '', 'arguments-invalid')
      includes(read ?? '', '"word":"key"')
      same(reached().length, 1, 'calls that reached the server')
    },
  },
  {
    title: 'ends the turn with a question, and answers the calls beside it',
    script: {
      turns: [
        {
          user,
          steps: [
            {
              call: [
                { tool: 'ask_clarification', args: { question: 'Which key?' } },
                { tool: 'notes__find', args: word('key') },
              ],
            },
          ],
        },
        { user: 'the car key', steps: [done] },
      ],
    },
    holds: async ({ turn, requests }) => {
      same((await turn(user)).waitsFor, ['clarification'], 'what the turn waits for')
      same(requests().length, 1, 'requests of the model before the answer')
      same((await turn('the car key')).waitsFor, [], 'what the turn waits for after the answer')
      // That each of the calls has its answer, the model itself looks after.
      const beside = requests()[1]?.messages.find(
        (message) => message.role === 'tool' && message.text.includes('"word":"key"'),
      )
      must(beside !== undefined, 'the call beside the question has no result')
    },
  },
  {
    title: 'ends the turn with a call that a person must approve first',
    script: turn({ call: [{ tool: 'notes__send', args: word('key') }] }),
    holds: async ({ turn, requests, reached }) => {
      same((await turn(user)).waitsFor, ['approval'], 'what the turn waits for')
      same(requests().length, 1, 'requests of the model')
      same(reached(), [], 'what reached the server')
    },
  },
  ...[true, false].map(
    (canSee): AdapterScene => ({
      title: canSee ? 'shows pictures to a model that sees' : 'shows no picture to a model that does not see',
      canSee,
      script: turn({ call: [{ tool: 'notes__look', args: word('key') }] }, done),
      holds: async ({ turn, requests, reached }) => {
        await turn(user)
        same(reached().length, 1, 'calls that reached the server')
        const sent = JSON.stringify(requests()[1]?.body ?? null).includes(picture)
        must(sent === canSee, sent ? 'the picture was sent' : 'the picture was not sent')
      },
    }),
  ),
  {
    title: 'gives the model a tool that joins in the middle of a turn, no more one that left, and the prompt to it',
    script: turn(
      { call: [{ tool: 'notes__grow', args: word('key') }] },
      {
        call: [
          { tool: 'notes__grown', args: word('key') },
          { tool: 'notes__find', args: word('key') },
        ],
      },
      done,
    ),
    holds: async ({ turn, requests, visible, reached, call }) => {
      await turn(user)
      const has = await visible()
      must(
        has.some(({ name }) => name === 'notes__grown'),
        'the server has no new tool',
      )
      const [first, ...later] = requests()
      includes(first?.system ?? '', 'notes__archive')
      for (const request of later) {
        sendsExactly(request, has)
        must(!request.system.includes('notes__archive'), 'the prompt still names a tool that has left')
      }
      same(
        reached().map(({ tool }) => tool),
        ['grow', 'grown'],
        'what reached the server',
      )
      refuses(resultsIn(later[1])[1], await call({ name: 'notes__find', args: word('key') }))
    },
  },
]

/** Denied, deferred, misspelled, and what an object of the language has without being given it. */
function strangers(): readonly string[] {
  return ['notes__drop', 'notes__archive', 'notes__fimd', 'constructor', '__proto__', 'toString']
}

/** Names in order, and of each the words and the bytes of its schema. */
function sendsExactly(request: RecordedRequest | undefined, has: readonly Decision[]): void {
  if (request === undefined) throw new Error('the model was not asked')
  same(
    request.tools.map(({ name }) => name),
    has.map(({ name }) => name),
    'the tools of a request',
  )
  for (const [place, { name, definition }] of has.entries()) {
    const sent = request.tools[place]
    must(sent?.description === definition.description, `"${name}" is described in other words: ${sent?.description}`)
    const [found, wanted] = [JSON.stringify(sent?.inputSchema), JSON.stringify(definition.inputSchema)]
    must(found === wanted, `the schema of "${name}" is another: ${found} instead of ${wanted}`)
  }
}

type Result = Extract<RecordedMessage, { readonly role: 'tool' }>

/** What came since the model's last message, in the order of its calls. */
function resultsIn(request: RecordedRequest | undefined): readonly Result[] {
  const messages = request?.messages ?? []
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const asked = messages[last]
  const results = messages.slice(last + 1).filter((message) => message.role === 'tool')
  const calls = asked?.role === 'assistant' ? asked.calls : []
  return calls.flatMap(({ id }) => results.filter((result) => result.id === id))
}

const resultOf = (request: RecordedRequest | undefined): string => resultsIn(request)[0]?.text ?? ''

/** The words of the refusal that the same call gets past the adapter. */
function refuses(result: Result | undefined, wanted: CallOutcome): void {
  if (wanted.kind !== 'refused') throw new Error('a call that should be refused is not')
  includes(result?.text ?? '', wanted.code)
  includes(result?.text ?? '', wanted.action)
}

function includes(text: string, part: string): void {
  must(text.includes(part), `${JSON.stringify(part)} is not in ${JSON.stringify(text.slice(0, 400))}`)
}
