// A call of `invoke_acp_agent` through a whole toolbox: rules, paths and the end of the program hold for an external
// agent as for every other tool.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AcpAgentPlan } from '../../src/testing/scripted-acp-agent-plan.ts'
import { agentProgram } from '../acp/acp-world.ts'
import { isAlive } from '../sources/scripted.ts'
import { owner, project, textOf } from './a-project.ts'

async function opened(plan: AcpAgentPlan, more: object = {}) {
  const { write, open, folder } = project()
  const [file, marker, record] = ['plan.json', 'agent.pids', 'record.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(file, JSON.stringify({ marker, record, ...plan }))
  const acp_agents = { helper: { command: process.execPath, args: [agentProgram, `@${file}`], description: 'Helps.' } }
  write({}, { acp_agents, ...more })
  const toolbox = await open()
  return {
    toolbox,
    calls: await toolbox.callsOf(owner),
    heard: () => readFileSync(record, 'utf8'),
    alive: () =>
      existsSync(marker) ? readFileSync(marker, 'utf8').trim().split('\n').map(Number).filter(isAlive) : [],
  }
}
const call = (prompt = 'Do it.') => ({ name: 'invoke_acp_agent', args: { agent: 'helper', prompt } })

describe('an external agent behind a toolbox [S5] [R3]', () => {
  it('is told its folder by the name that it has there, and its answer names it as the model knows it', async () => {
    const { calls, heard, alive } = await opened({ steps: [{ tell: true }] })
    const outcome = await calls.call(call('Write /mnt/acp-workspace/report.md'))
    expect(heard()).toMatch(/Write [^"]*acp-workspace\/report\.md/)
    expect(heard()).not.toContain('Write /mnt/acp-workspace')
    expect(textOf(outcome)).toContain('/mnt/acp-workspace')
    expect(textOf(outcome)).not.toContain('threads')
    expect(alive()).toEqual([])
  })

  it('is never started for a call that a rule refuses', async () => {
    const { calls, alive } = await opened({ steps: [{ text: 'x' }] }, { permissions: { deny: ['invoke_acp_agent'] } })
    expect(await calls.call(call())).toMatchObject({ kind: 'refused' })
    expect(alive()).toEqual([])
  })

  it('ends with the program, in the middle of its turn', async () => {
    const { toolbox, calls, alive } = await opened({ steps: [{ text: 'I begin.' }, { hang: true }] } as AcpAgentPlan)
    const called = calls.call(call())
    await expect.poll(alive).not.toEqual([])
    await toolbox.close()
    await called
    expect(alive()).toEqual([])
  })
})
