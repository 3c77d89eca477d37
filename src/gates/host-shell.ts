// Commands on the host are a safety boundary. Judged by the declared need, so that neither another name nor
// another group nor a re-export carries a shell past it.

import { abstains, admits, defineGate, excludes } from '../core/gate.ts'

export const hostShell = defineGate({
  id: 'host-shell',
  asks: {
    en: 'If the tool runs commands, may it run them here?',
    zh: '如果该工具会执行命令，是否允许在此处执行？',
  },
  reasons: {
    'needs-no-shell': abstains({ say: { en: () => 'it needs no shell', zh: () => '它不需要 shell' } }),
    sandboxed: admits({
      say: { en: () => 'its commands run inside the sandbox', zh: () => '它的命令在沙箱内执行' },
    }),
    'host-allowed': admits({
      say: {
        en: () => 'the operator lets commands run on this machine itself',
        zh: () => '操作者允许命令直接在本机执行',
      },
    }),
    'host-shell-closed': excludes<{ readonly sandbox: string }>({
      say: {
        en: (e) =>
          e.sandbox === 'none'
            ? 'it would run commands on this machine itself, with no sandbox around them'
            : 'it runs commands by itself, on this machine and outside of the sandbox',
        zh: (e) =>
          e.sandbox === 'none' ? '它会直接在本机执行命令，且没有沙箱隔离' : '它自行在本机执行命令，不经过沙箱',
      },
      hint: {
        en: (e) =>
          e.sandbox === 'none'
            ? 'run it in a sandbox, or set `sandbox.allow_host_bash: true` and accept what such commands can do'
            : 'use the built-in `bash`, or set `sandbox.allow_host_bash: true` and accept what such commands can do',
        zh: (e) =>
          e.sandbox === 'none'
            ? '请启用沙箱，或设置 `sandbox.allow_host_bash: true` 并自行承担命令带来的风险'
            : '请改用内置的 `bash`，或设置 `sandbox.allow_host_bash: true` 并自行承担命令带来的风险',
      },
      change: () => [{ on: 'facts', op: 'set', path: ['sandbox', 'allowHostBash'], value: true }],
      reserves: true,
    }),
  },
  open: (facts, _standing, because) => {
    const { kind, allowHostBash, origin } = facts.sandbox
    // Strictly the boolean: a text "false" or "no" is a mistake, and a mistake opens nothing.
    const onHost =
      allowHostBash === true
        ? because('host-allowed', {}, { origin })
        : because('host-shell-closed', { sandbox: kind }, { origin })
    // No sandbox is around what runs commands by itself: a module of somebody's, a server.
    const where = kind === 'namespace' ? because('sandboxed', {}, { origin }) : onHost
    return ({ needs }) =>
      needs.includes('host-shell') ? onHost : needs.includes('shell') ? where : because('needs-no-shell', {})
  },
})
