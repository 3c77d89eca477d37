import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { Command, PrepareOver } from '../../src/cli/command.ts'
import { check } from '../../src/cli/commands/check.ts'
import { lock } from '../../src/cli/commands/lock.ts'
import { pin } from '../../src/cli/commands/pin.ts'
import { snapshot } from '../../src/cli/commands/snapshot.ts'
import { tools } from '../../src/cli/commands/tools.ts'
import { parseFlags } from '../../src/cli/flags.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Listings } from '../../src/sources/source.ts'
import { fakeTerminal } from './fake-terminal.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

type Answer = Awaited<ReturnType<NonNullable<Listings['list']>>>
const tool = (name: string, description = `Does ${name}.`) => ({ name, description, inputSchema: { type: 'object' } })

/** One server with pins on; commands are run in this process, on what it offers at that moment. */
function desk(more = '') {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-pin-'))
  folders.push(folder)
  const file = join(folder, 'toolgate.yaml')
  writeFileSync(file, `version: 1\nmcp_servers: { mail: { command: node${more} } }\npins: { enabled: true }\n`)
  const state = { offers: [tool('send'), tool('read')] as readonly object[], down: false }
  const list: NonNullable<Listings['list']> = async () =>
    state.down
      ? ({ state: 'failed-to-start', message: 'it is down' } as Answer)
      : { identity: 'i', era: 'legacy', tools: state.offers, problems: [], tookMs: 1 }
  const ask = async (command: Command, words: readonly string[] = []) => {
    const flags = parseFlags(words, command.flags)
    const terminal = fakeTerminal()
    const overs: PrepareOver[] = []
    const prepare = async (over: PrepareOver = {}) => {
      overs.push(over)
      const { config } = await loadConfig(file, { environment: {} })
      if (config === undefined) throw new Error('the configuration of this test cannot be used')
      return prepareRun({ config, environment: {}, listings: { list, refresh: true } })
    }
    const code = await command.run({ flags, terminal, positionals: flags.positionals, prepare })
    return { code, text: terminal.printed(), notes: terminal.noted(), overs }
  }
  return { ask, state, folder, pinsFile: join(folder, '.toolgate/pins.json') }
}

describe('`toolgate pin` [G12, C-154]', () => {
  it('is a no while something waits, and a yes once all is approved', async () => {
    const { ask, state, pinsFile } = desk()
    const before = await ask(pin)
    expect(before.code).toBe(1)
    expect(before.text).toMatch(/^new {3}mail__send {3}mcp:mail\/send$/m)
    expect(before.text).toContain('    Does send.')
    expect(before.text).toMatch(/0 approved, 0 changed, 2 new, 0 gone, 0 not seen/)

    const approved = await ask(pin, ['--approve'])
    expect(approved.code).toBe(0)
    expect(approved.text).toContain(`${pinsFile}: 2 definitions approved`)
    expect(approved.text).toContain('    Does send.')

    const after = await ask(pin)
    expect(after).toMatchObject({ code: 0, text: '2 approved, 0 changed, 0 new, 0 gone, 0 not seen on this run' })
    expect((await ask(pin, ['--all'])).text).toMatch(/^approved {3}mail__send$/m)

    state.offers = [tool('send', 'Does send, and more.'), tool('read')]
    const changed = await ask(pin)
    expect(changed.code).toBe(1)
    expect(changed.text).toMatch(/^changed {3}mail__send {3}mcp:mail\/send {3}approved \d{4}-/m)
    expect(changed.text).toContain('    description: "Does send." -> "Does send, and more."')
    expect((await ask(pin, ['--lang', 'zh'])).text).toContain('批准之后的变化')
  })

  it('approves only what is named, and stays a no for the rest', async () => {
    const { ask } = desk()
    const { code, text } = await ask(pin, ['--approve', 'mail__send'])
    expect(code).toBe(1)
    expect(text).not.toContain('Does read.')
    expect((await ask(pin, ['--approve', 'mail'])).code).toBe(0)
  })

  it('prints one document, before and after', async () => {
    const { ask, pinsFile } = desk()
    const before = JSON.parse((await ask(pin, ['--json'])).text)
    expect(before).toMatchObject({
      schema: 'toolgate.pin/1',
      enabled: true,
      waiting: 2,
      totals: { new: 2 },
      launches: [],
      tools: [{ id: 'mcp:mail/send', name: 'mail__send', state: 'new', definition: { description: 'Does send.' } }, {}],
    })
    const after = JSON.parse((await ask(pin, ['--approve', '--json'])).text)
    expect(after).toMatchObject({
      schema: 'toolgate.pin/1',
      waiting: 0,
      file: pinsFile,
      approved: { tools: ['mcp:mail/send', 'mcp:mail/read'], launches: [] },
    })
  })

  it('is 4 when a required server is missing, and keeps what was approved of it', async () => {
    const { ask, state, pinsFile } = desk(', required: true')
    await ask(pin, ['--approve'])
    state.down = true
    expect((await ask(pin)).code).toBe(4)
    expect((await ask(pin, ['--approve'])).code).toBe(4)
    expect(JSON.parse(readFileSync(pinsFile, 'utf8')).pins).toHaveLength(2)
  })

  it('tells of a file of approvals that cannot be read, and of where it went', async () => {
    const { ask, pinsFile } = desk()
    await ask(pin, ['--approve'])
    writeFileSync(pinsFile, 'torn')
    expect((await ask(pin)).notes).toMatch(/^error state-file {2}the file of approvals is not JSON$/m)
    expect((await ask(pin, ['--approve'])).notes).toContain('pins.json.bad')
    expect(readFileSync(`${pinsFile}.bad`, 'utf8')).toBe('torn')
  })

  it('takes no names without --approve', async () => {
    await expect(desk().ask(pin, ['mail__send'])).rejects.toMatchObject({ finding: { code: 'usage' } })
  })
})

describe('`toolgate lock --pins` [G12]', () => {
  it('approves all, as `toolgate pin --approve` does', async () => {
    const { ask, pinsFile } = desk()
    const { code, text } = await ask(lock, ['--pins'])
    expect({ code, text }).toMatchObject({
      code: 0,
      text: expect.stringContaining(`${pinsFile}: 2 definitions approved`),
    })
    expect((await ask(pin)).code).toBe(0)
    expect(JSON.parse((await ask(lock, ['--pins', '--json'])).text)).toEqual({
      schema: 'toolgate.written/1',
      file: pinsFile,
      pins: 2,
    })
  })
})

describe('a command whose answer must not rest on what is stored [M5, N17]', () => {
  it.each([
    { command: pin, words: [] },
    { command: lock, words: ['--pins'] },
    { command: check, words: [] },
    { command: snapshot, words: ['--out', '-'] },
  ])('asks every server: $command.name', async ({ command, words }) => {
    const { overs } = await desk().ask(command, words)
    expect(overs).toEqual([expect.objectContaining({ refresh: true })])
  })

  it('is not every command', async () => {
    expect((await desk().ask(tools)).overs).toEqual([{}])
  })
})
