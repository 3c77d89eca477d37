// A run that is broken off takes its servers with it, those too that do not listen and those they have started.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ensureBuilt, mainFile } from './built.ts'
import { isRunning, leftRunning } from './processes.ts'
import { project, scripted } from './project.ts'

describe('a run that is broken off [S4, Q4]', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s leaves no server running', async (signal) => {
    ensureBuilt()
    const lab = project()
    const plan = { marker: lab.path('started'), initialize: 'silent', stubborn: true, grandchild: true } as const
    lab.write('toolgate.yaml', `version: 1\nmcp_servers:\n  mute: ${scripted(plan)}\n`)
    const child = spawn(process.execPath, [mainFile, 'tools'], { cwd: lab.folder, stdio: 'ignore' })
    const ended = once(child, 'exit')
    // The server and the process that it has started each leave their number.
    const pids = (): string[] =>
      existsSync(lab.path('started')) ? lab.read('started').split('\n').filter(Boolean) : []
    for (let tries = 0; pids().length < 2 && tries < 400; tries += 1) await sleep(25)
    expect(pids().filter(isRunning)).toHaveLength(2)
    child.kill(signal)
    await ended
    expect(await leftRunning(lab.folder)).toEqual([])
    // They were killed all at once; the system may need a moment for each.
    await expect.poll(() => pids().filter(isRunning)).toEqual([])
  })
})
