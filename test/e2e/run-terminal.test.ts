// `toolgate run` with a person at a terminal, who is asked what a turn waits for.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { Script } from '../../src/testing/scripted-model/index.ts'
import { ensureBuilt, mainFile } from './built.ts'
import type { Project } from './project.ts'
import { lab, lend, lending, scriptFlag } from './run-lab.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** `script` gives a program a terminal; of its two forms this is that of util-linux. */
const hasTerminal = existsSync('/usr/bin/script') && process.platform === 'linux'

/** Runs `toolgate` on a terminal of 100 columns; each answer is typed when its question is there. */
async function onTerminal(
  made: Project,
  words: readonly string[],
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<{ readonly code: number; readonly shown: string }> {
  ensureBuilt()
  const quoted = [process.execPath, mainFile, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('/usr/bin/script', ['-qec', `stty cols 100; exec ${quoted}`, '/dev/null'], {
    cwd: made.folder,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  let shown = ''
  let seen = 0
  const left = [...answers]
  child.stdout.on('data', (part: Buffer) => {
    shown += part.toString('utf8')
    const [next] = left
    if (next === undefined || !shown.slice(seen).includes(next[0])) return
    left.shift()
    seen = shown.length
    child.stdin.write(next[1])
  })
  const [code] = await once(child, 'close')
  return { code: Number(code), shown }
}

describe.runIf(hasTerminal)('a person at a terminal [R1, R4]', () => {
  const asking: Script = {
    turns: [
      {
        user: 'Where is it',
        steps: [
          { call: [{ tool: 'ask_clarification', args: { question: 'Which one?', options: ['the old', 'the new'] } }] },
        ],
      },
      { user: 'the new', steps: [{ say: 'On the hook.' }] },
    ],
  }
  const ask = ['run', 'Where is it', ...scriptFlag]

  it.each([
    ['2\r', 'the number of an answer'],
    ['the new one\r', 'words of their own'],
    ['\r2\r', 'nothing, and then an answer'],
  ])('answers a question there: %j', async (keys) => {
    const { code, shown } = await onTerminal(lab(asking), ask, [['Your answer', keys]])
    expect(shown).toContain('? Which one?\r\n   1  the old\r\n   2  the new\r\n')
    expect(shown).toContain('On the hook.\r\n')
    expect(code).toBe(0)
  })

  it.each([
    ['y\r', 'That is done.'],
    ['maybe\ry\r', 'That is done.'],
    ['n\r', '✗ refused: call-denied'],
  ])('approves a call there, or does not: %j', async (keys, told) => {
    const { code, shown } = await onTerminal(lab(lending), lend, [['Run shelf__lend?', keys]])
    expect(shown).toContain('? shelf__lend must be approved\r\n  │ text: Moby Dick\r\n')
    expect(shown).toContain(told)
    expect(code).toBe(0)
  })

  it.each([
    ['\u0004', 0],
    ['\u0003', 1],
  ])('leaves it open with %j, and is told how to answer later', async (keys, code) => {
    const left = await onTerminal(lab(lending), lend, [['Run shelf__lend?', keys]])
    expect(left.shown).toContain('--thread t --approve once')
    expect(left.code).toBe(code)
  })

  it('is not asked where the run is unattended, or the output is for a program', async () => {
    for (const flag of ['--unattended', '--json']) {
      const { code, shown } = await onTerminal(lab(lending), [...lend, flag], [])
      expect([code, shown]).toEqual([0, expect.not.stringContaining('Run shelf__lend?')])
    }
  })
})
