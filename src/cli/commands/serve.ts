import type { GatewayConfig } from '../../config/config.ts'
import { printable } from '../../core/printable.ts'
import type { Auth, StaticToken } from '../../gateway/endpoint/who.ts'
import type { Gateway } from '../../gateway/open-gateway.ts'
import { nearest } from '../../names/nearest.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Flags, usage } from '../flags.ts'
import { stopOnInterrupt } from '../interrupt.ts'
import { configOf } from '../prepare.ts'
import { printJson } from '../print-json.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'one MCP endpoint that shows and runs exactly the surface',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: {
    stdio: { type: 'boolean' },
    http: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string' },
    view: { type: 'string' },
    user: { type: 'string' },
    thread: { type: 'string' },
    preview: { type: 'string' },
  },
  flagHelp: [
    { flag: '--http', means: 'over Streamable HTTP, for any number of clients (default)' },
    { flag: '--stdio', means: 'over standard input and output, for the client that starts this program' },
    {
      flag: '--host NAME, --port N',
      means: 'where to listen (default: `gateway` of the configuration; 0: a free port)',
    },
    { flag: '--view NAME', means: 'which view a client gets that names none (default: the first)' },
    { flag: '--user ID, --thread ID', means: 'with --stdio: whose folders and sessions' },
    { flag: '--preview VIEW', means: 'print what that view would list, and end' },
  ],
  examples: ['toolgate serve --stdio', 'toolgate serve --http --port 8765', 'toolgate serve --preview default --json'],
  run: async ({ flags, terminal }) => {
    const asked = modeOf(flags)
    const loaded = await configOf(flags.policy.config, false)
    if (loaded === undefined) throw usage('a gateway needs a configuration', '--config')
    const { config, configFindings = [] } = loaded
    const views = config.gateway.views.length === 0 ? ['default'] : config.gateway.views.map(({ name }) => name)
    const view = viewIn(views, text(flags, asked === 'preview' ? 'preview' : 'view'))
    const stop = stopOnInterrupt()
    const path = flags.policy.config ?? config.file
    const { openGateway } = await import('../../gateway/open-gateway.ts')
    const { loadConfig } = await import('../../config/load-config.ts')
    const gateway = await openGateway({
      config,
      configFindings,
      version,
      program: 'serve',
      signal: stop.signal,
      reload: () => loadConfig(path, { environment: process.env }),
      progress: terminal.progress,
    })
    terminal.settle()
    try {
      if (asked === 'preview') await preview(gateway, view, { flags, terminal })
      else if (asked === 'stdio') await overStdio(gateway, { flags, view, signal: stop.signal })
      else await overHttp(gateway, { flags, terminal, view, settings: config.gateway, signal: stop.signal })
      return exitCodes.ok
    } finally {
      stop.end()
      await gateway.close()
    }
  },
}

function modeOf({ own }: Flags): 'stdio' | 'http' | 'preview' {
  const modes = (['stdio', 'http', 'preview'] as const).filter((mode) => own[mode] !== undefined)
  if (modes.length > 1) throw usage(`--${modes[0]} and --${modes[1]} exclude each other`, `--${modes[1]}`)
  return modes[0] ?? 'http'
}

const text = ({ own }: Flags, flag: string): string | undefined => {
  const value = own[flag]
  return typeof value === 'string' ? value : undefined
}

function viewIn(views: readonly string[], asked: string | undefined): string {
  const [first = 'default'] = views
  if (asked === undefined) return first
  if (views.includes(asked)) return asked
  const [near] = nearest(asked, views)
  const hint = near === undefined ? `there are: ${views.join(', ')}` : `did you mean ${near}`
  throw usage(`there is no view "${printable(asked, 64)}"`, '--view', hint)
}

interface Stdio {
  readonly flags: Flags
  readonly view: string
  readonly signal: AbortSignal
}

async function overStdio({ service }: Gateway, { flags, view, signal }: Stdio): Promise<void> {
  const { serveStdio } = await import('../../gateway/endpoint/serve-stdio.ts')
  const thread = text(flags, 'thread')
  await serveStdio({
    service,
    identity: { view, user: text(flags, 'user') ?? 'local', ...(thread === undefined ? {} : { thread }) },
    input: process.stdin,
    output: process.stdout,
    signal,
  })
}

interface Http {
  readonly flags: Flags
  readonly terminal: Terminal
  readonly view: string
  readonly settings: GatewayConfig
  readonly signal: AbortSignal
}

async function overHttp({ service }: Gateway, { flags, terminal, view, settings, signal }: Http): Promise<void> {
  const { serveHttp } = await import('../../gateway/endpoint/serve-http.ts')
  const endpoint = await serveHttp({
    service,
    auth: authOf(settings, view, text(flags, 'user') ?? 'local'),
    host: text(flags, 'host') ?? settings.host,
    port: portOf(text(flags, 'port')) ?? settings.port,
    allowedHosts: settings.allowedHosts,
    allowedOrigins: settings.allowedOrigins,
    limits: settings.limits,
    signal,
  })
  try {
    terminal.print(endpoint.url)
    terminal.note(terminal.notePaint.dim('Clients that speak MCP connect there. Ctrl-C ends it.'))
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } finally {
    await endpoint.close()
  }
}

function authOf({ tokens }: GatewayConfig, view: string, user: string): Auth {
  if (tokens.length === 0) return { kind: 'none', view, user }
  return {
    kind: 'tokens',
    tokens: tokens.map(({ name, value, sha256, views, user: whose }): StaticToken => {
      const [first = view] = views
      const grant = { name, view: first, views, user: whose }
      return sha256 === undefined ? { ...grant, value: value ?? '' } : { ...grant, sha256 }
    }),
  }
}

function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) throw usage(`--port is no port: ${given}`, '--port')
  return Number(given)
}

async function preview(
  { service }: Gateway,
  view: string,
  { flags, terminal }: { readonly flags: Flags; readonly terminal: Terminal },
): Promise<void> {
  const nobody = async (): Promise<never> => {
    throw new Error('nobody is there')
  }
  const session = await service.open({
    view,
    user: 'local',
    thread: 'preview',
    era: 'modern',
    capabilities: {},
    notify: () => {},
    ask: nobody,
  })
  try {
    const context = { signal: new AbortController().signal, progress: () => {}, notify: () => {}, ask: nobody }
    const { tools } = await session.request('tools/list', {}, context)
    const list = Array.isArray(tools)
      ? (tools as readonly { readonly name: string; readonly description?: string }[])
      : []
    if (flags.output.json) return printJson(terminal, { schema: 'toolgate.preview/1', view, tools: list })
    for (const { name, description = '' } of list)
      terminal.print(`${name}  ${terminal.paint.dim(printable(description.split('\n')[0] ?? '', 100))}`)
    terminal.note(`${list.length} tools in view "${view}"`)
  } finally {
    await session.close()
  }
}
