import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSession } from '../../src/sessions/open-session.ts'
import { serverEnvironment } from '../../src/sessions/processes/base-environment.ts'
import { sessionPlace } from '../../src/sessions/processes/session-place.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { openServerFolder } from '../../src/workspace/server-folder.ts'
import { expects, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const threads = 100
/** Threads that are at work at one time. */
const atOnce = 4

export const threadsEnd: Scenario = {
  id: 'R22',
  title: `${threads} threads write a file and end`,
  boundMs: 120_000,
  run: async (world) => {
    const threadsFolder = join(world.folder, 'threads')
    mkdirSync(threadsFolder)
    const workspaceOf = (thread: string) =>
      openWorkspace({ threadsFolder, owner: { user: 'faults', thread }, skillsFolders: [] })
    const pool = world.poolWith({
      max: atOnce,
      waitMs: 30_000,
      open: async ({ server: asked, owner, signal }) => {
        const workspace = await workspaceOf(owner.thread)
        const folders = { cwd: openServerFolder(workspace, asked.name).host, temp: workspace.temp }
        const place = sessionPlace(asked, { workspace: folders, configFolder: world.folder, environment: process.env })
        const env = { ...serverEnvironment(process.env, {}), ...place.env }
        return openSession(place.server, { env, cwd: place.cwd, signal, timeoutMs: asked.startTimeoutMs })
      },
    })
    const server = world.server('writer', { calls: { work: { file: { path: 'note.txt', text: 'mine' } } } })
    const misses: string[] = []
    const queue = Array.from({ length: threads }, (_, at) => `t${at}`)[Symbol.iterator]()
    const worker = async () => {
      for (const thread of queue) {
        const owner = { user: 'faults', thread }
        const written = textOf(await world.call(server, { owner, pool }))
        const workspace = await workspaceOf(thread)
        await pool.endThread(owner)
        const folder = openServerFolder(workspace, server.name).host
        misses.push(
          ...expects(
            [written === join(folder, 'note.txt'), `${thread} wrote ${written}`],
            [existsSync(join(folder, 'note.txt')), `the file of ${thread} is gone`],
          ),
        )
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    const left = pool.states().length
    misses.push(...expects([left === 0, `${left} sessions are left`]))
    return { misses, seen: `${threads} sessions closed, every file is in the folder of its thread` }
  },
}
