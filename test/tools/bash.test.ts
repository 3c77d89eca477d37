import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { bash } from '../../src/tools/index.ts'
import type { ToolCallContext } from '../../src/tools/tool.ts'
import { bashText } from '../../src/workspace/sandbox/bash-tool.ts'
import type { Shell, ShellEnd, ShellRequest, ShellResult } from '../../src/workspace/sandbox/shell.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { owner, project } from '../runtime/a-project.ts'
import { isSkipped } from '../workspace/sandbox-world.ts'

const whole = (first: string, end: ShellEnd = { kind: 'exited', code: 0 }): ShellResult => ({
  output: { first, last: '', leftOutBytes: 0 },
  end,
})
const limits = { outputBytes: 16_777_216, memoryBytes: 2_147_483_648, processes: 256, fileBytes: 1_572_864 }
const bounds = { seconds: 2, limits: { ...limits, diskReserveBytes: 536_870_912 } }

/** A shell that answers the same to everything, and what it was asked. */
function answering(result: ShellResult): { readonly shell: Shell; readonly asked: ShellRequest[] } {
  const asked: ShellRequest[] = []
  const run = async (request: ShellRequest): Promise<ShellResult> => {
    asked.push(request)
    return result
  }
  return { shell: { limits, run }, asked }
}

const called = (args: JsonObject, context: ToolCallContext) => Promise.resolve(bash.execute?.(args, context))

