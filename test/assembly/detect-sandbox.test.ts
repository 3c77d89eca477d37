import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type DetectedSandbox, detectSandbox, type SandboxWish } from '../../src/assembly/detect-sandbox.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import { checkRun } from '../../src/report/check.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { usable } from '../config/given-config.ts'

const origin = { in: 'toolgate.yaml', key: 'sandbox', line: 3 }
const haveBubblewrap = spawnSync('bwrap', ['--version']).status === 0
const auto: SandboxWish = { kind: 'auto', allowHostBash: false }

/** What is found by a process that has not tried yet, with these programs alone. */
async function foundWith<T>(programs: { readonly [name: string]: string }, find: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-path-'))
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const path = process.env.PATH
  vi.resetModules()
  try {
    process.env.PATH = folder
    return await find()
  } finally {
    process.env.PATH = path
  }
}

const detectedWith = (programs: { readonly [name: string]: string }, wish: SandboxWish): Promise<DetectedSandbox> =>
  foundWith(programs, async () => (await import('../../src/assembly/detect-sandbox.ts')).detectSandbox(wish))

const mkfifo = 'exec /usr/bin/mkfifo "$@"'

describe('the sandbox of a run [G2]', () => {
  it('is none where the configuration says so, whatever the machine has, and nothing is missing then', async () => {
    expect(await detectSandbox({ kind: 'none', allowHostBash: false, origin })).toEqual({
      facts: { kind: 'none', allowHostBash: false, origin },
    })
  })

  it('passes the switch for the host on, and makes none of its own', async () => {
    expect((await detectSandbox({ kind: 'none', allowHostBash: true })).facts.allowHostBash).toBe(true)
    expect((await detectSandbox(auto)).facts.allowHostBash).toBe(false)
  })

  // CI installs bubblewrap and allows no skip; elsewhere the test is skipped by name where it is missing.
  it.skipIf(!haveBubblewrap && process.env.TOOLGATE_NO_SKIP !== '1')(
    'is a namespace where bubblewrap works (Debian package bubblewrap)',
    async () => {
      const { facts, missing } = await detectSandbox(auto)
      expect(facts.kind).toBe('namespace')
      expect(missing).toBeUndefined()
    },
  )

  it('is none where there is no bubblewrap, also when a namespace is asked for', async () => {
    expect((await detectedWith({}, { kind: 'namespace', allowHostBash: false })).facts.kind).toBe('none')
  })
})

describe('why there is no sandbox [G2]', () => {
  it('names the program that is missing, what follows, and what to install', async () => {
    expect((await detectedWith({}, { ...auto, origin })).missing).toEqual({
      code: 'sandbox-unavailable',
      severity: 'warning',
      subject: 'sandbox',
      message: 'there is no sandbox without the program bwrap, which is not installed, so no tool may run commands',
      hint: 'install bubblewrap (package `bubblewrap`), or set `sandbox.kind: none` where none is wanted',
      origin,
    })
  })

  it.each([
    ['auto', 'info'],
    ['namespace', 'warning'],
  ] as const)('says that commands run on this machine where that is allowed: %s, %s', async (kind, severity) => {
    const { missing } = await detectedWith({}, { kind, allowHostBash: true })
    expect(missing).toMatchObject({
      severity,
      message: expect.stringContaining('so commands run on this machine itself'),
    })
  })

  it('gives the words of a bubblewrap that refuses, on one printable line', async () => {
    const refusing = "echo 'bwrap: No permissions to create \u001b[31mnew namespace' >&2; exit 1"
    const { facts, missing } = await detectedWith({ bwrap: refusing, mkfifo }, auto)
    expect(facts.kind).toBe('none')
    expect(missing?.message).toContain('bwrap: No permissions to create \\u001b[31mnew namespace')
    expect(missing?.hint).toMatch(/docs\/sandbox\.md|keeps ordinary users from it/)
  })
})

describe('a run whose commands cannot be isolated [G2] [D5]', () => {
  const bash = 'tools: [{ name: bash, use: "toolgate/tools:bash", group: shell }]\n'
  const toldOf = (text: string): Promise<readonly (string | undefined)[]> =>
    foundWith({}, async () => {
      const { prepareRun: anew } = await import('../../src/assembly/prepare-run.ts')
      const run = await anew({ config: await usable(`version: 1\n${text}`) })
      expect(run.surface.facts).toEqual(JSON.parse(JSON.stringify(run.surface.facts)))
      return checkRun(run)
        .filter(({ code }) => code === 'sandbox-unavailable')
        .map(({ origin: at }) => at?.key)
    })

  it.each([
    ['says so among its findings, at its place', `${bash}sandbox: { kind: auto }`, ['sandbox']],
    ['says so where nothing is configured of it', bash, [undefined]],
    ['says nothing where no sandbox is wanted', `${bash}sandbox: { kind: none }`, []],
    ['says nothing where no tool needs one', 'sandbox: { kind: auto }', []],
    ['says nothing where the agent asks for no shell', `${bash}agents: { main: { groups: [web] } }`, []],
  ])('%s', async (_, text, expected) => {
    expect(await toldOf(text)).toEqual(expected)
  })

  it('says nothing of this machine when the run comes from an inventory', async () => {
    const config = await usable(`version: 1\n${bash}`)
    const candidates = [aCandidate({ originalName: 'bash', needs: ['shell'] })]
    const inventory = { candidates, servers: [], findings: [], preset: 'default' } as const
    expect((await prepareRun({ config, inventory })).findings).toEqual([])
  })
})
