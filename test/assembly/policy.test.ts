import { describe, expect, it } from 'vitest'
import { changesOf, type RunPolicy, restricted, singleRestrictions } from '../../src/assembly/policy.ts'
import { deepFreeze } from '../../src/core/json.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import { applyChanges } from '../../src/gates/apply-changes.ts'
import { someFacts } from '../../src/testing/world.ts'

const origin = { in: 'skills/tidy/SKILL.md' }
const facts: RunFacts = deepFreeze(
  someFacts({
    permissions: { rules: [{ effect: 'deny', text: 'bash', scope: 'config', origin: { in: 'toolgate.yaml' } }] },
    skills: {
      list: [
        { name: 'tidy', enabled: true, active: false, allowedTools: ['read_file'], origin },
        { name: 'gone', enabled: false, active: false, origin },
      ],
    },
  }),
)

const everything: RunPolicy = {
  simpleMode: true,
  noMcp: true,
  unattended: true,
  denyTools: ['grep', 'files/*'],
  denyPrefixes: ['git_'],
  allow: ['read_file'],
}

describe('the policy flags as facts [U1]', () => {
  it('change nothing when none is given', () => {
    expect(restricted(facts, {})).toEqual(facts)
  })

  it('are each laid on top, with the flag as their place, and take nothing away', () => {
    const after = restricted(facts, everything)
    expect(after.simpleMode).toEqual({ on: true, origin: { in: 'command line', key: '--simple-mode' } })
    expect(after.mcp).toEqual({ on: false, origin: { in: 'command line', key: '--no-mcp' } })
    expect(after.attended).toEqual({ on: false, origin: { in: 'command line', key: '--unattended' } })
    expect(
      after.permissions.rules.map(({ effect, text, origin: at }) => `${effect} ${text} ${at.key ?? at.in}`),
    ).toEqual([
      'deny bash toolgate.yaml',
      'deny grep --deny-tool grep',
      'deny files/* --deny-tool files/*',
      'deny git_* --deny-prefix git_',
      'allow read_file --allow read_file',
    ])
  })

  it('put a skill into use; one that is disabled or not there allows nothing [G7]', () => {
    const { list } = restricted(facts, { skills: ['tidy', 'gone', 'tdiy'] }).skills
    expect(list).toMatchObject([
      { name: 'tidy', active: true, allowedTools: ['read_file'] },
      { name: 'gone', active: true, malformed: expect.stringContaining('not enabled') },
      { name: 'tdiy', active: true, malformed: expect.stringContaining('no such skill') },
    ])
    expect(list[0]).not.toHaveProperty('malformed')
  })

  it('mean the same as changes of stored facts, for a log [D6]', () => {
    const world = applyChanges({ facts, candidates: [] }, '', changesOf(everything))
    expect(world.facts).toEqual(restricted(facts, everything))
  })
})

describe('each restriction on its own', () => {
  it('comes with its flag, and with all the others', () => {
    const singles = singleRestrictions({ ...everything, skills: ['tidy'] })
    expect(singles.map(({ flag }) => flag)).toEqual([
      '--simple-mode',
      '--no-mcp',
      '--unattended',
      '--skill tidy',
      '--deny-tool grep',
      '--deny-tool files/*',
      '--deny-prefix git_',
      '--allow read_file',
    ])
    const grep = singles.find(({ flag }) => flag === '--deny-tool grep')
    expect(grep?.policy).toEqual({ denyTools: ['grep'] })
    expect(grep?.without).toEqual({ ...everything, skills: ['tidy'], denyTools: ['files/*'] })
    const { denyPrefixes: _, ...others } = everything
    expect(singles.find(({ flag }) => flag === '--deny-prefix git_')?.without).toEqual({ ...others, skills: ['tidy'] })
  })
})
