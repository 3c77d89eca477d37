// Clients that other people made, against the program as it is built, over both wires.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt, root } from '../e2e/built.ts'
import { page, project } from '../runtime/a-project.ts'
import { freshFolder } from '../sources/scripted.ts'
import { clientPackages, clientsFolder, type Reached, realClients, runClient } from './real-clients.ts'

const why = 'needs the clients of real-clients.ts in the folder that TOOLGATE_MCP_CLIENTS names'
const isSkipped = clientsFolder === undefined && process.env.TOOLGATE_NO_SKIP !== '1'
const { write, file } = project()
const program = join(root, 'dist/cli/main.mjs')
/** The same with its words inside: some clients take flags behind a command for their own. */
const overStdio = join(freshFolder(), 'serve.mjs')
let served: ReturnType<typeof spawn> | undefined
let url = ''

beforeAll(async () => {
  if (isSkipped) return
  ensureBuilt()
  write(
    { notes: { pages: page('find', 'drop'), calls: { '*': { text: 'the blue cup' } } } },
    { permissions: { deny: ['notes/drop'] } },
  )
  const words = JSON.stringify(['serve', '--stdio', '--config', file])
  writeFileSync(
    overStdio,
    `process.argv.push(...${words})\nawait import(${JSON.stringify(pathToFileURL(program).href)})\n`,
  )
  served = spawn(process.execPath, [program, 'serve', '--http', '--port', '0', '--config', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (served.stdout === null) throw new Error('no output')
  ;[url] = (await once(createInterface(served.stdout), 'line')) as [string]
})
afterAll(async () => {
  if (served === undefined || served.exitCode !== null) return
  served.kill('SIGTERM')
  await once(served, 'exit')
})

describe('the clients of other people', () => {
  it('are those that .ci/run installs', () => {
    const run = readFileSync(join(root, '.ci/run'), 'utf8')
    expect(clientPackages.filter((name) => !run.includes(name))).toEqual([])
  })
})

describe.skipIf(isSkipped)(`real clients and the gateway (${why}) [V1]`, () => {
  const cases = realClients.flatMap((client) => client.reaches.map((wire) => [client.name, wire, client] as const))
  it.each(cases)(
    '%s lists and calls over %s',
    async (_name, wire, client) => {
      const server: Reached = wire === 'http' ? { url } : { words: [process.execPath, overStdio] }
      const [folder, home] = [clientsFolder ?? '', freshFolder()]
      const listed = await runClient(client.list(server), folder, home)
      expect(listed.stdout + listed.stderr).toContain('notes__find')
      expect(listed.stdout).not.toContain('notes__drop')
      const called = await runClient(client.call(server, 'notes__find', {}), folder, home)
      expect(called.stdout + called.stderr).toContain('the blue cup')
    },
    120_000,
  )
})
