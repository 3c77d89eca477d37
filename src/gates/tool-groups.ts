// What the agent asked for: groups, servers, single tools. The coarsest gate, so it comes early.

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, defineGate, excludes } from '../core/gate.ts'

const listed = (items: readonly string[]): string => items.map((item) => `"${item}"`).join(', ')

export const toolGroups = defineGate({
  id: 'tool-groups',
  asks: {
    en: 'Did this agent ask for the group, the server or the tool?',
    zh: '该智能体是否申请了这个工具所属的分组、服务器或工具本身？',
  },
  reasons: {
    'no-groups-asked': abstains({
      say: {
        en: () => 'the agent names no groups, so every group passes',
        zh: () => '智能体未限定分组，所有分组均通过',
      },
    }),
    'group-not-asked': excludes<{ readonly group: string; readonly asked: readonly string[] }>({
      say: {
        en: (e) => `its group "${e.group}" is not among those the agent asks for: ${listed(e.asked)}`,
        zh: (e) => `其分组 "${e.group}" 不在智能体申请的分组之中：${listed(e.asked)}`,
      },
      hint: {
        en: (e) => `add "${e.group}" to the agent's groups`,
        zh: (e) => `将 "${e.group}" 加入该智能体的 groups`,
      },
      change: (e) => [{ on: 'facts', op: 'add', path: ['agent', 'groups'], value: e.group }],
    }),
    'group-asked': admits<{ readonly group: string }>({
      say: { en: (e) => `the agent asks for group "${e.group}"`, zh: (e) => `智能体申请了分组 "${e.group}"` },
    }),
  },
  open: (facts, _standing, because) => {
    const { groups, origins } = facts.agent
    const asked = new Set(groups)
    return (candidate: Candidate) => {
      if (groups === undefined || candidate.group === undefined) return because('no-groups-asked', {})
      const { group } = candidate
      const extras = { origin: origins.groups }
      return asked.has(group)
        ? because('group-asked', { group }, extras)
        : because('group-not-asked', { group, asked: groups }, extras)
    }
  },
})
