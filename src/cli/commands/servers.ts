import { stateFolderOf } from '../../assembly/prepare-run.ts'
import type { PreparedRun } from '../../assembly/run-input.ts'
import { serversReport } from '../../report/servers.ts'
import { serversText } from '../../report/servers-text.ts'
import { runningPrograms } from '../../runtime/session-board.ts'
import type { Command } from '../command.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const servers: Command = {
  name: 'servers',
  summary: 'every server: its state and why, when it was asked, what it costs, which processes run',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: {},
  flagHelp: [],
  examples: ['toolgate servers', 'toolgate servers --refresh', 'toolgate servers --json | jq .servers[].state'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare()
    const now = Date.now()
    const programs = run.config === undefined ? [] : await runningPrograms(stateFolderOf(run.config))
    const report = serversReport(run, programs, {
      ...(await reportOptions(flags.output)),
      ...(flags.policy.snapshot === undefined ? { askedAt: new Date(now).toISOString() } : {}),
      withHeader: await serversWithHeader(run),
    })
    if (flags.output.json) printJson(terminal, report)
    else {
      const style = { lang: flags.output.lang, paint: terminal.paint, width: terminal.width }
      terminal.print(serversText(report, { ...style, now }))
    }
    return exitOf(run)
  },
}

/** Loaded only where a server wants a login: the client of MCP comes with it. */
async function serversWithHeader({ config, servers }: PreparedRun): Promise<ReadonlySet<string>> {
  if (config === undefined || !servers.some(({ state }) => state === 'login-needed')) return new Set()
  const { hasAuthorizationHeader } = await import('../../sessions/login/oauth-session.ts')
  return new Set(config.mcpServers.filter(hasAuthorizationHeader).map(({ name }) => name))
}
