// What the agent asked for: groups, servers, single tools. The coarsest gate, so it comes early.
//
//   list      absent     []          filled
//   groups    no limit   no tool     tools of other groups are out; tools without a group pass
//   servers   no limit   no server   tools of other servers are out; tools without a server are not asked
//   tools     no limit   no tool     all others are out, save those of a server that `servers` names

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, type Change, defineGate, excludes } from '../core/gate.ts'
import type { RunFacts } from '../core/run-facts.ts'
import { grantList } from './grant-list.ts'
import { listed, listedZh, quoted } from './words.ts'

type Axis = 'groups' | 'servers' | 'tools'

/** Every axis that keeps the candidate out, lifted or widened by it: one alone would not let it in. */
function letIn({ name, group, server, standIn }: Candidate, { agent }: RunFacts): readonly Change[] {
  const { groups, servers, tools } = agent
  const changes: Change[] = []
  const lift = (axis: Axis) => changes.push({ on: 'facts', op: 'unset', path: ['agent', axis] })
  const ask = (axis: Axis, value: string) => changes.push({ on: 'facts', op: 'add', path: ['agent', axis], value })
  if (groups?.length === 0) lift('groups')
  else if (groups !== undefined && group !== undefined && !groups.includes(group)) ask('groups', group)
  if (servers !== undefined && server !== undefined && !servers.includes(server)) ask('servers', server)
  if (tools?.length === 0) lift('tools')
  else if (tools !== undefined && standIn !== true && (servers === undefined || server === undefined)) {
    ask('tools', name)
  }
  return changes
}

/** What it means for the rest when the search itself was not asked for. */
const withoutSearch = (candidate: Candidate, text: string): string => (candidate.role === 'tool-search' ? text : '')

