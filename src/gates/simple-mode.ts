// The smallest set that can still do work: a shell, reading files, editing files. For teaching and first steps.

import type { ToolRole } from '../core/candidate.ts'
import { abstains, admits, defineGate, excludes } from '../core/gate.ts'

const basicRoles: readonly ToolRole[] = ['shell', 'file-read', 'file-edit']

export const simpleMode = defineGate({
  id: 'simple-mode',
  asks: {
    en: 'In simple mode, is it one of the few basic tools?',
    zh: '在简单模式下，它是否属于少数几个基础工具？',
  },
  reasons: {
    'simple-mode-off': abstains({ say: { en: () => 'simple mode is off', zh: () => '简单模式未开启' } }),
    'basic-role': admits<{ readonly role: string }>({
      say: {
        en: (e) => `simple mode keeps the role \`${e.role}\``,
        zh: (e) => `简单模式保留角色 \`${e.role}\``,
      },
    }),
    'not-basic': excludes({
      say: {
        en: () => 'simple mode keeps only a shell, file reading and file editing',
        zh: () => '简单模式仅保留 shell、读文件和改文件',
      },
      hint: {
        en: () => 'leave simple mode, or give the tool the role `shell`, `file-read` or `file-edit` if it is one',
        zh: () => '请退出简单模式；若该工具确属此类，可为其声明角色 `shell`、`file-read` 或 `file-edit`',
      },
      change: () => [{ on: 'facts', op: 'set', path: ['simpleMode', 'on'], value: false }],
    }),
  },
  open: (facts, _standing, because) => {
    const { on, origin } = facts.simpleMode
    if (!on) return () => because('simple-mode-off', {})
    const excluded = because('not-basic', {}, { origin })
    return ({ role }) =>
      role !== undefined && basicRoles.includes(role) ? because('basic-role', { role }, { origin }) : excluded
  },
})
