// `toolgate call` as people use it: what it prints, what it refuses and why, and what is left when it is broken off.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { ensureBuilt, mainFile } from './built.ts'
import { isRunning } from './processes.ts'
import { documentOf, listed, type Project, project, scripted } from './project.ts'

type CallDocument = CallOutcome & { readonly schema: string; readonly name: string }

const args = (value: object): readonly string[] => ['--args', JSON.stringify(value)]
const textsOf = (outcome: CallOutcome): unknown[] =>
  outcome.kind === 'result' ? outcome.content.map(({ text }) => text) : []

const bookSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, count: { type: 'number' } },
  required: ['text'],
}
const escapes = 'red\u001b[31m\r\n\u202eend\u0007'

const shelfPlan: ServerPlan = {
  pages: [
    {
      tools: [
        listed('find', { inputSchema: bookSchema }),
        ...['burn', 'lend', 'paint', 'fall', 'shrug', 'walk'].map((name) => listed(name)),
      ],
    },
  ],
  calls: {
    find: { text: 'found' },
    paint: { text: escapes },
    fall: { result: { isError: true, content: [{ type: 'text', text: 'no ladder' }] } },
    shrug: { error: { code: -32000, message: 'not today' } },
    walk: { progress: { everyMs: 60, times: 5, total: 5 }, text: 'there' },
  },
}

const shelf = (more = ''): Project =>
  project({
    'toolgate.yaml': `version: 1
mcp_servers:
  shelf: ${scripted(shelfPlan)}
permissions:
  deny: [shelf/burn, "shelf/find(text:secret*)"]
  ask: [shelf/lend]
${more}`,
  })

const home = shelf()

