import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { mcp } from '../../src/sources/mcp.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { config, freshFolder, input, listedTool, onePage, scripted } from './scripted.ts'

/** One server whose plan changes between runs, and one state folder. */
function world(first: ServerPlan) {
  const stateFolder = freshFolder()
  const server = scripted('lab', first)
  const planFile = server.args[1]?.slice(1) ?? ''
  return {
    stateFolder,
    listings: join(stateFolder, 'listings'),
    change: (plan: ServerPlan) => writeFileSync(planFile, JSON.stringify(plan)),
    run: (more: Partial<McpServerConfig> = {}, idle: readonly string[] = []) =>
      mcp.collect(
        input({ stateFolder, idleServers: new Set(idle), config: config({ mcpServers: [{ ...server, ...more }] }) }),
      ),
  }
}

const shown = (result: Awaited<ReturnType<typeof mcp.collect>>) =>
  result.candidates.map(({ originalName, availability }) => [originalName, availability.state])

describe('the last good listing [S4, C-015, C-156]', () => {
  it('names what is missing when the server is not there', async () => {
    const { run, change } = world(onePage(listedTool('a'), listedTool('b', { description: 'B' })))
    await run()
    change({ exit: { at: 'start', code: 1 } })
    const result = await run()
    expect(shown(result)).toEqual([
      ['a', 'failed-to-start'],
      ['b', 'failed-to-start'],
    ])
    expect(result.candidates[1]).toMatchObject({
      definition: { description: 'B' },
      availability: { lastListedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    })
    expect(result.servers[0]).toMatchObject({ state: 'failed-to-start', tools: 2, lastListedAt: expect.any(String) })
  })

  it('stays when a later listing fails or is empty [C-150]', async () => {
    const { run, change } = world(onePage(listedTool('a')))
    await run()
    for (const plan of [onePage(), { list: { code: -32603, message: 'no' } }] as const) {
      change(plan)
      expect((await run()).candidates[0]?.originalName).toBe('a')
    }
    change(onePage(listedTool('a'), listedTool('b')))
    expect(shown(await run())).toEqual([
      ['a', 'available'],
      ['b', 'available'],
    ])
  })

  it('serves a server that is switched off or left out by the rules, without starting it', async () => {
    const { run } = world(onePage(listedTool('a')))
    await run()
    expect(shown(await run({ enabled: false }))).toEqual([['a', 'disabled']])
    expect(shown(await run({ approved: false }))).toEqual([['a', 'not-approved']])
    expect(shown(await run({}, ['lab']))).toEqual([['a', 'not-started']])
  })

  it('remembers tools that are gone, until they come back [C-146]', async () => {
    const { run, change } = world(onePage(listedTool('a'), listedTool('old')))
    await run()
    change(onePage(listedTool('a')))
    for (let times = 0; times < 2; times += 1)
      expect(shown(await run())).toEqual([
        ['a', 'available'],
        ['old', 'no-longer-listed'],
      ])
    change(onePage(listedTool('old')))
    expect(shown(await run())).toEqual([
      ['old', 'available'],
      ['a', 'no-longer-listed'],
    ])
  })

  it('is not that of a server with another command, place or folder', async () => {
    const { run, change, listings } = world(onePage(listedTool('a')))
    await run()
    change({ exit: { at: 'start', code: 1 } })
    expect(shown(await run({ cwd: '/' }))).toEqual([['*', 'failed-to-start']])
    expect(shown(await run({ env: { TOKEN: 'x' } }))).toEqual([['*', 'failed-to-start']])
    expect(readdirSync(listings)).toHaveLength(1)
  })

  it('is kept when only a value of a variable changes, and holds none of them', async () => {
    const { run, change, listings } = world(onePage(listedTool('a')))
    await run({ env: { TOKEN: 'CANARY-1' } })
    change({ exit: { at: 'start', code: 1 } })
    expect(shown(await run({ env: { TOKEN: 'CANARY-2' } }))).toEqual([['a', 'failed-to-start']])
    expect(readFileSync(join(listings, readdirSync(listings)[0] ?? ''), 'utf8')).not.toContain('CANARY')
  })

  it('keeps the sound tools of a listing in which one nests too deep to be written', async () => {
    let deep: object = {}
    for (let level = 0; level < 1000; level += 1) deep = { a: deep }
    const { run, change } = world(onePage(listedTool('a'), listedTool('deep', { inputSchema: deep })))
    expect((await run()).findings.map(({ code }) => code)).toEqual(['tool-quarantined'])
    change({ exit: { at: 'start', code: 1 } })
    expect(shown(await run())).toEqual([['a', 'failed-to-start']])
  })
})

describe('the file of a listing [S4]', () => {
  it('is readable by its owner alone, and no half of one is ever left', async () => {
    const { run, listings } = world(onePage(listedTool('a')))
    await Promise.all([run(), run(), run()])
    const files = readdirSync(listings)
    expect(files).toHaveLength(1)
    expect(files[0]).toMatch(/^lab-[0-9a-f]{16}\.json$/)
    expect(statSync(join(listings, files[0] ?? '')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(join(listings, files[0] ?? ''), 'utf8'))).toMatchObject({
      schema: 'toolgate.listing/1',
      server: 'lab',
      tools: [{ name: 'a' }],
    })
  })

  const damaged: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    ['torn', (path) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40)), /torn/],
    ['of another program', (path) => writeFileSync(path, '{"schema":"other/1"}'), /does not say "toolgate.listing\/1"/],
    [
      'of another server',
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/"identity":"[0-9a-f]+"/, '"identity":"0"')),
      /another server/,
    ],
    ['a link', (path) => replaceByLink(path), /not used/],
    ['a folder', (path) => replaceByFolder(path), /no regular file|EISDIR/],
  ]
  it.each(damaged)('is set aside and named when it is %s', async (_title, damage, why) => {
    const { run, change, listings } = world(onePage(listedTool('a')))
    await run()
    const path = join(listings, readdirSync(listings)[0] ?? '')
    damage(path)
    change({ exit: { at: 'start', code: 1 } })
    const { candidates, findings } = await run()
    expect(candidates.map(({ originalName }) => originalName)).toEqual(['*'])
    expect(findings.find(({ code }) => code === 'state-file')?.message).toMatch(why)
    expect(findings.find(({ code }) => code === 'state-file')?.message).toContain('.json.bad')
    expect(readdirSync(listings).some((file) => file.endsWith('.json.bad'))).toBe(true)
  })

  it('costs a finding, not the run, when it cannot be written', async () => {
    const { run, stateFolder } = world(onePage(listedTool('a')))
    writeFileSync(join(stateFolder, 'listings'), 'a file in the way')
    const { candidates, findings } = await run()
    expect(candidates.map(({ availability }) => availability.state)).toEqual(['available'])
    expect(findings.map(({ code }) => code)).toContain('state-file')
  })
})

function replaceByLink(path: string): void {
  const real = `${path}.elsewhere`
  writeFileSync(real, readFileSync(path))
  renameAway(path)
  symlinkSync(real, path)
}

function replaceByFolder(path: string): void {
  renameAway(path)
  mkdirSync(path)
}

function renameAway(path: string): void {
  writeFileSync(`${path}.kept`, readFileSync(path))
  unlinkSync(path)
}
