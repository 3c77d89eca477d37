import { spawnSync } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import { detectSandbox } from '../../src/assembly/detect-sandbox.ts'

const origin = { in: 'toolgate.yaml', key: 'sandbox', line: 3 }
const haveBubblewrap = spawnSync('bwrap', ['--version']).status === 0

describe('the sandbox of a run [G2]', () => {
  it('is none where the configuration says so, whatever the machine has', async () => {
    expect(await detectSandbox({ kind: 'none', allowHostBash: false, origin })).toEqual({
      kind: 'none',
      allowHostBash: false,
      origin,
    })
  })

  it('passes the switch for the host on, and makes none of its own', async () => {
    expect((await detectSandbox({ kind: 'none', allowHostBash: true })).allowHostBash).toBe(true)
    expect((await detectSandbox({ kind: 'auto', allowHostBash: false })).allowHostBash).toBe(false)
  })

  // CI installs bubblewrap and allows no skip; elsewhere the test is skipped by name where it is missing.
  it.skipIf(!haveBubblewrap && process.env.TOOLGATE_NO_SKIP !== '1')(
    'is a namespace where bubblewrap works (Debian package bubblewrap)',
    async () => {
      expect((await detectSandbox({ kind: 'auto', allowHostBash: false })).kind).toBe('namespace')
    },
  )

  it('is none where there is no bubblewrap, also when a namespace is asked for', async () => {
    const path = process.env.PATH
    vi.resetModules()
    try {
      process.env.PATH = '/nowhere'
      const { detectSandbox: anew } = await import('../../src/assembly/detect-sandbox.ts')
      expect((await anew({ kind: 'namespace', allowHostBash: false })).kind).toBe('none')
    } finally {
      process.env.PATH = path
    }
  })
})