export const toolGroups = defineGate({
  id: 'tool-groups',
  asks: {
    en: 'Did this agent ask for the group, the server or the tool?',
    zh: '该智能体是否申请了这个工具所属的分组、服务器或工具本身？',
  },
  reasons: {
    'nothing-asked': abstains({
      say: {
        en: () => 'the agent names no groups, servers or tools, so everything passes',
        zh: () => '智能体未限定分组、服务器或工具，全部通过',
      },
    }),
    'has-no-group': abstains({
      say: {
        en: () => 'it belongs to no group, so the groups of the agent do not touch it',
        zh: () => '它不属于任何分组，不受智能体所限分组的影响',
      },
    }),
    'has-no-server': abstains({
      say: {
        en: () => 'it belongs to no server, so the servers of the agent do not touch it',
        zh: () => '它不属于任何服务器，不受智能体所限服务器的影响',
      },
    }),
    'not-listed-yet': abstains({
      say: {
        en: () => 'its server has not listed its tools yet, so each is asked when it has',
        zh: () => '其服务器尚未列出工具，列出后将逐个判断',
      },
    }),
    'group-asked': admits<{ readonly group: string }>({
      say: {
        en: (e) => `the agent asks for group ${quoted(e.group)}`,
        zh: (e) => `智能体申请了分组 ${quoted(e.group)}`,
      },
    }),
    'server-asked': admits<{ readonly server: string }>({
      say: {
        en: (e) => `the agent asks for server ${quoted(e.server)}, which brings all its tools`,
        zh: (e) => `智能体申请了服务器 ${quoted(e.server)}，包含其全部工具`,
      },
    }),
    'tool-asked': admits<{ readonly as: string }>({
      say: {
        en: (e) => `the agent asks for the tool itself, as ${quoted(e.as)}`,
        zh: (e) => `智能体以 ${quoted(e.as)} 之名申请了该工具`,
      },
    }),
    'no-groups-wanted': excludes({
      say: {
        en: () => 'the agent has an empty list of groups, which means no tool at all',
        zh: () => '智能体的分组列表为空，即不要任何工具',
      },
      hint: {
        en: () => 'name the groups the agent should have, or remove the empty `groups` for no restriction',
        zh: () => '请写明智能体所需的分组；若不想限制，请删除空的 `groups`',
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'no-tools-wanted': excludes({
      say: {
        en: () => 'the agent has an empty list of tools, which means no tool at all',
        zh: () => '智能体的工具列表为空，即不要任何工具',
      },
      hint: {
        en: () => 'name the tools the agent should have, or remove the empty `tools` for no restriction',
        zh: () => '请写明智能体所需的工具；若不想限制，请删除空的 `tools`',
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'no-servers-wanted': excludes<{ readonly server: string }>({
      say: {
        en: (e) => `the agent has an empty list of servers, so nothing of server ${quoted(e.server)} is wanted`,
        zh: (e) => `智能体的服务器列表为空，因此不要服务器 ${quoted(e.server)} 的任何工具`,
      },
      hint: {
        en: (e) => `add ${quoted(e.server)} to the agent's servers`,
        zh: (e) => `将 ${quoted(e.server)} 加入该智能体的 servers`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'group-not-asked': excludes<{ readonly group: string; readonly asked: readonly string[] }>({
      say: {
        en: (e) => `its group ${quoted(e.group)} is not among those the agent asks for: ${listed(e.asked)}`,
        zh: (e) => `其分组 ${quoted(e.group)} 不在智能体申请的分组之中：${listedZh(e.asked)}`,
      },
      hint: {
        en: (e) => `add ${quoted(e.group)} to the agent's groups`,
        zh: (e) => `将 ${quoted(e.group)} 加入该智能体的 groups`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'server-not-asked': excludes<{ readonly server: string; readonly asked: readonly string[] }>({
      say: {
        en: (e) => `its server ${quoted(e.server)} is not among those the agent asks for: ${listed(e.asked)}`,
        zh: (e) => `其服务器 ${quoted(e.server)} 不在智能体申请的服务器之中：${listedZh(e.asked)}`,
      },
      hint: {
        en: (e) => `add ${quoted(e.server)} to the agent's servers`,
        zh: (e) => `将 ${quoted(e.server)} 加入该智能体的 servers`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'tool-not-asked': excludes<{ readonly asked: readonly string[] }>({
      say: {
        en: (e, candidate) =>
          `it is not among the tools the agent asks for: ${listed(e.asked)}${withoutSearch(candidate, ', so no schema can be fetched on request and nothing is deferred')}`,
        zh: (e, candidate) =>
          `它不在智能体申请的工具之中：${listedZh(e.asked)}${withoutSearch(candidate, '，因此无法按需获取 schema，所有工具都不延迟')}`,
      },
      hint: {
        en: (_e, candidate) => `add ${quoted(candidate.name)} to the agent's tools`,
        zh: (_e, candidate) => `将 ${quoted(candidate.name)} 加入该智能体的 tools`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
  },
  open: (facts, _standing, because) => {
    const { groups, servers, tools, origins } = facts.agent
    const by = {
      groups: { origin: origins.groups },
      servers: { origin: origins.servers },
      tools: { origin: origins.tools },
    }
    if (groups === undefined && servers === undefined && tools === undefined) return () => because('nothing-asked', {})
    if (groups?.length === 0) return () => because('no-groups-wanted', {}, by.groups)
    if (tools?.length === 0) return () => because('no-tools-wanted', {}, by.tools)
    const groupsAsked = new Set(groups)
    const serversAsked = new Set(servers)
    const toolAsked = grantList(tools ?? [])

    return (candidate) => {
      const { group, server } = candidate
      if (servers !== undefined && server !== undefined && !serversAsked.has(server)) {
        return servers.length === 0
          ? because('no-servers-wanted', { server }, by.servers)
          : because('server-not-asked', { server, asked: servers }, by.servers)
      }
      if (groups !== undefined && group !== undefined && !groupsAsked.has(group)) {
        return because('group-not-asked', { group, asked: groups }, by.groups)
      }
      if (tools !== undefined) {
        const as = toolAsked(candidate)
        if (as !== undefined) return because('tool-asked', { as }, by.tools)
        const serverBringsIt = server !== undefined && serversAsked.has(server)
        if (!serverBringsIt && candidate.standIn === true) return because('not-listed-yet', {})
        if (!serverBringsIt) return because('tool-not-asked', { asked: tools }, by.tools)
      }
      if (groups !== undefined && group !== undefined) return because('group-asked', { group }, by.groups)
      if (servers !== undefined && server !== undefined) return because('server-asked', { server }, by.servers)
      return groups === undefined ? because('has-no-server', {}) : because('has-no-group', {})
    }
  },
})
