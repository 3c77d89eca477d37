// What a person sees of a turn, event by event, on a terminal that keeps what it is given.

import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import { approvalLines, callLine, resultLine } from '../../src/cli/run/event-lines.ts'
import { eventView, jsonView } from '../../src/cli/run/event-view.ts'
import type { Json } from '../../src/core/json.ts'
import { widthOf } from '../../src/report/layout.ts'
import { type FakeTerminal, fakeTerminal } from './fake-terminal.ts'

const same = (text: string): string => text
const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

const call = (id: string, tool: string, args: Json = {}): AgentEvent => ({ type: 'call', id, tool, args })
const result = (id: string, tool: string, text: string, isError = false): AgentEvent => ({
  type: 'result',
  id,
  tool,
  isError,
  text,
})
const text = (words: string): AgentEvent => ({ type: 'text', text: words })
const inside = (id: string, agent: string, event: AgentEvent): AgentEvent => ({ type: 'child', id, agent, event })
const begin: AgentEvent = { type: 'turn', thread: 't-1', agent: 'clerk', tools: ['a', 'b'] }
const end: AgentEvent = { type: 'end', because: 'answered' }

function shown(events: readonly AgentEvent[], terminal: FakeTerminal = fakeTerminal()): string {
  const view = eventView(terminal)
  for (const event of events) view.show(event)
  view.settle()
  return terminal.printed()
}

describe('a turn for people [U1]', () => {
  it('is what the model says, a line for each call and one for what came of it', () => {
    const events: readonly AgentEvent[] = [
      begin,
      text('I look '),
      text('for it.\n'),
      call('1', 'tool_search', { query: 'search files', limit: 3 }),
      result('1', 'tool_search', 'Loaded these:\nfiles__find\nfiles__grep\n'),
      { type: 'promotion', tool: 'files__find', by: 'search' },
      text('Now I read.'),
      call('2', 'files__read', {}),
      result('2', 'files__read', 'no such file', true),
      { type: 'skill', skill: 'site-audit', by: 'read', on: true },
      { type: 'artifact', path: '/mnt/user-data/outputs/a.md', bytes: 12345 },
      end,
    ]
    expect(shown(events)).toBe(
      [
        'clerk  2 tools  thread t-1',
        '',
        'I look for it.',
        '→ tool_search(query: "search files", limit: 3)',
        '  ✓ Loaded these:  (3 lines)',
        '  + loaded files__find',
        '',
        'Now I read.',
        '→ files__read()',
        '  ✗ no such file',
        '  * skill site-audit in use',
        '  ⬇ /mnt/user-data/outputs/a.md  (12,345 bytes)',
      ].join('\n'),
    )
  })

  it('tells a refusal and a failure with their codes, and what to do', () => {
    const told = { id: '1', tool: 'drop', message: 'the rule denies it', action: 'ask for less' }
    expect(
      shown([
        call('1', 'drop'),
        { type: 'refusal', code: 'denied', ...told },
        call('2', 'drop'),
        { type: 'failure', code: 'upstream-died', ...told, id: '2' },
      ]).split('\n'),
    ).toEqual([
      '→ drop()',
      '  ✗ refused: denied  the rule denies it',
      '    do ask for less',
      '→ drop()',
      '  ✗ failed: upstream-died  the rule denies it',
      '    do ask for less',
    ])
  })

  it('says whose a result is where it does not stand below its call', () => {
    const events = [call('1', 'a'), call('2', 'b'), result('1', 'a', 'one'), result('2', 'b', 'two'), call('3', 'c')]
    expect(shown([...events, result('3', 'c', 'three')]).split('\n')).toEqual([
      '→ a()',
      '→ b()',
      '  ✓ a  one',
      '  ✓ b  two',
      '→ c()',
      '  ✓ three',
    ])
  })

  it('shows a question with its answers once, without the line that says that it was put', () => {
    const question = { question: 'How long?', context: 'It is a file.', options: ['one line', 'one page'] }
    expect(
      shown([call('1', 'ask'), result('1', 'ask', 'It is put.'), { type: 'clarification', id: '1', question }]),
    ).toBe('→ ask()\n\n? How long?\n  It is a file.\n   1  one line\n   2  one page')
  })

  it('shows a call that must be approved with all of its arguments', () => {
    const args = { path: 'a.md', edits: [{ old: 'x' }], content: 'one\ntwo' }
    expect(shown([{ type: 'approval', id: '1', tool: 'edit', approval: 'q', args }]).split('\n')).toEqual([
      '',
      '? edit must be approved',
      '  │ path: a.md',
      '  │ edits:',
      '  │   [',
      '  │     {',
      '  │       "old": "x"',
      '  │     }',
      '  │   ]',
      '  │ content:',
      '  │   one',
      '  │   two',
    ])
  })

  it.each<[AgentEvent & { type: 'end' }, string]>([
    [{ type: 'end', because: 'failed', message: 'no key\nfor it' }, '✗ failed: no key\n  for it'],
    [{ type: 'end', because: 'limit' }, '✗ stopped: it took more steps than a turn may'],
    [{ type: 'end', because: 'cancelled' }, '✗ stopped: it was called off'],
    [{ type: 'end', because: 'waiting' }, ''],
  ])('tells an end that is none of those meant: %j', (event, line) => {
    expect(shown([event])).toBe(line)
  })

  it('puts what a helper does behind its name, and tells two of one name apart', () => {
    const events = [
      call('1', 'task'),
      call('2', 'task'),
      inside('1', 'reader', text('The first ')),
      inside('2', 'reader', text('The second is done.')),
      inside('1', 'reader', text('is done.\nAll of it.')),
      inside('1', 'reader', call('x', 'read', { path: 'a' })),
      inside('1', 'reader', result('x', 'read', 'nine')),
      inside('2', 'reader', end),
      inside('1', 'reader', { type: 'end', because: 'failed', message: 'no' }),
      result('1', 'task', 'done'),
    ]
    expect(shown(events).split('\n')).toEqual([
      '→ task()',
      '→ task()',
      'reader│ The first is done.',
      'reader│ All of it.',
      'reader│ → read(path: "a")',
      'reader│   ✓ nine',
      'reader 2│ The second is done.',
      'reader│ ✗ failed: no',
      '  ✓ task  done',
    ])
  })

  it('hands on the words of the model as they come', () => {
    const pieces: string[] = []
    const terminal = { ...fakeTerminal(), write: (piece: string) => void pieces.push(piece) }
    const view = eventView(terminal)
    const seen: number[] = []
    for (const word of ['It ', 'is ', 'there.']) {
      view.show(text(word))
      seen.push(pieces.length)
    }
    expect(pieces.join('')).toBe('It is there.')
    expect(seen).toEqual([1, 2, 3])
    view.settle()
    expect(pieces.join('')).toBe('It is there.\n')
  })
})

