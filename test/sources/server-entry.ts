// Entries of servers for tests and checks. Apart from what makes programs, so that it costs nothing to import.

import type { McpServerConfig } from '../../src/config/config.ts'

/** An entry with nothing remarkable about it, and no way to reach it yet. */
export const bareEntry = (name: string, more: Partial<McpServerConfig> = {}): McpServerConfig => ({
  name,
  transport: 'stdio',
  args: [],
  env: {},
  headers: {},
  enabled: true,
  approved: true,
  required: false,
  prefix: true,
  trustAnnotations: false,
  excludeTools: [],
  tools: [],
  startTimeoutMs: 20_000,
  callTimeoutMs: 20_000,
  callTotalMs: 60_000,
  origin: { in: 'toolgate.yaml', key: `mcp_servers.${name}`, line: 7 },
  origins: {},
  ...more,
})

/** One that starts Node. */
export const serverConfig = (name: string, more: Partial<McpServerConfig> = {}): McpServerConfig =>
  bareEntry(name, { command: process.execPath, ...more })
