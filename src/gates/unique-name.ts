// From here on a name means one tool. The first claimant in the order of sources has it: config, built-in, MCP,
// ACP. A name that a safety gate took away is not handed on, or a server could offer its own `bash` instead.

import { abstains, admits, type Change, defineGate, excludes } from '../core/gate.ts'
import { claimsOn, freeNamesOn } from './claims.ts'
import { listed, listedZh, quoted } from './words.ts'

const rename = (free: string): readonly Change[] => [{ on: 'candidate', op: 'set', path: ['name'], value: free }]

export const uniqueName = defineGate({
  id: 'unique-name',
  asks: {
    en: 'Does the name mean this tool and no other?',
    zh: '这个名字是否只指这一个工具？',
  },
  reasons: {
    'stands-for-a-server': abstains({
      say: { en: () => 'it stands for a server and bears no name of a tool', zh: () => '它代表服务器，没有工具名' },
    }),
    'only-one': admits({
      say: { en: () => 'no other candidate bears this name', zh: () => '没有其他候选使用这个名字' },
    }),
    'first-of-name': admits<{ readonly name: string; readonly over: readonly string[] }>({
      say: {
        en: (e) => `it came first to the name ${quoted(e.name)}, before ${listed(e.over)}`,
        zh: (e) => `它最先使用名字 ${quoted(e.name)}，先于 ${listedZh(e.over)}`,
      },
    }),
    'duplicate-name': excludes<{ readonly name: string; readonly winner: string; readonly free: string }>({
      say: {
        en: (e) => `the name ${quoted(e.name)} belongs to ${quoted(e.winner)}, which came first`,
        zh: (e) => `名字 ${quoted(e.name)} 属于先到的 ${quoted(e.winner)}`,
      },
      hint: {
        en: (e) => `give one of the two another name, such as ${quoted(e.free)}, or leave the first one out`,
        zh: (e) => `请为其中之一改名，例如 ${quoted(e.free)}，或排除先到的那个`,
      },
      change: (e) => rename(e.free),
    }),
    'reserved-name': excludes<{
      readonly name: string
      readonly holder: string
      readonly gate: string
      readonly code: string
      readonly free: string
    }>({
      say: {
        en: (e) =>
          `the name ${quoted(e.name)} stays with ${quoted(e.holder)}, which ${e.gate} left out (${e.code}), and is not handed on`,
        zh: (e) =>
          `名字 ${quoted(e.name)} 仍归 ${quoted(e.holder)} 所有（被 ${e.gate} 以 ${e.code} 排除），不会转给他人`,
      },
      hint: {
        en: (e) => `give this tool another name, such as ${quoted(e.free)}, or take the other one out of its source`,
        zh: (e) => `请为该工具改名，例如 ${quoted(e.free)}，或将另一个从其来源中移除`,
      },
      change: (e) => rename(e.free),
    }),
    // Last guard: nothing that only stands for a server may ever look like a tool.
    'server-not-started': excludes({
      say: {
        en: () => 'its server was not started on this run, so there is no tool behind it to call',
        zh: () => '其服务器在本次运行中未启动，背后没有可调用的工具',
      },
      hint: {
        en: () => 'start the server by letting at least one of its tools through the gates',
        zh: () => '请至少让该服务器的一个工具通过闸门，使其启动',
      },
      change: () => [{ on: 'candidate', op: 'set', path: ['availability'], value: { state: 'available' } }],
    }),
  },
  open: (_facts, standing, because) => {
    const claimOf = claimsOn(standing, 'bind')
    const freeName = freeNamesOn(standing)
    return (candidate) => {
      const claim = claimOf(candidate)
      if (claim === undefined) {
        return because(candidate.availability.state === 'available' ? 'stands-for-a-server' : 'server-not-started', {})
      }
      const name = standing.nameOf(candidate)
      switch (claim.kind) {
        case 'first':
          return claim.over.length === 0
            ? because('only-one', {})
            : because('first-of-name', { name, over: claim.over })
        case 'later': {
          const { id: winner, origin } = claim.winner
          return because('duplicate-name', { name, winner, free: freeName(candidate) }, { origin })
        }
        case 'reserved': {
          const { id: holder, gate, code } = claim.holder
          return because('reserved-name', { name, holder, gate, code, free: freeName(candidate) })
        }
      }
    }
  },
})
