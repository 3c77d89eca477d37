// The MCP switch as claw-code has it: the letters "mcp" anywhere in a name or path. The reader of the inventory
// marks what that test would hit; this gate follows the mark and says where the declared protocol disagrees.

import { admits, defineGate, excludes } from '../core/gate.ts'
import { mcpSwitch } from './mcp-switch.ts'

/** Set by the inventory reader on entries whose name or path holds the letters "mcp". */
export const mcpBySubstringMark = 'claw:mcp-by-substring'

const base = mcpSwitch.reasons

export const mcpSwitchBySubstring = defineGate({
  id: 'mcp-switch',
  asks: {
    en: 'If MCP is off, does its name or path hold the letters "mcp"?',
    zh: '如果 MCP 已关闭，其名字或路径中是否含有 "mcp" 字样？',
  },
  reasons: {
    'mcp-on': base['mcp-on'],
    'not-mcp': base['not-mcp'],
    'mcp-off': base['mcp-off'],
    'mcp-by-substring': excludes<{ readonly protocol: string }>({
      say: {
        en: (e) => `its name or path holds the letters "mcp", though its protocol is \`${e.protocol}\``,
        zh: (e) => `其名字或路径含有 "mcp" 字样，但其协议为 \`${e.protocol}\``,
      },
      hint: {
        en: () => 'switch MCP on, or use the default preset, which goes by protocol',
        zh: () => '请开启 MCP，或使用按协议判断的默认预设',
      },
      change: base['mcp-off'].change,
    }),
    'mcp-missed': admits({
      say: {
        en: () => 'it came over MCP, yet neither name nor path holds the letters "mcp"',
        zh: () => '它来自 MCP，但名字和路径都不含 "mcp" 字样',
      },
    }),
  },
  open: (facts, _standing, because) => {
    const { on, origin } = facts.mcp
    if (on) return () => because('mcp-on', {})
    return ({ protocol, marks }) => {
      const marked = marks?.includes(mcpBySubstringMark) === true
      if (protocol === 'mcp') return because(marked ? 'mcp-off' : 'mcp-missed', {}, { origin })
      return marked ? because('mcp-by-substring', { protocol }, { origin }) : because('not-mcp', {})
    }
  },
})
