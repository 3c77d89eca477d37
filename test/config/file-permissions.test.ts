import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { permissionFault } from '../../src/config/file-permissions.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { readText } from '../../src/config/read-text.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-permissions-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const text = 'version: 1\n'
const given = (mode: number, path = join(folder, 'toolgate.yaml')): string => {
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
const codesOf = async (path: string) => (await loadConfig(path, { environment: {} })).findings.map(({ code }) => code)
const hasOwners = process.getuid !== undefined

describe.runIf(hasOwners)('who may write a configuration [Q3]', () => {
  it.each([0o600, 0o644, 0o664, 0o660, 0o444, 0o755])('is believed with mode %o', async (mode) => {
    expect(await codesOf(given(mode))).toEqual([])
  })

  it.each([0o666, 0o646, 0o602, 0o777])('is not read with mode %o, and the remedy is told', async (mode) => {
    const path = given(mode)
    const { config, findings } = await loadConfig(path, { environment: {} })
    expect(config).toBeUndefined()
    expect(findings).toMatchObject([{ code: 'config-permissions', severity: 'error', subject: path }])
    expect(findings[0]?.message).toContain('everybody on this machine may write it')
    expect(findings[0]?.hint).toContain(`chmod o-w ${path}`)
  })

  it('is not read from a folder where everybody may put another in its place', async () => {
    const path = given(0o644)
    chmodSync(folder, 0o777)
    expect(await codesOf(path)).toEqual(['config-permissions'])
    chmodSync(folder, 0o1777)
    expect(await codesOf(path)).toEqual([])
    chmodSync(folder, 0o775)
    expect(await codesOf(path)).toEqual([])
  })

  it('is judged where it really is, and where the link to it is', async () => {
    const [open, closed] = [join(folder, 'open'), join(folder, 'closed')]
    for (const [place, mode] of [
      [open, 0o777],
      [closed, 0o755],
    ] as const) {
      mkdirSync(place)
      chmodSync(place, mode)
    }
    given(0o644, join(open, 'real.yaml'))
    symlinkSync(join(open, 'real.yaml'), join(closed, 'link.yaml'))
    expect(await codesOf(join(closed, 'link.yaml'))).toEqual(['config-permissions'])
    given(0o644, join(closed, 'real.yaml'))
    symlinkSync(join(closed, 'real.yaml'), join(open, 'link.yaml'))
    expect(await codesOf(join(open, 'link.yaml'))).toEqual(['config-permissions'])
  })

  it('counts for the files of servers that it names', async () => {
    const shared = join(folder, 'mcp.json')
    writeFileSync(shared, '{"mcpServers": {"a": {"command": "node"}}}')
    chmodSync(shared, 0o666)
    writeFileSync(join(folder, 'toolgate.yaml'), 'version: 1\nmcp_config_files: [mcp.json]\n')
    const { config, findings } = await loadConfig(join(folder, 'toolgate.yaml'), { environment: {} })
    expect(findings).toMatchObject([{ code: 'config-permissions', subject: 'mcp.json' }])
    expect(config?.mcpServers).toEqual([])
  })

  it('does not count for a text that nothing is done by', async () => {
    expect(await readText(given(0o666))).toEqual({ text })
  })

  it('is not read when it belongs to another user', async () => {
    const path = given(0o644)
    const info = await stat(path)
    expect(await permissionFault(info, path, 'toolgate.yaml')).toBeUndefined()
    const us = info.uid + 1
    const foreign = await permissionFault(Object.assign(info, { uid: us + 12_345 }), path, 'toolgate.yaml', us)
    expect(foreign).toMatchObject({ code: 'config-permissions', subject: 'toolgate.yaml' })
    expect(foreign?.message).toMatch(/it belongs to another user \(\d+\), and this program runs as \d+$/)
    expect(await permissionFault(Object.assign(info, { uid: 0 }), path, 'toolgate.yaml')).toBeUndefined()
  })

  it('may belong to anybody where everything runs as root, as in containers', async () => {
    const path = given(0o644)
    const info = Object.assign(await stat(path), { uid: 12_345 })
    expect(await permissionFault(info, path, 'toolgate.yaml', 0)).toBeUndefined()
  })
})
