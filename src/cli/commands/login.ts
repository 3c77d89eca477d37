import { stateFolderOf } from '../../assembly/prepare-run.ts'
import type { Config, McpServerConfig } from '../../config/config.ts'
import { redactor } from '../../config/redact.ts'
import { printable } from '../../core/printable.ts'
import { type ErrorCode, finding, ToolgateError } from '../../errors.ts'
import { nearest } from '../../names/nearest.ts'
import { listingIdentity } from '../../sessions/listing/listing-identity.ts'
import { listingStore } from '../../sessions/listing/listing-store.ts'
import { credentialStore } from '../../sessions/login/credential-store.ts'
import type { Credential } from '../../sessions/login/oauth-credential.ts'
import type { LoginPage } from '../../sessions/login/oauth-login.ts'
import type { SessionAuth } from '../../sessions/login/oauth-session.ts'
import type { Command } from '../command.ts'
import { errorLines } from '../error-text.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type Flags, usage } from '../flags.ts'
import { configOf } from '../prepare.ts'
import { printJson } from '../print-json.ts'
import type { Terminal } from '../terminal.ts'

export const login: Command = {
  name: 'login',
  summary: 'log in to a remote server by a browser, or forget a login',
  usage: 'SERVER',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: { forget: { type: 'boolean' }, wait: { type: 'string' } },
  flagHelp: [
    { flag: '--forget', means: 'remove what is stored of the login instead' },
    { flag: '--wait SECONDS', means: 'how long the browser may take (default: 300)' },
  ],
  examples: ['toolgate login docs', 'toolgate login docs --forget'],
  run: async ({ flags, terminal, positionals }) => {
    rejectPolicy(flags)
    const waitMs = waitOf(flags)
    const loaded = await configOf(flags.policy.config, false)
    if (loaded === undefined) throw usage('a login needs a configuration', '--config')
    const { config } = loaded
    const name = positionals[0] ?? ''
    if (flags.own.forget === true) return forgotten(name, { config, flags, terminal })
    return loggedIn(serverNamed(config, name), { config, flags, terminal, waitMs })
  },
}

interface Asked {
  readonly config: Config
  readonly flags: Flags
  readonly terminal: Terminal
}

/** What a policy flag would change is decided long after a login. */
function rejectPolicy({ policy }: Flags): void {
  const given = Object.entries(policy).find(
    ([key, value]) => key !== 'config' && value !== undefined && value !== false,
  )
  if (given === undefined) return
  const flag = `--${given[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/(skill|tool|prefixe)s$/, '$1')}`
  throw usage('of the policy flags, only --config has an effect on a login', flag, `leave ${flag} out`)
}

const waitMax = 3600

function waitOf({ own }: Flags): number | undefined {
  if (typeof own.wait !== 'string') return undefined
  if (own.forget === true) throw usage('--wait has no effect beside --forget', '--wait')
  const seconds = /^\d{1,4}$/.test(own.wait) ? Number(own.wait) : 0
  if (seconds < 1 || seconds > waitMax) throw usage(`--wait takes seconds from 1 to ${waitMax}`, '--wait')
  return seconds * 1000
}

function serverNamed(config: Config, name: string): McpServerConfig {
  const server = config.mcpServers.find((one) => one.name === name)
  if (server !== undefined) return server
  const unusable = config.unusable?.find((entry) => entry.kind === 'server' && entry.name === name)
  if (unusable !== undefined) {
    const { detail, origin } = unusable
    throw new ToolgateError(
      finding('server-unavailable', 'error', `server "${printable(name, 64)}" cannot be used: ${detail}`, { origin }),
    )
  }
  const known = config.mcpServers.map((one) => one.name)
  const [near] = nearest(name, known)
  const hint = near === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${near}"`
  throw new ToolgateError(
    finding('unknown-name', 'error', `there is no server "${printable(name, 64)}"`, { subject: name, hint }),
  )
}

/** Of a server that the configuration has no longer, a login may be left as well; only a name that is known nowhere is an error. */
async function forgotten(name: string, { config, flags, terminal }: Asked): Promise<ExitCode> {
  const removed = await credentialStore(stateFolderOf(config)).forget(name)
  const server = config.mcpServers.find((one) => one.name === name)
  if (removed === 0) serverNamed(config, name)
  else if (server !== undefined) await askAnew(server, config)
  const state = removed === 0 ? 'nothing-stored' : 'forgotten'
  if (flags.output.json) printJson(terminal, { schema: 'toolgate.login/1', server: name, state, removed })
  else terminal.print(`${name}: ${removed === 0 ? 'no login is stored' : 'the login is forgotten'}`)
  return exitCodes.ok
}

