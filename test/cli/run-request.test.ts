import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/commands/run.ts'
import { parseFlags } from '../../src/cli/flags.ts'
import { runAgain } from '../../src/cli/run/command-line.ts'
import { runRequest } from '../../src/cli/run/run-request.ts'

const flagsOf = (...words: readonly string[]) => parseFlags(words, run.flags)

describe('what `toolgate run` is asked to do', () => {
  it.each([
    [['--resume'], undefined, /--resume needs --thread/],
    [['--approve', 'once'], undefined, /--approve needs --thread/],
    [['--approve', 'yes', '--thread', 't'], undefined, /--approve takes once, always or deny, not "yes"/],
    [['--resume', '--thread', 't'], 'Go on', /--resume goes on without words/],
    [['--yes', '--unattended'], 'Go on', /--yes has no effect with --unattended/],
    [['--thread', '../etc'], 'Go on', /the thread id "\.\.\/etc" cannot be used/],
    [['--user', 'a b'], 'Go on', /the user id "a b" cannot be used/],
    [[], '  ', /the words are empty/],
  ] as const)('is refused for %j %j', async (words, prompt, fault) => {
    await expect(runRequest(flagsOf(...words), prompt)).rejects.toThrow(fault)
  })

  it('begins a thread of its own each time, unless one is named', async () => {
    const threads = await Promise.all([1, 2].map(async () => (await runRequest(flagsOf(), 'Go')).owner.thread))
    expect(new Set(threads).size).toBe(2)
    for (const thread of threads) expect(thread).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(await runRequest(flagsOf('--thread', 't', '--user', 'ann'), 'Go')).toEqual({
      owner: { user: 'ann', thread: 't' },
      words: 'Go',
      resumes: false,
    })
  })

  it('goes on with a turn when it answers what the turn waits for', async () => {
    expect(await runRequest(flagsOf('--thread', 't', '--approve', 'deny'), undefined)).toMatchObject({
      resumes: true,
      approve: 'deny',
    })
  })
})

describe('the command line that goes on', () => {
  it('says again what decides which agent it is, quoted for a shell', () => {
    const flags = flagsOf(
      ...[
        '--config',
        "it's/here.yaml",
        '--agent',
        'clerk',
        '--deny-tool',
        'files/*',
        '--deny-tool',
        'bash',
        '--no-mcp',
      ],
      ...['--user', 'ann', '--log', 'x.jsonl', '--refresh', '--yes', '--json'],
    )
    expect(runAgain(flags, 't-1')).toBe(
      `toolgate run --config 'it'\\''s/here.yaml' --agent clerk --no-mcp --deny-tool 'files/*' --deny-tool bash --user ann --thread t-1`,
    )
  })
})