describe('what bash answers', () => {
  it.each<[string, ShellResult, string]>([
    ['output with its end of line', whole('a\nb\n'), 'a\nb\n[exit code 0]'],
    ['output without one', whole('a'), 'a\n[exit code 0]'],
    ['no output', whole(''), '[no output, exit code 0]'],
    ['a failure', whole('no\n', { kind: 'exited', code: 3 }), 'no\n[exit code 3]'],
    [
      'no such program',
      whole('', { kind: 'exited', code: 127 }),
      '[no output, exit code 127: there is no such program]',
    ],
    [
      'a file that grew too big',
      whole('', { kind: 'exited', code: 153 }),
      '[no output, exit code 153: a file reached the limit of 1.5 MiB]',
    ],
    [
      'output that says how it ended itself',
      whole('[exit code 0]', { kind: 'exited', code: 1 }),
      '[exit code 0]\n[exit code 1]',
    ],
  ])('tells %s', (_what, result, text) => {
    expect(bashText(result, bounds)).toBe(text)
  })

  it('shows where output was left out, and how much', () => {
    const output = { first: 'first\n', last: 'last\n', leftOutBytes: 12_345 }
    expect(bashText({ output, end: { kind: 'exited', code: 0 } }, bounds)).toBe(
      'first\n[12345 bytes of output left out here; write it to a file, and read that in parts]\nlast\n[exit code 0]',
    )
  })

  it.each([
    ['time', /^\[timed out after 2 seconds, and was ended .* longer timeout_s/],
    ['output', /^\[ended at the limit of 16 MiB of output; write it to a file/],
    ['memory', /^\[ended at the limit of 2 GiB of memory/],
    ['processes', /^\[ended at the limit of 256 processes/],
    ['disk', /^\[ended because the disk has less than 512 MiB left/],
  ] as const)('names the limit that ended the command, and what to do: %s', async (limit, words) => {
    const result = whole('', { kind: 'ended', limit })
    expect(bashText(result, bounds)).toMatch(words)
    expect(await called({ command: 'x' }, { shell: answering(result).shell })).toMatchObject({ isError: true })
  })

  it('is no error of the tool when the command failed by itself', async () => {
    const { shell } = answering(whole('', { kind: 'exited', code: 1 }))
    expect(await called({ command: 'false' }, { shell })).toMatchObject({ isError: false })
  })

  it('shows folders of the thread by their virtual names, and no other thread', async () => {
    const { folder, open, write } = project()
    write({})
    await (await open()).callsOf(owner)
    const threads = join(folder, '.toolgate/threads')
    const userData = join(threads, 'ada/t1/user-data')
    const roots = [{ virtual: '/mnt/user-data/workspace', host: join(userData, 'workspace'), writable: true }]
    const workspace = { userData, cwd: join(userData, 'workspace'), roots } as unknown as Workspace
    const { shell } = answering(whole(`${userData}/workspace/a ${threads}/bob/t9/user-data/workspace/b`))
    expect(await called({ command: 'x' }, { shell, workspace })).toMatchObject({
      content: [{ text: '/mnt/user-data/workspace/a [path outside the workspace]\n[exit code 0]' }],
    })
  })
})

describe('what bash asks of a shell', () => {
  it.each([
    [{}, 120_000],
    [{ timeout_s: 5 }, 5000],
    [{ timeout_s: 99_999 }, 600_000],
  ])('has a limit of time whatever the arguments say: %j', async (more, timeoutMs) => {
    const { shell, asked } = answering(whole(''))
    await called({ command: 'x', ...more }, { shell })
    expect(asked).toEqual([{ command: 'x', timeoutMs }])
  })

  it('is the command and the time, and nothing else that a model wrote', async () => {
    const { shell, asked } = answering(whole(''))
    await called({ command: 'x', dangerouslyDisableSandbox: true, limits: {}, network: true }, { shell })
    expect(Object.keys(asked[0] ?? {})).toEqual(['command', 'timeoutMs'])
  })

  it('is nothing without a shell: the tool refuses by itself, whatever let the call through [G2]', async () => {
    await expect(called({ command: 'id' }, {})).rejects.toMatchObject({
      finding: { code: 'shell-not-here', message: expect.stringContaining('host bash is not allowed') },
    })
  })

  it.each([[''], ['  \n'], [7], [null]])('is refused when the command is none: %j', async (command) => {
    const { shell, asked } = answering(whole(''))
    await expect(called({ command }, { shell })).rejects.toMatchObject({ finding: { code: 'arguments-invalid' } })
    expect(asked).toEqual([])
  })
})

describe('bash on a run', () => {
  const tools = [{ name: 'bash', use: 'toolgate/tools:bash' }]
  const answer = async (sandbox: object, command: string) => {
    const { folder, open, write } = project()
    write({}, { tools, sandbox })
    const toolbox = await open()
    const outcome = await (await toolbox.callsOf(owner)).call({ name: 'bash', args: { command } })
    return { outcome, workspace: join(folder, '.toolgate/threads/ada/t1/user-data/workspace') }
  }

  it('is refused with the words of why where there is no sandbox and the host is closed [G2]', async () => {
    const { outcome, workspace } = await answer({ kind: 'none' }, 'echo x > x')
    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'host-shell-closed',
      message: expect.stringContaining('with no sandbox around them'),
      action: expect.stringContaining('allow_host_bash'),
    })
    expect(existsSync(join(workspace, 'x'))).toBe(false)
  })

  it('runs on the host, in the workspace of the thread, where the operator allowed it', async () => {
    const { outcome, workspace } = await answer(
      { kind: 'none', allow_host_bash: true },
      'echo x > /mnt/user-data/workspace/x; pwd; [ -d /home ] && echo host; ls /nowhere; exit 4',
    )
    expect(readFileSync(join(workspace, 'x'), 'utf8')).toBe('x\n')
    expect(outcome).toMatchObject({
      isError: false,
      content: [{ text: expect.stringMatching(/^\/mnt\/user-data\/workspace\nhost\nls: .*\n\[exit code 4\]$/) }],
    })
  })

  it.skipIf(isSkipped)('runs in a sandbox where there is one (Debian package bubblewrap)', async () => {
    const { outcome, workspace } = await answer({ allow_host_bash: true }, 'echo x > x; id -un; ls /home')
    expect(readFileSync(join(workspace, 'x'), 'utf8')).toBe('x\n')
    expect(outcome).toMatchObject({ content: [{ text: expect.stringMatching(/^user\nls: .*\n\[exit code 2\]$/) }] })
  })

  it('gets a shell as a tool that runs commands does, and no other tool has one', async () => {
    const { folder, open, write } = project()
    const text = (name: string, more: string) =>
      `export const ${name} = { name: '${name}', description: 'x', inputSchema: { type: 'object' }, ${more} execute: (args, context) => String('shell' in context) }\n`
    writeFileSync(join(folder, 'own.mjs'), text('plain', '') + text('runner', "role: 'shell', needs: ['shell'],"))
    const own = ['plain', 'runner'].map((name) => ({ name, use: `./own.mjs:${name}` }))
    write({}, { tools: own, sandbox: { kind: 'none', allow_host_bash: true } })
    const calls = await (await open()).callsOf(owner)
    const told = (name: string) => calls.call({ name, args: {} })
    expect(await told('plain')).toMatchObject({ content: [{ text: 'false' }] })
    expect(await told('runner')).toMatchObject({ content: [{ text: 'true' }] })
  })

  it('has its arguments judged first: a switch for the sandbox is none of them', async () => {
    const { folder, open, write } = project()
    write({}, { tools, sandbox: { kind: 'none', allow_host_bash: true } })
    const calls = await (await open()).callsOf(owner)
    const outcome = await calls.call({ name: 'bash', args: { command: 'echo x > x', dangerouslyDisableSandbox: true } })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'arguments-invalid' })
    expect(existsSync(join(folder, '.toolgate/threads/ada/t1/user-data/workspace/x'))).toBe(false)
  })
})