describe('toolgate call [U1]', () => {
  it('prints what a tool of a server says, and nothing else', async () => {
    expect(await home.run(['call', 'shelf__find', ...args({ text: 'ink' })])).toEqual({
      code: 0,
      stdout: 'found\n',
      stderr: '',
    })
  })

  it('prints one document with --json', async () => {
    const ran = await home.run(['call', 'shelf__find', ...args({ text: 'ink' }), '--json'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(documentOf(ran)).toEqual({
      schema: 'toolgate.call/1',
      name: 'shelf__find',
      kind: 'result',
      content: [{ type: 'text', text: 'found' }],
      isError: false,
    })
  })

  it('takes the arguments from a file too', async () => {
    home.write('call.json', '{"text": "ink"}')
    expect(await home.run(['call', 'shelf__find', '--args-file', 'call.json'])).toMatchObject({ code: 0 })
  })

  it('tells what the tool itself calls a failure apart from a result', async () => {
    expect(await home.run(['call', 'shelf__fall'])).toEqual({
      code: 1,
      stdout: 'no ladder\n',
      stderr: 'shelf__fall says that it failed:\n',
    })
    expect(documentOf(await home.run(['call', 'shelf__fall', '--json']))).toMatchObject({
      kind: 'result',
      isError: true,
    })
  })

  it('tells an error of the server, and that the tool may have done its work', async () => {
    const { code, stdout, stderr } = await home.run(['call', 'shelf__shrug'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error upstream-error {2}.*not today/)
    expect(stderr).toContain('The call was sent: it may have done its work all the same.')
  })

  it('gives text in a pipe as the tool gave it', async () => {
    const { stdout } = await home.run(['call', 'shelf__paint'])
    expect(stdout).toBe(`${escapes}\n`)
  })
})

describe('a call that is refused', () => {
  it('names the reason of `why`, its place and what to do', async () => {
    const { decisions } = await home.why('shelf__burn')
    const { code, stdout, stderr } = await home.run(['call', 'shelf__burn'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      [
        `error ${decisions[0]?.code}  "shelf__burn" is not on this run: ${decisions[0]?.why}`,
        `  at toolgate.yaml:${home.lineOf('toolgate.yaml', 'deny:')} permissions.deny[0]`,
        `  do ${decisions[0]?.change.sentences[0]}`,
        '',
      ].join('\n'),
    )
  })

  it('holds for every policy flag, as everywhere', async () => {
    const { code, stderr } = await home.run([
      'call',
      'shelf__find',
      ...args({ text: 'ink' }),
      '--deny-tool',
      'shelf/find',
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error denied {2}.*the rule "shelf\/find" of scope "command line"/)
  })

  it('is one by its arguments, where a rule speaks of them', async () => {
    const { code, stderr } = await home.run(['call', 'shelf__find', ...args({ text: 'secret plan' })])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error call-denied {2}.*the rule "shelf\/find\(text:secret\*\)" denies it$/m)
    expect(stderr).toMatch(/^ {2}at toolgate\.yaml:\d+ permissions\.deny\[1\]$/m)
    const refused = await home.run(['call', 'shelf__find', ...args({ text: 'secret plan' }), '--json', '--yes'])
    expect(documentOf(refused)).toMatchObject({ schema: 'toolgate.call/1', kind: 'refused', code: 'call-denied' })
  })

  it('has exit code 5 for a name that is not known, and offers the nearest', async () => {
    const { code, stderr } = await home.run(['call', 'shelf__fnid'])
    expect(code).toBe(5)
    expect(stderr).toMatch(/there is no tool "shelf__fnid"\n.*did you mean "shelf__find"/)
    const ran = await home.run(['call', 'shelf__fnid', '--json'])
    expect([ran.code, documentOf<CallDocument>(ran)]).toMatchObject([5, { kind: 'refused', code: 'unknown-tool' }])
  })

  it('names the servers of which no tools are known', async () => {
    const down = project({ 'toolgate.yaml': 'version: 1\nmcp_servers: { gone: { command: no-such-program } }\n' })
    const { code, stderr } = await down.run(['call', 'gone__find'])
    expect(code).toBe(5)
    expect(stderr).toContain('Of these servers no tools are known: gone (failed-to-start); see `toolgate servers`.')
  })

  it.each<[string, object, RegExp]>([
    ['of the wrong type', { text: 'ink', count: 'three' }, /argument "count".*number/],
    ['that is missing', {}, /argument "text" is missing/],
  ])('names an argument %s', async (_case, value, fault) => {
    const { code, stdout, stderr } = await home.run(['call', 'shelf__find', ...args(value)])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error arguments-invalid {2}"shelf__find": /)
    expect(stderr).toMatch(fault)
  })

  it.each<[string, readonly string[], RegExp]>([
    ['no JSON', ['--args', '{text'], /--args is no JSON: .*\n.*\n {2}do put it in single quotes/],
    ['no object', ['--args', '["ink"]'], /--args is no JSON object/],
    ['given twice', ['--args', '{}', '--args-file', 'x'], /--args and --args-file say the same/],
    ['in a file that is not there', ['--args-file', 'nowhere.json'], /--args-file cannot be read: ENOENT/],
    ['of a thread that cannot be one', ['--thread', '../../etc'], /the thread id "\.\.\/\.\.\/etc" cannot be used/],
    ['of a user who cannot be one', ['--user', 'a b'], /the user id "a b" cannot be used/],
    ['of an inventory', ['--snapshot', 'x.json'], /an inventory has nothing to call/],
  ])('has exit code 2 for arguments that are %s', async (_case, words, fault) => {
    const { code, stderr } = await home.run(['call', 'shelf__find', ...words])
    expect(code).toBe(2)
    expect(stderr).toMatch(fault)
  })

  it('is one that a rule asks for, where nobody is there; --yes approves it', async () => {
    const alone = await home.run(['call', 'shelf__lend'])
    expect([alone.code, alone.stdout]).toEqual([1, ''])
    expect(alone.stderr).toMatch(
      /^error approval-needed {2}.*\n {2}do have a person approve it; `toolgate call` does with --yes$/m,
    )
    expect(await home.run(['call', 'shelf__lend', '--yes'])).toMatchObject({ code: 0, stdout: 'ok\n' })
  })
})

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** `script` gives a program a terminal; of its two forms this is that of util-linux. */
const hasTerminal = existsSync('/usr/bin/script') && process.platform === 'linux'

/** Runs `toolgate` on a terminal of 100 columns; `keys` are typed when it asks. */
async function onTerminal(
  inside: Project,
  words: readonly string[],
  keys = '',
): Promise<{ readonly code: number; readonly shown: string }> {
  ensureBuilt()
  const quoted = [process.execPath, mainFile, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('/usr/bin/script', ['-qec', `stty cols 100; exec ${quoted}`, '/dev/null'], {
    cwd: inside.folder,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  let shown = ''
  let isTyped = keys === ''
  child.stdout.on('data', (part: Buffer) => {
    shown += part.toString('utf8')
    if (isTyped || !shown.includes('Run it?')) return
    isTyped = true
    child.stdin.write(keys)
  })
  const [code] = await once(child, 'close')
  return { code: Number(code), shown }
}

describe('progress', () => {
  it('is not told where nobody looks', async () => {
    expect(await home.run(['call', 'shelf__walk'])).toEqual({ code: 0, stdout: 'there\n', stderr: '' })
  })

  describe.runIf(hasTerminal)('and all else on a terminal', () => {
    it('is told there, and removed', async () => {
      const { code, shown } = await onTerminal(home, ['call', 'shelf__walk'])
      expect(code).toBe(0)
      expect(shown).toContain('shelf__walk: 3 of 5')
      expect(shown).toContain('\r\u001b[2Kthere\r\n')
      expect((await onTerminal(home, ['call', 'shelf__walk', '--quiet'])).shown).not.toContain('3 of 5')
    })

    it('never lets a tool command the terminal', async () => {
      const { code, shown } = await onTerminal(home, ['call', 'shelf__paint', '--quiet'])
      expect(code).toBe(0)
      expect(shown).toContain('red\\u001b[31m\r\n\\u202eend\\u0007\r\n')
      expect(shown).not.toContain('\u001b[31m')
      expect(shown).not.toContain('\u0007')
    })

    it.each([
      ['y\r', 0, /Run it\? \[y\/N\][\s\S]*ok\r\n/],
      ['n\r', 1, /call-denied {2}this call of "shelf__lend" was not approved\r\n$/],
      ['\r', 1, /was not approved/],
      ['\u0004', 1, /was not approved/],
      ['\u0003', 1, /call-cancelled {2}the call of "shelf__lend" was called off before it was sent/],
    ])('asks the person there: %j gives %d', async (keys, code, answer) => {
      const asked = await onTerminal(home, ['call', 'shelf__lend', ...args({ text: 'x' })], keys)
      expect(asked.shown).toContain('This call must be approved: shelf__lend {"text":"x"}')
      expect(asked.shown).toMatch(answer)
      expect(asked.code).toBe(code)
    })

    it('asks nobody with --unattended', async () => {
      const { code, shown } = await onTerminal(home, ['call', 'shelf__lend', '--unattended'])
      expect(code).toBe(1)
      expect(shown).not.toContain('Run it?')
    })
  })
})

describe('a tool of this program works on the files of the thread [W1]', () => {
  const files = project({
    'toolgate.yaml': `version: 1
tools:
  - { name: write_file, use: "toolgate/tools:writeFile" }
  - { name: read_file, use: "toolgate/tools:readFile" }
`,
  })
  const path = '/mnt/user-data/workspace/notes.md'
  const reading = ['call', 'read_file', ...args({ path })]

  it('for the same user and thread, over processes', async () => {
    const writing = ['call', 'write_file', ...args({ path, content: 'tea at four' })]
    expect(await files.run([...writing, '--user', 'ann', '--thread', 't1'])).toMatchObject({ code: 0 })
    expect(await files.run([...reading, '--user', 'ann', '--thread', 't1'])).toMatchObject({
      code: 0,
      stdout: 'tea at four\n',
    })
  })

  it.each([
    ['another thread', ['--user', 'ann', '--thread', 't2']],
    ['another user', ['--user', 'bob', '--thread', 't1']],
    ['an id in other letters', ['--user', 'Ann', '--thread', 't1']],
    ['nobody named', []],
  ])('and not for %s', async (_case, words) => {
    const { code, stdout, stderr } = await files.run([...reading, ...words])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error path-not-found {2}\/mnt\/user-data\/workspace\/notes\.md is not there/)
  })
})

describe('which servers a call starts [M1, S9]', () => {
  it('only the one that is called, once their listings are stored', async () => {
    const lab = project()
    const plan = (name: string): ServerPlan => ({
      marker: lab.path(`${name}.started`),
      pages: [{ tools: [listed('go')] }],
      calls: { go: { tell: true } },
    })
    const names = ['one', 'two', 'three']
    const servers = names.map((name) => `  ${name}: ${scripted(plan(name))}`)
    lab.write('toolgate.yaml', `version: 1\nmcp_servers:\n${servers.join('\n')}\n`)
    await lab.tools()
    const starts = () => names.map((name) => lab.read(`${name}.started`).trim().split('\n').length)
    expect(starts()).toEqual([1, 1, 1])

    const outcome = await lab.json<CallDocument>(['call', 'two__go'])
    expect(starts()).toEqual([1, 2, 1])
    const told = JSON.parse(String(textsOf(outcome)[0])) as { readonly cwd: string; readonly pid: number }
    expect(told.cwd).toBe('/mnt/user-data/servers/two')
    expect(isRunning(String(told.pid))).toBe(false)
  })
})

describe('a server that fails in a call', () => {
  it.each<[string, ServerPlan['calls'], RegExp]>([
    ['dies', { go: { die: { code: 3 } } }, /^error upstream-died {2}/],
    ['is too slow', { go: { hang: true } }, /^error call-timed-out {2}/],
  ])('that %s is told, with what to do', async (_case, calls, line) => {
    const lab = project()
    const plan: ServerPlan = { pages: [{ tools: [listed('go')] }], ...(calls === undefined ? {} : { calls }) }
    lab.write('toolgate.yaml', `version: 1\nmcp_servers:\n  frail: ${scripted(plan, 'timeouts: { call_ms: 600 }')}\n`)
    const { code, stdout, stderr } = await lab.run(['call', 'frail__go'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(line)
    expect(stderr).toContain('\n  do ')
  })
})
