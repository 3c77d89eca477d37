// All small worlds: three names at two sources, in every subset, under every combination of the switches by which
// each gate bites or does not. 2^6 subsets × 2^12 combinations = 262,144 worlds.

import { type CandidatePlan, type World, type WorldPlan, worldOf } from './world.ts'

/** One for each gate of the default order but provider-fit and unique-name, which share one: what bears which name. */
const switches = [
  'availability',
  'definition',
  'groups',
  'hostShell',
  'model',
  'simple',
  'mcpOff',
  'permissions',
  'skills',
  'child',
  'bareNames',
  'deferral',
] as const
type Switches = { readonly [name in (typeof switches)[number]]?: boolean }

const slots = 6
export const smallWorldsCount = 2 ** (slots + switches.length)

/** The small world of a number from 0 to `smallWorldsCount` - 1. */
export function smallWorld(number: number): World {
  const subset = number % 2 ** slots
  const bits = Math.floor(number / 2 ** slots)
  const on: Switches = Object.fromEntries(switches.map((name, at) => [name, (bits >> at) % 2 === 1]))
  return worldOf(planOf(on, (slot) => (subset >> slot) % 2 === 1))
}

function planOf(on: Switches, has: (slot: number) => boolean): WorldPlan {
  const mine = (plan: Omit<CandidatePlan, 'source'>): CandidatePlan => ({ source: 'config', ...plan })
  const theirs = (plan: Omit<CandidatePlan, 'source'>): CandidatePlan => ({
    source: 'mcp',
    server: 's1',
    bare: on.bareNames === true,
    words: 40,
    ...plan,
  })
  const candidates = [
    mine({ name: 'a', group: 'g1', role: 'shell', needs: ['host-shell'], effects: ['execute'] }),
    mine({
      name: 'A',
      group: 'g2',
      role: 'file-read',
      effects: ['read'],
      ...(on.definition === true ? { fault: 'invalid-schema' } : {}),
    }),
    mine({ name: 'a.b', role: 'tool-search', label: 'search' }),
    theirs({ name: 'a', needs: ['vision'], group: 'g1' }),
    theirs({ name: 'A', ...(on.availability === true ? { state: 'login-needed' } : {}) }),
    theirs({
      name: 'a.b',
      role: 'file-edit',
      effects: ['write'],
      words: 10,
      ...(on.definition === true ? { pinned: 'another' } : {}),
    }),
  ] as const
  return {
    candidates: candidates.filter((_, slot) => has(slot)),
    ...(on.groups === true ? { agent: { groups: ['g1'] } } : {}),
    ...(on.model === true ? { can: ['tools'] } : {}),
    sandbox:
      on.hostShell === true ? { kind: 'none', allowHostBash: false } : { kind: 'namespace', allowHostBash: false },
    simple: on.simple === true,
    mcp: on.mcpOff !== true,
    pins: on.definition === true,
    ...(on.permissions === true
      ? {
          rules: [
            ['deny', 's1/A'],
            ['deny', 'effect:execute'],
            ['ask', 'a_b'],
            ['allow', 'a'],
          ],
          attended: false,
        }
      : {}),
    ...(on.skills === true
      ? {
          skills: {
            list: [{ name: 'k', enabled: true, active: true, allowedTools: ['a', 's1/a.b'], origin: { in: 'k' } }],
          },
        }
      : {}),
    ...(on.child === true
      ? {
          delegation: {
            depth: 1,
            parent: { agent: 'main', tools: ['config:a', 'config:a.b', 'mcp:s1/a', 'mcp:s1/a.b'] },
            deny: ['s1/a'],
          },
        }
      : {}),
    deferral: {
      mode: on.deferral === true ? 'auto' : 'off',
      budgetTokens: 40,
      use: [{ id: 'mcp:s1/a', calls: 3 }],
    },
  }
}
