// Names as the first seed has them: whoever comes first among those that are left. A name that the host-shell
// gate freed therefore passes to the next source; the code says so, and `check` flags it.

import { admits, defineGate } from '../core/gate.ts'
import { claimsOn } from './claims.ts'
import { uniqueName } from './unique-name.ts'
import { quoted } from './words.ts'

const { 'reserved-name': _, ...reasons } = uniqueName.reasons

export const uniqueNameWithTakeover = defineGate({
  id: 'unique-name',
  asks: {
    en: 'Is it the first of its name among those that are left?',
    zh: '在剩余的候选中，它是否最先使用这个名字？',
  },
  reasons: {
    ...reasons,
    'name-taken-over': admits<{
      readonly name: string
      readonly holder: string
      readonly gate: string
      readonly code: string
    }>({
      say: {
        en: (e) =>
          `it takes over the name ${quoted(e.name)} that ${quoted(e.holder)} lost when ${e.gate} left it out (${e.code})`,
        zh: (e) => `它接手了名字 ${quoted(e.name)}，原属 ${quoted(e.holder)}，后者被 ${e.gate} 以 ${e.code} 排除`,
      },
    }),
  },
  open: (facts, standing, because) => {
    const strict = uniqueName.open(facts, { ...standing, reserved: [] })
    const claimOf = claimsOn(standing, 'lapse')
    return (candidate) => {
      const claim = claimOf(candidate)
      if (claim?.kind !== 'first' || claim.freedBy === undefined) return strict(candidate)
      const { id: holder, gate, code } = claim.freedBy
      return because('name-taken-over', { name: standing.nameOf(candidate), holder, gate, code })
    }
  },
})
