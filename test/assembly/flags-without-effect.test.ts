import { describe, expect, it } from 'vitest'
import { flagsWithoutEffect } from '../../src/assembly/flags-without-effect.ts'
import type { RunPolicy } from '../../src/assembly/policy.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { Finding } from '../../src/core/finding.ts'
import { aCandidate, someFacts } from '../../src/testing/world.ts'

const candidates = [
  aCandidate({ originalName: 'read_file', role: 'file-read' }),
  aCandidate({ originalName: 'grep' }),
  aCandidate({ originalName: 'bash', role: 'shell', needs: ['host-shell'] }),
  aCandidate({ server: 'files', originalName: 'move_file' }),
]

async function idle(policy: RunPolicy): Promise<readonly Finding[]> {
  const facts = someFacts({
    skills: { list: [{ name: 'free', enabled: true, active: false, origin: { in: 'skills/free/SKILL.md' } }] },
  })
  const inventory = { candidates, servers: [], findings: [], facts, preset: 'default' } as const
  return flagsWithoutEffect(await prepareRun({ inventory, policy }))
}

describe('a flag that changes nothing', () => {
  it.each<{ readonly policy: RunPolicy; readonly flag: string; readonly hint: RegExp }>([
    { policy: { denyTools: ['grpe'] }, flag: '--deny-tool grpe', hint: /^did you mean "grep"/ },
    { policy: { denyTools: ['file/*'] }, flag: '--deny-tool file/*', hint: /^did you mean "files\/\*"/ },
    { policy: { denyPrefixes: ['fiels_'] }, flag: '--deny-prefix fiels_', hint: /"files_"/ },
    { policy: { denyTools: ['bash'] }, flag: '--deny-tool bash', hint: /^`toolgate why bash` says what holds for it/ },
    { policy: { allow: ['grep'] }, flag: '--allow grep', hint: /^`toolgate why grep` says/ },
    { policy: { allow: ['*'] }, flag: '--allow *', hint: /name|server|group/ },
    { policy: { skills: ['free'] }, flag: '--skill free', hint: /^remove it, or add --lenient/ },
    { policy: { unattended: true }, flag: '--unattended', hint: /^remove it, or add --lenient/ },
  ])('is found, with what to do: $flag', async ({ policy, flag, hint }) => {
    const [found, ...more] = await idle(policy)
    expect(more).toEqual([])
    expect(found).toMatchObject({ code: 'flag-without-effect', severity: 'error', hint: expect.stringMatching(hint) })
    expect(found?.subject).toContain(flag)
    expect(found?.origin?.in).toBe('command line')
  })

  it.each<RunPolicy>([
    {},
    { noMcp: true },
    { noMcp: true, denyPrefixes: ['files'] },
    { denyTools: ['grep', 'gr*'] },
    { simpleMode: true, denyTools: ['grep'] },
  ])('is none of those that change something, alone or beside others: %o', async (policy) => {
    expect(await idle(policy)).toEqual([])
  })

  it('is told apart from the others that were given with it', async () => {
    const found = await idle({ noMcp: true, denyTools: ['grep', 'nothing_like_it'] })
    expect(found.map(({ subject }) => subject)).toEqual(['--deny-tool nothing_like_it'])
  })
})