async function loggedIn(
  server: McpServerConfig,
  asked: Asked & { readonly waitMs: number | undefined },
): Promise<ExitCode> {
  const { config, terminal, waitMs } = asked
  const { loginFault, loginTo } = await import('../../sessions/login/oauth-login.ts')
  const { LoginFailure } = await import('../../sessions/login/oauth-failure.ts')
  const idle = server.enabled ? 'nobody approved it' : 'it says enabled: false'
  if (!server.enabled || !server.approved)
    return failed('login-unsupported', `the server is not called, for ${idle}`, undefined, server, asked)
  const fault = loginFault(server)
  if (fault !== undefined) return failed(fault.code, fault.message, fault.hint, server, asked)
  terminal.progress(`${server.name}: asking whether it wants a login`)
  const open = await toolsOf(server, config)
  if ('tools' in open) return done(server, 'no-login-needed', open.tools, undefined, asked)
  if (open.state !== 'login-needed') return failed('server-unavailable', open.detail, undefined, server, asked)
  terminal.settle()
  try {
    const credential = await loginTo(server, {
      stateFolder: stateFolderOf(config),
      show: (page) => terminal.note(pageText(server, page, terminal)),
      ...(waitMs === undefined ? {} : { deadlineMs: waitMs }),
    })
    terminal.progress(`${server.name}: listing its tools`)
    await askAnew(server, config)
    const { sessionAuth } = await import('../../sessions/login/oauth-session.ts')
    const listed = await toolsOf(server, config, sessionAuth(server, stateFolderOf(config)))
    if ('tools' in listed) return done(server, 'logged-in', listed.tools, credential, asked)
    const detail = `the login is stored, but the server could not be listed with it: ${listed.detail}`
    return failed('login-failed', detail, undefined, server, asked)
  } catch (error) {
    if (!(error instanceof LoginFailure)) throw error
    return failed(error.code, error.message, error.hint, server, asked)
  }
}

type Listed = { readonly tools: number } | { readonly state: string; readonly detail: string }

async function toolsOf(server: McpServerConfig, config: Config, auth?: SessionAuth): Promise<Listed> {
  const { listServer } = await import('../../sessions/listing/list-server.ts')
  const listing = await listServer(server, {
    folder: config.folder,
    environment: process.env,
    messageBytesMax: config.limits.messageBytes,
    ...(auth === undefined ? {} : { auth }),
  })
  if (!('state' in listing)) return { tools: listing.tools.length }
  if (listing.state === 'listed-nothing') return { tools: 0 }
  return { state: listing.state, detail: listing.message }
}

/** What was listed under another login, or under one that is gone, is not served any more: the next run asks. */
async function askAnew(server: McpServerConfig, config: Config): Promise<void> {
  const at = new Date().toISOString()
  await listingStore(stateFolderOf(config)).markFailed(server.name, listingIdentity(server), at)
}

function pageText(server: McpServerConfig, page: LoginPage, { notePaint }: Terminal): string {
  const { bold, dim, yellow } = notePaint
  const { origin, pathname } = new URL(server.url ?? '')
  const { issuerBefore } = page
  const before = `  the login before came from  ${issuerBefore}`
  return [
    `Login to server ${bold(server.name)} at ${printable(`${origin}${pathname}`, 200)}`,
    `  authorization server  ${page.issuer}`,
    ...(issuerBefore === undefined ? [] : [yellow(before)]),
    `  the address leads to  ${bold(page.host)}`,
    '',
    'Open this address in a browser on this machine:',
    '',
    page.url,
    '',
    dim(`Waiting for the answer at ${page.redirectUrl}, for ${page.deadlineMs / 1000} s; Ctrl+C ends it.`),
  ].join('\n')
}

function done(
  server: McpServerConfig,
  state: 'logged-in' | 'no-login-needed',
  tools: number,
  credential: Credential | undefined,
  { flags, terminal }: Asked,
): ExitCode {
  const counted = `${tools} ${tools === 1 ? 'tool' : 'tools'}`
  const said = state === 'logged-in' ? 'logged in' : 'it needs no login'
  if (flags.output.json) {
    const { issuer, tokens } = credential ?? {}
    printJson(terminal, {
      schema: 'toolgate.login/1',
      server: server.name,
      state,
      tools,
      ...(issuer === undefined ? {} : { issuer: printable(issuer, 300) }),
      ...(tokens === undefined ? {} : { renewable: tokens.refresh !== undefined }),
      ...(tokens?.scope === undefined ? {} : { scope: printable(tokens.scope, 300) }),
      ...(tokens?.expiresAt === undefined ? {} : { expiresAt: tokens.expiresAt }),
    })
  } else terminal.print(`${server.name}: ${said}; ${counted}`)
  return exitCodes.ok
}

function failed(
  code: ErrorCode,
  message: string,
  hint: string | undefined,
  server: McpServerConfig,
  { config, flags, terminal }: Asked,
): ExitCode {
  terminal.settle()
  const words = redactor(config.secrets)(`${server.name}: ${message}`)
  const more = { subject: server.name, origin: server.origin, ...(hint === undefined ? {} : { hint }) }
  const found = finding(code, 'error', words, more)
  if (flags.output.json) printJson(terminal, { schema: 'toolgate.error/1', findings: [found] })
  else terminal.note(errorLines(found, terminal.notePaint).join('\n'))
  return exitCodes.no
}
