// A run that is broken off takes its servers with it, those too that do not listen and those they have started.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ensureBuilt, mainFile } from './built.ts'
import { leftRunning, running } from './processes.ts'
import { project, scripted } from './project.ts'

describe('a run that is broken off [S4, Q4]', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s leaves no server running', async (signal) => {
    ensureBuilt()
    const lab = project()
    const plan = { marker: lab.path('started'), initialize: 'silent', stubborn: true, grandchild: true } as const
    lab.write('toolgate.yaml', `version: 1\nmcp_servers:\n  mute: ${scripted(plan)}\n`)
    const child = spawn(process.execPath, [mainFile, 'tools'], { cwd: lab.folder, stdio: 'ignore' })
    const ended = once(child, 'exit')
    for (let tries = 0; !existsSync(lab.path('started')) && tries < 200; tries += 1) await sleep(50)
    expect(running(lab.folder)).toHaveLength(1)
    child.kill(signal)
    await ended
    expect(await leftRunning(lab.folder)).toEqual([])
  })
})
