import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/core/gate.ts'
import { changeText } from '../../src/report/change-text.ts'

const rule = { effect: 'deny', text: 'bash', scope: 'config', origin: { in: 'toolgate.yaml' } }

describe('changeText [D3, U5]', () => {
  it.each<[Change, string, string]>([
    [
      { on: 'facts', op: 'add', path: ['agent', 'groups'], value: 'web' },
      'add "web" to agent.groups of the run',
      '在本次运行的 agent.groups 中加入 "web"',
    ],
    [
      { on: 'facts', op: 'remove', path: ['permissions', 'rules'], value: rule },
      'remove the rule "deny bash" from permissions.rules of the run',
      '从本次运行的 permissions.rules 中移除 规则 "deny bash"',
    ],
    [
      { on: 'candidate', op: 'set', path: ['availability'], value: { state: 'available' } },
      'set availability of the tool to {"state":"available"}',
      '将该工具的 availability 设为 {"state":"available"}',
    ],
    [{ on: 'candidate', op: 'unset', path: ['faults'] }, 'drop faults of the tool', '去掉该工具的 faults'],
  ])('%j', (change, english, chinese) => {
    expect([changeText(change, 'en'), changeText(change, 'zh')]).toEqual([english, chinese])
  })

  it('lets no control character through, and stays short', () => {
    const text = changeText({ on: 'facts', op: 'set', path: ['a\u001b[31m'], value: 'x\n'.repeat(10_000) }, 'en')
    expect(text.length).toBeLessThan(400)
    expect(text).not.toMatch(/\p{Cc}/u)
  })
})
