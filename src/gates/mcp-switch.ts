// One switch for everything that came over MCP, told by the declared protocol and by nothing else.

import { abstains, defineGate, excludes } from '../core/gate.ts'

export const mcpSwitch = defineGate({
  id: 'mcp-switch',
  asks: { en: 'If it came over MCP, is MCP on?', zh: '如果它来自 MCP，MCP 是否开启？' },
  reasons: {
    'mcp-on': abstains({ say: { en: () => 'MCP is on', zh: () => 'MCP 已开启' } }),
    'not-mcp': abstains({ say: { en: () => 'it did not come over MCP', zh: () => '它并非来自 MCP' } }),
    'mcp-off': excludes({
      say: {
        en: () => 'it came over MCP, and MCP is switched off for this run',
        zh: () => '它来自 MCP，而本次运行已关闭 MCP',
      },
      hint: { en: () => 'run without `--no-mcp`', zh: () => '请去掉 `--no-mcp` 后再运行' },
      change: () => [{ on: 'facts', op: 'set', path: ['mcp', 'on'], value: true }],
    }),
  },
  open: (facts, _standing, because) => {
    const { on, origin } = facts.mcp
    if (on) return () => because('mcp-on', {})
    const excluded = because('mcp-off', {}, { origin })
    return (candidate) => (candidate.protocol === 'mcp' ? excluded : because('not-mcp', {}))
  },
})
