import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/core/decision.ts'
import { type Invokers, invoke } from '../../src/runtime/invoke.ts'
import type { CallOutcome, ToolCall } from '../../src/runtime/tool-call.ts'
import { acp } from '../../src/sources/acp.ts'
import { config, input } from '../sources/scripted.ts'
import { type Scripted, scripted } from './acp-world.ts'

/** A call of the tool, carried out where these agents are configured. */
async function called(one: Scripted, args: object, more: Partial<ToolCall & Invokers> = {}): Promise<CallOutcome> {
  const { candidates } = await acp.collect(input({ config: config({ acpAgents: [one.agent] }) }))
  const [candidate] = candidates
  const decision = { candidate, name: 'invoke_acp_agent' } as unknown as Decision
  const { askAcp, acpAgents = new Map([[one.agent.name, one.agent]]), ...call } = more
  return invoke({ name: 'invoke_acp_agent', args: args as never, decision, ...call }, {
    modules: new Map(),
    servers: new Map(),
    owner: one.workspace.owner,
    workspace: one.workspace,
    acpAgents,
    ...(askAcp === undefined ? {} : { askAcp }),
  } as unknown as Invokers)
}

describe('a call of invoke_acp_agent [R1, S5]', () => {
  it('gives what the agent said as a result, with signs of progress on the way', async () => {
    const one = await scripted([{ ask: { title: 'Write' } }, { text: 'Hello\n' }, { text: 'there.' }])
    const signs: unknown[] = []
    const outcome = await called(
      one,
      { agent: 'helper', prompt: 'Greet.' },
      { onProgress: (sign) => signs.push(sign), askAcp: async ({ title }) => title === 'Write' },
    )
    expect(outcome).toMatchObject({
      kind: 'result',
      isError: false,
      content: [{ type: 'text', text: 'Hello\nthere.' }],
      structuredContent: { status: 'answered', agent: 'helper', denied: [] },
    })
    expect(signs).toEqual([
      { progress: 1, message: 'Hello\n' },
      { progress: 2, message: 'there.' },
    ])
    expect(one.received().at(2)).toMatchObject({ params: { prompt: [{ text: 'Greet.' }] } })
  })

  it('of an agent that is not configured fails, and names those that are', async () => {
    const outcome = await called(await scripted([]), { agent: 'helqer', prompt: 'x' })
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'acp-agent-unknown',
      message: 'there is no agent "helqer"; there are: helper',
      sent: false,
    })
  })

  it('that gave the agent nothing to do says so: it may be made again', async () => {
    const one = await scripted({ authRequired: 'session/new' })
    expect(await called(one, { agent: 'helper', prompt: 'x' })).toMatchObject({
      kind: 'failed',
      code: 'acp-auth-needed',
      action: expect.stringContaining('acp_agents.helper.env'),
      sent: false,
    })
  })

  it('that is called off is told as a cancelled turn, with what was said', async () => {
    const one = await scripted([{ text: 'begun' }, { hang: true }])
    const stop = new AbortController()
    const over = called(one, { agent: 'helper', prompt: 'x' }, { signal: stop.signal })
    await expect.poll(() => one.received().at(-1)?.method, { timeout: 20_000 }).toBe('session/prompt')
    stop.abort()
    expect(await over).toMatchObject({ kind: 'result', isError: true, structuredContent: { status: 'cancelled' } })
  })
})