describe('text of strangers on a terminal', () => {
  const hostile = 'red\u001b[31m\u0007\u202eend\u009b2J\r\u2028x'
  const question = { question: hostile, context: hostile, options: [hostile] }
  const args = { [hostile]: hostile, deep: { [hostile]: [hostile] } }
  const told = { id: 'q', tool: hostile, code: hostile, message: hostile, action: hostile }

  it.each<[string, AgentEvent]>([
    ['text', text(hostile)],
    ['a call', call('q', hostile, args)],
    ['a result', result('q', hostile, hostile)],
    ['a refusal', { type: 'refusal', ...told }],
    ['a failure', { type: 'failure', ...told }],
    ['a promotion', { type: 'promotion', tool: hostile, by: 'search' }],
    ['a skill', { type: 'skill', skill: hostile, by: 'read', on: false }],
    ['a file', { type: 'artifact', path: hostile }],
    ['a question', { type: 'clarification', id: 'q', question }],
    ['an approval', { type: 'approval', id: 'q', tool: hostile, approval: hostile, args }],
    ['an end', { type: 'end', because: 'failed', message: hostile }],
    ['a turn', { type: 'turn', agent: hostile, thread: hostile, tools: [] }],
    ['a helper', inside('q', hostile, call('x', hostile, args))],
  ])('commands nothing as %s', (_what, event) => {
    const printed = shown([event, inside('c', hostile, event)])
    expect(printed).toContain('red')
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  it('commands nothing in pieces', () => {
    const printed = shown([...hostile].map((char) => text(char)))
    expect(printed).toContain('red\\u001b[31m')
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  it('keeps a character whole that came in halves', () => {
    expect(shown([text('a\ud83d'), text('\ude00b')])).toBe('a😀b')
  })
})

describe('a line for each width', () => {
  const long = { path: 'a/long/path/to/some/file.txt', pattern: '**/*.txt', words: ['one', 'two', 'three'], count: 3 }

  it.each([40, 60, 80, 100, 200])('of %d columns', (width) => {
    const style = { paint, width }
    for (const args of [long, { query: '语'.repeat(200) }, { a: 'x'.repeat(500), b: 1 }, 'words', null, []])
      expect(widthOf(callLine({ tool: 'files__search_files', args }, style))).toBeLessThanOrEqual(width)
    for (const said of ['x'.repeat(500), '语'.repeat(200), `one\n${'two\n'.repeat(999)}`])
      expect(
        widthOf(resultLine({ type: 'result', id: '', tool: 'some', isError: false, text: said }, 'some', style)),
      ).toBeLessThanOrEqual(width)
  })

  it('shows what is cut as cut', () => {
    expect(callLine({ tool: 'find', args: long }, { paint, width: 60 })).toBe(
      '→ find(path: "a/long/path/to/some/file.txt", …)',
    )
    expect(callLine({ tool: 'find', args: { query: 'x'.repeat(90) } }, { paint, width: 40 })).toBe(
      `→ find(query: "${'x'.repeat(22)}…")`,
    )
  })

  it('says how much of a long call is not shown to whoever approves it', () => {
    const lines = approvalLines({ tool: 'write', args: { content: 'line\n'.repeat(500) } }, { paint, width: 80 })
    expect(lines).toHaveLength(122)
    expect(lines.at(-1)).toBe('  … and 381 lines more; `toolgate threads ID --json` has them')
  })
})

describe('a turn for programs', () => {
  it('is one object a line, with its schema', () => {
    const terminal = fakeTerminal()
    const view = jsonView(terminal)
    const events = [begin, text('a\nb'), inside('1', 'reader', call('2', 'read', {})), end]
    for (const event of events) view.show(event)
    const lines = terminal.printed().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      events.map((event) => ({ schema: 'toolgate.event/1', ...event })),
    )
    expect(lines[0]).toMatch(/^\{"schema":"toolgate\.event\/1","type":"turn"/)
  })
})
