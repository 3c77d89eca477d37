// Simple mode as claw-code has it: three exact names instead of roles. The reader of the inventory marks the
// entries that claw-code would keep; where a declared role disagrees, the code says so.

import { admits, defineGate, excludes } from '../core/gate.ts'
import { simpleMode } from './simple-mode.ts'

/** Set by the inventory reader on entries that bear one of claw-code's three names. */
export const simpleByNameMark = 'claw:simple-by-name'

const { change } = simpleMode.reasons['not-basic']

export const simpleModeByName = defineGate({
  id: 'simple-mode',
  asks: {
    en: 'In simple mode, does it bear one of the three names that claw-code keeps?',
    zh: '在简单模式下，它是否为 claw-code 所保留的三个名字之一？',
  },
  reasons: {
    'simple-mode-off': simpleMode.reasons['simple-mode-off'],
    'simple-by-name': admits({
      say: {
        en: () => 'it bears one of the three names that simple mode keeps',
        zh: () => '它是简单模式保留的三个名字之一',
      },
    }),
    'role-without-the-name': excludes<{ readonly role: string }>({
      say: {
        en: (e) => `its role \`${e.role}\` is basic, yet it bears none of the three names that are kept`,
        zh: (e) => `其角色 \`${e.role}\` 属于基础角色，但名字不在保留的三个之中`,
      },
      hint: {
        en: () => 'leave simple mode, or use the default preset, which goes by role',
        zh: () => '请退出简单模式，或使用按角色判断的默认预设',
      },
      change,
    }),
    'name-not-kept': excludes({
      say: {
        en: () => 'simple mode keeps three names only, and this is none of them',
        zh: () => '简单模式仅保留三个名字，它不在其中',
      },
      hint: {
        en: () => 'run without `--simple-mode`',
        zh: () => '请去掉 `--simple-mode` 后再运行',
      },
      change,
    }),
  },
  open: (facts, standing, because) => {
    const { on, origin } = facts.simpleMode
    if (!on) return () => because('simple-mode-off', {})
    const byRole = simpleMode.open(facts, standing)
    return (candidate) => {
      if (candidate.marks?.includes(simpleByNameMark) === true) return because('simple-by-name', {}, { origin })
      const { role } = candidate
      return role !== undefined && byRole(candidate).effect === 'admit'
        ? because('role-without-the-name', { role }, { origin })
        : because('name-not-kept', {}, { origin })
    }
  },
})
