// Groups as the first seed has them: they touch configured tools only. Whatever else carries a group that the
// agent did not ask for comes in all the same, and the code says so, because people do not expect it.

import { admits, defineGate } from '../core/gate.ts'
import { toolGroups } from './tool-groups.ts'
import { quoted } from './words.ts'

export const toolGroupsOfConfig = defineGate({
  id: 'tool-groups',
  asks: {
    en: 'If it is a configured tool, did this agent ask for its group, and for the server or the tool?',
    zh: '若为配置中的工具，该智能体是否申请了其分组？是否申请了该服务器或工具？',
  },
  reasons: {
    ...toolGroups.reasons,
    'group-ignored': admits<{ readonly group?: string; readonly source: string }>({
      say: {
        en: (e) =>
          `${e.group === undefined ? 'the agent wants no groups' : `the agent does not ask for group ${quoted(e.group)}`}, but here groups touch configured tools only, and this one is of source \`${e.source}\``,
        zh: (e) =>
          `${e.group === undefined ? '智能体不要任何分组' : `智能体未申请分组 ${quoted(e.group)}`}，但此处分组只作用于配置中的工具，而它来自 \`${e.source}\``,
      },
    }),
  },
  open: (facts, standing, because) => {
    const usual = toolGroups.open(facts, standing)
    const { groups: _, ...agent } = facts.agent
    const withoutGroups = toolGroups.open({ ...facts, agent }, standing)
    return (candidate) => {
      const verdict = usual(candidate)
      if (candidate.source === 'config' || verdict.effect !== 'exclude') return verdict
      const otherwise = withoutGroups(candidate)
      if (otherwise.effect === 'exclude') return otherwise
      const { group, source } = candidate
      return because('group-ignored', group === undefined ? { source } : { group, source }, {
        origin: facts.agent.origins.groups,
      })
    }
  },
})
