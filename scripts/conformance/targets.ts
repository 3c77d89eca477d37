// What the server side of the suite is pointed at: the fixture alone, or the gateway with the fixture as its only
// upstream and every name left as it is.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type StartedProgram, startProgram } from './started-program.ts'

export interface Target {
  readonly what: string
  readonly url: string
  readonly end: () => Promise<void>
}

export interface TargetOptions {
  readonly direct: boolean
  /** How the gateway reaches the fixture. */
  readonly upstream: 'stdio' | 'http'
}

const root = resolve(import.meta.dirname, '../..')
const startMs = 60_000
const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/

/** The words that run a program of this folder; from any working folder. */
export const tsProgram = (path: string): readonly string[] => [
  process.execPath,
  '--import',
  import.meta.resolve('tsx'),
  join(import.meta.dirname, path),
]

export async function startTarget({ direct, upstream }: TargetOptions): Promise<Target> {
  if (direct) {
    const fixture = startProgram([...tsProgram('fixture/main.ts'), 'http'])
    return ready('the fixture', fixture, [fixture.end])
  }
  const ends: (() => Promise<void>)[] = []
  try {
    const folder = mkdtempSync(join(tmpdir(), 'toolgate-conformance-'))
    ends.push(async () => rmSync(folder, { recursive: true, force: true }))
    const config = join(folder, 'toolgate.yaml')
    writeFileSync(config, JSON.stringify({ version: 1, mcp_servers: { fixture: await upstreamEntry(upstream, ends) } }))
    const gateway = startProgram(
      [process.execPath, join(root, 'dist/cli/main.mjs'), 'serve', '--http', '--port', '0', '--config', config],
      { cwd: folder },
    )
    ends.push(gateway.end)
    return await ready(`the gateway, over ${upstream} in front of the fixture`, gateway, ends)
  } catch (error) {
    await endAll(ends)
    throw error
  }
}

async function upstreamEntry(upstream: TargetOptions['upstream'], ends: (() => Promise<void>)[]): Promise<object> {
  if (upstream === 'stdio') {
    const [command, ...args] = tsProgram('fixture/main.ts')
    return { command, args: [...args, 'stdio'], tool_name_prefix: false }
  }
  const fixture = startProgram([...tsProgram('fixture/main.ts'), 'http'])
  ends.push(fixture.end)
  return { url: await fixture.says(address, startMs), tool_name_prefix: false }
}

async function ready(what: string, program: StartedProgram, ends: (() => Promise<void>)[]): Promise<Target> {
  try {
    return { what, url: await program.says(address, startMs), end: () => endAll(ends) }
  } catch (error) {
    await endAll(ends)
    throw error
  }
}

/** The last one that was started ends first. */
async function endAll(ends: (() => Promise<void>)[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
