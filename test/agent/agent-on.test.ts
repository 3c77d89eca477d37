import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import { agentOn } from '../../src/agent/agent-on.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { owner, project } from '../runtime/a-project.ts'

let model: ScriptedModel | undefined
afterEach(async () => model?.close())

async function agentWith(models: readonly object[]) {
  const { file, folder, open } = project()
  // Where whoever writes such a configuration has installed what it names.
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const agents = { clerk: { description: 'You keep the papers.' }, reader: { description: 'reads' } }
  writeFileSync(file, JSON.stringify({ version: 1, models, agents, delegation: { enabled: true } }))
  const toolbox = await open()
  return agentOn({ toolbox, owner })
}

describe('the agent that a configuration describes [R8]', () => {
  it('runs on the model that `use` names, with its words and its helpers', async () => {
    model = await startScriptedModel({
      turns: [{ user: 'Hello', steps: [{ expect: { system: ['You keep the papers.', 'reader'] }, say: 'Hello.' }] }],
    })
    const args = { model: 'some', apiKey: 'none', maxRetries: 0, configuration: { baseURL: model.openaiUrl } }
    const agent = await agentWith([{ name: 'main', use: '@langchain/openai:ChatOpenAI', args, can: ['tools'] }])
    const events: AgentEvent[] = []
    for await (const event of agent.turn('Hello')) events.push(event)
    expect(model.faults()).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(['turn', ...events.slice(1, -1).map(() => 'text'), 'end'])
    expect(events[0]).toMatchObject({ agent: 'clerk' })
  })

  it.each([
    [{ name: 'main' }, /has no `use`/],
    [{ name: 'main', use: 'left-pad:Model' }, /not listed in trusted_modules/],
    [{ name: 'main', use: '@langchain/openai:Nothing' }, /no export "Nothing"/],
  ])('says what to do when its model cannot be run: %j', async (entry, words) => {
    await expect(agentWith([entry])).rejects.toThrow(words)
  })
})
