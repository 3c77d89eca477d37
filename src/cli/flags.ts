// The flags that every command shares, parsed in this one place. A command adds its own beside them.

import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { RunPolicy } from '../assembly/policy.ts'
import { finding, ToolgateError } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import type { Lang } from '../report/words.ts'

export type FlagSpecs = NonNullable<ParseArgsConfig['options']>

export interface FlagHelp {
  readonly flag: string
  readonly means: string
}

const policyFlags = {
  config: { type: 'string' },
  snapshot: { type: 'string' },
  agent: { type: 'string' },
  model: { type: 'string' },
  target: { type: 'string' },
  subagent: { type: 'string' },
  preset: { type: 'string' },
  skill: { type: 'string', multiple: true },
  'simple-mode': { type: 'boolean' },
  'no-mcp': { type: 'boolean' },
  'deny-tool': { type: 'string', multiple: true },
  'deny-prefix': { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  unattended: { type: 'boolean' },
  lenient: { type: 'boolean' },
  refresh: { type: 'boolean' },
  log: { type: 'string' },
} as const satisfies FlagSpecs

const outputFlags = {
  json: { type: 'boolean' },
  limit: { type: 'string' },
  all: { type: 'boolean' },
  lang: { type: 'string' },
  exact: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies FlagSpecs

/** One line for each shared flag, in the order of the help page. */
export const sharedFlagHelp: readonly FlagHelp[] = [
  { flag: '--config FILE', means: 'the configuration (default: toolgate.yaml here)' },
  { flag: '--snapshot FILE', means: 'a stored inventory instead; nothing is started or imported' },
  { flag: '--agent NAME', means: 'whose surface (default: the first agent)' },
  { flag: '--model NAME', means: 'on which model (default: the agent’s)' },
  { flag: '--target NAME', means: 'for which provider or client the list is fitted' },
  { flag: '--subagent NAME', means: 'the surface of that child, started by the agent' },
  { flag: '--preset NAME', means: 'which order of gates: default, deerflow, claw' },
  { flag: '--skill NAME', means: 'put a skill into use (repeatable)' },
  { flag: '--simple-mode', means: 'only shell, file read and file edit' },
  { flag: '--no-mcp', means: 'nothing that comes over MCP' },
  { flag: '--deny-tool RULE', means: 'deny what the rule matches (repeatable)' },
  { flag: '--deny-prefix TEXT', means: 'deny names that begin so (repeatable)' },
  { flag: '--allow RULE', means: 'allow without asking (repeatable)' },
  { flag: '--unattended', means: 'nobody is there to be asked' },
  { flag: '--lenient', means: 'a flag that changes nothing is a warning, not an error' },
  { flag: '--refresh', means: 'ask every server now, whatever is stored of its tools' },
  { flag: '--log FILE', means: 'append the decisions to a log, for `toolgate replay`' },
  { flag: '--json', means: 'print JSON with a versioned schema' },
  { flag: '--limit N, --all', means: 'how many rows' },
  { flag: '--lang en|zh', means: 'language of reasons' },
  { flag: '--exact', means: 'count tokens with a real tokenizer instead of estimating' },
  { flag: '--no-color, --quiet', means: 'plain text; no progress lines' },
]

export interface Flags {
  readonly policy: Omit<RunPolicy, 'rules'> & {
    readonly config?: string
    readonly snapshot?: string
    readonly preset?: string
    readonly log?: string
    readonly lenient: boolean
    /** Ask every server, whatever is stored of it. Absent: no. */
    readonly refresh?: true
  }
  readonly output: {
    readonly json: boolean
    /** Absent: the command's own default. */
    readonly limit?: number
    readonly all: boolean
    readonly lang: Lang
    readonly exact: boolean
    readonly color: boolean
    readonly quiet: boolean
  }
  readonly help: boolean
  readonly own: { readonly [flag: string]: string | boolean | readonly string[] | undefined }
  readonly positionals: readonly string[]
}

/**
 * Reads the words after the command's name. Throws a ToolgateError `usage` for an unknown flag (with the nearest
 * known one), a missing or malformed value, or a flag given twice that may be given once.
 */
export function parseFlags(words: readonly string[], own: FlagSpecs): Flags {
  const specs: FlagSpecs = { ...policyFlags, ...outputFlags, ...own }
  const { values, positionals } = parsed(words, specs)
  const text = (flag: string): string | undefined => single(values, flag)
  const texts = (flag: string): readonly string[] | undefined => list(values, flag)
  const on = (flag: string): boolean => values[flag] === true
  const limit = limitOf(text('limit'))
  return {
    policy: {
      ...given('config', text('config')),
      ...given('snapshot', text('snapshot')),
      ...given('agent', text('agent')),
      ...given('model', text('model')),
      ...given('target', text('target')),
      ...given('subagent', text('subagent')),
      ...given('preset', text('preset')),
      ...given('log', text('log')),
      ...given('skills', texts('skill')),
      ...given('denyTools', texts('deny-tool')),
      ...given('denyPrefixes', texts('deny-prefix')),
      ...given('allow', texts('allow')),
      ...(on('simple-mode') ? { simpleMode: true } : {}),
      ...(on('no-mcp') ? { noMcp: true } : {}),
      ...(on('unattended') ? { unattended: true } : {}),
      lenient: on('lenient'),
      ...(on('refresh') ? { refresh: true } : {}),
    },
    output: {
      json: on('json'),
      ...given('limit', limit),
      all: on('all'),
      lang: langOf(text('lang')),
      exact: on('exact'),
      color: !on('no-color'),
      quiet: on('quiet'),
    },
    help: on('help'),
    own: Object.fromEntries(
      Object.keys(own).map((flag) => [flag, values[flag] as string | boolean | readonly string[] | undefined]),
    ),
    positionals,
  }
}

interface Parsed {
  readonly values: { readonly [flag: string]: unknown }
  readonly positionals: readonly string[]
}

function parsed(words: readonly string[], specs: FlagSpecs): Parsed {
  const { tokens } = parseArgs({
    args: [...words],
    options: specs,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined
    if (spec === undefined) throw unknownFlag(token.rawName, Object.keys(specs))
    if (spec.type === 'string' && (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))) {
      throw usage(`${token.rawName} needs a value`, token.rawName)
    }
    if (spec.type === 'boolean' && token.value !== undefined)
      throw usage(`${token.rawName} takes no value`, token.rawName)
    if (
      spec.multiple !== true &&
      tokens.filter((other) => other.kind === 'option' && other.name === token.name).length > 1
    ) {
      throw usage(`${token.rawName} is given twice`, token.rawName)
    }
    if (spec.type === 'string' && token.value === '') throw usage(`${token.rawName} is empty`, token.rawName)
  }
  return parseArgs({ args: [...words], options: specs, allowPositionals: true, strict: false })
}

const given = <K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [k in K]?: V }

const single = (values: Parsed['values'], flag: string): string | undefined => {
  const value = values[flag]
  return typeof value === 'string' ? value : undefined
}

const list = (values: Parsed['values'], flag: string): readonly string[] | undefined => {
  const value = values[flag]
  return Array.isArray(value) ? value : undefined
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,7}$/.test(text)) throw usage(`--limit takes a whole number from 0, not "${text}"`, '--limit')
  return Number(text)
}

function langOf(text: string | undefined): Lang {
  if (text === undefined || text === 'en') return 'en'
  if (text === 'zh') return 'zh'
  throw usage(`--lang knows en and zh, not "${text}"`, '--lang')
}

function unknownFlag(raw: string, known: readonly string[]): ToolgateError {
  const near = nearest(raw, known, 2).map((name) => `--${name}`)
  return usage(`there is no flag ${raw}`, raw, near.length > 0 ? `did you mean ${near.join(' or ')}` : undefined)
}

/** An error of the command line, with the flag or word it is about. */
export function usage(message: string, subject: string, hint = 'see `toolgate help`'): ToolgateError {
  return new ToolgateError(
    finding('usage', 'error', message, { subject, hint, origin: { in: 'command line', key: subject } }),
  )
}
