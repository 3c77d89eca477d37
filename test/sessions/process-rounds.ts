// Rounds of starting and ending servers of every bad behaviour, and of killing a host with such servers running. Every
// process of a round has the round's word in its command line, so that who is left over can be seen from outside.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import ts from 'typescript'
import { type ProcessSpec, startProcess } from '../../src/sessions/processes/server-process.ts'

/** What a server does. `$1` is a pipe that nobody writes to: reading it waits for ever, and shows the round's word. */
const shellServers = {
  'leaves when its input closes': 'echo ready; while read -r line; do :; done',
  'deaf to its input': 'echo ready; exec cat "$1"',
  'deaf to its input and to TERM': `trap '' TERM; echo ready; exec cat "$1"`,
  'has a child': 'cat "$1" >/dev/null 2>&1 & echo ready; while read -r line; do :; done',
  'has a child without environment': 'env -i cat "$1" >/dev/null 2>&1 & echo ready; while read -r line; do :; done',
  'has a child that holds its pipes and is deaf to TERM': `(trap '' TERM; exec cat "$1") & echo ready; while read -r line; do :; done`,
  'deaf as a whole, and its child holds its pipes': `trap '' TERM; cat "$1" & echo ready; cat "$1"`,
  'leaves by itself and leaves its child behind': 'cat "$1" >/dev/null 2>&1 & echo ready; exit 3',
} as const

/** Servers with somebody who has left their process group. */
const daemonServers = {
  'has a daemon': `setsid sh -c 'cat "$1" >/dev/null 2>&1 </dev/null &' daemon "$1"; echo ready; while read -r line; do :; done`,
  'has a daemon that is deaf to TERM': `setsid sh -c 'trap "" TERM HUP; cat "$1" >/dev/null 2>&1 </dev/null &' daemon "$1"; echo ready; while read -r line; do :; done`,
} as const

/** Bears no mark and is in no group of ours, but has its parent still. Only a host that is alive can know of it. */
const bareServer = {
  'has a child with neither environment nor group':
    'env -i setsid cat "$1" >/dev/null 2>&1 </dev/null & sleep 0.2; echo ready; while read -r line; do :; done',
} as const

const nodeServer = `
  const { spawn } = require('node:child_process')
  spawn('cat', [process.argv[1]], { detached: true, stdio: 'ignore' }).unref()
  spawn('cat', [process.argv[1]])
  process.on('SIGTERM', () => {})
  process.stdin.resume()
  setInterval(() => {}, 60000)
  console.log('ready')`

type Kind = string
const nodeKind = 'a Node server with a child and a detached child, deaf to TERM'
const hostKind = 'a host with three servers, killed'

const has = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && readdirOf(folder).includes(program))

function readdirOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const apart: { readonly [kind: Kind]: string } =
  process.platform === 'linux' && has('setsid') ? { ...daemonServers, ...bareServer } : {}
const servers: { readonly [kind: Kind]: string } = { ...shellServers, ...apart }
const underHosts = Object.keys(servers).filter((kind) => !(kind in bareServer))

export interface Round {
  readonly kind: Kind
  /** From the order to end until nobody is left. */
  readonly endMs: number
  /** Command lines of those who were left over. */
  readonly left: readonly string[]
}

export interface RoundsOptions {
  readonly rounds: number
  /** Rounds that run side by side. */
  readonly lanes: number
  readonly onRound?: (round: Round, done: number) => void
}

/** Runs the kinds in turn, every fourth round a killed host. What is left over at the very end is in `left`. */
export async function runRounds(options: RoundsOptions): Promise<{ readonly left: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-rounds-'))
  const canary = folder.slice(folder.lastIndexOf('-') + 1)
  const host = writeHost(folder)
  const numbers = Array.from({ length: options.rounds }, (_, number) => number).values()
  let done = 0
  const lane = async () => {
    for (const number of numbers) {
      // With a letter at its end no word is the beginning of another.
      const word = `canary-${canary}-${number}x`
      const round =
        number % 4 === 3 ? await hostRound(folder, word, host, number) : await serverRound(folder, word, number)
      done += 1
      options.onRound?.(round, done)
    }
  }
  try {
    await Promise.all(Array.from({ length: options.lanes }, lane))
    return { left: commandLinesWith(`canary-${canary}-`) }
  } finally {
    for (const pid of pidsWith(`canary-${canary}-`)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serverRound(folder: string, word: string, number: number): Promise<Round> {
  // Three of four numbers come here; every kind has its turn.
  const turn = number - Math.floor((number + 1) / 4)
  const all = [...Object.keys(servers), nodeKind]
  const kind = all[turn % all.length] ?? nodeKind
  const server = await startProcess(specOf(kind, folder, word))
  // Half of them are ended while they are still at their beginning.
  if (turn % 2 === 0 || kind in bareServer) await firstLine(server.stdout)
  else await sleep((number * 7) % 40)
  if (kind.startsWith('leaves by itself')) await server.gone
  const begun = performance.now()
  await server.end()
  return { kind, endMs: performance.now() - begun, left: commandLinesWith(word) }
}

async function hostRound(folder: string, word: string, host: string, number: number): Promise<Round> {
  const specs = [0, 1, 2].map((at) =>
    specOf(underHosts[(number + at * 2) % underHosts.length] ?? '', folder, `${word}-${at}`),
  )
  const child = spawn(process.execPath, [host, JSON.stringify(specs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  // It says a line for each server that is started, and is killed after one of them.
  let lines = 0
  const heard = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', () => {
      lines += 1
      if (lines > (number >> 2) % 3) resolve()
    })
  })
  // A host that ends by itself started nothing, and would show nothing.
  if ((await Promise.race([heard.then(() => 'heard'), ended])) !== 'heard')
    return { kind: hostKind, endMs: 0, left: [`the host of ${word} ended by itself with code ${child.exitCode}`] }
  await sleep((number * 5) % 30)
  child.kill('SIGKILL')
  const begun = performance.now()
  await ended
  const present = () => [...commandLinesWith(`${word}-`), ...commandLinesWith(`toolgate-guardian ${child.pid} `)]
  while (present().length > 0 && performance.now() - begun < 5000) await sleep(100)
  return { kind: hostKind, endMs: performance.now() - begun, left: present() }
}

function specOf(kind: Kind, folder: string, word: string): ProcessSpec {
  const pipe = join(folder, word)
  execFileSync('mkfifo', [pipe])
  const [command, args] =
    kind === nodeKind
      ? [process.execPath, ['-e', nodeServer, pipe]]
      : ['/bin/sh', ['-c', servers[kind] ?? '', 'server', pipe]]
  return { command, args, env: { PATH: process.env.PATH ?? '' }, cwd: folder }
}

function firstLine(stream: NodeJS.ReadableStream): Promise<unknown> {
  return Promise.race([once(stream, 'data'), once(stream, 'close')])
}

/** A program that starts servers and waits: the code under test as plain JavaScript, so that it starts quickly. */
function writeHost(folder: string): string {
  const root = resolve(import.meta.dirname, '../..')
  const seen = new Set<string>()
  const write = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const source = readFileSync(file, 'utf8')
    const target = join(folder, 'host', relative(root, file)).replace(/\.ts$/, '.js')
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, ts.transpileModule(source, { compilerOptions }).outputText)
    for (const [, path] of source.matchAll(/ from '(\.[^']+)'/g)) write(resolve(dirname(file), path ?? ''))
  }
  write(join(root, 'src/sessions/processes/server-process.ts'))
  writeFileSync(join(folder, 'host/package.json'), '{"type":"module"}')
  const host = join(folder, 'host/host.js')
  writeFileSync(
    host,
    `import { startProcess } from './src/sessions/processes/server-process.js'
    for (const spec of JSON.parse(process.argv[2])) {
      await startProcess(spec)
      console.log('started')
    }
    setInterval(() => {}, 60000)`,
  )
  return host
}

const compilerOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  rewriteRelativeImportExtensions: true,
}

const commandLinesWith = (word: string): readonly string[] =>
  commandLines().flatMap(([, line]) => (line.includes(word) ? [line] : []))

/** Those on this machine that have a word in their command line. */
export const pidsWith = (word: string): readonly number[] =>
  commandLines().flatMap(([pid, line]) => (line.includes(word) ? [pid] : []))

/** All of this machine. Who has ended and was not collected has none. */
function commandLines(): readonly (readonly [number, string])[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-Ao', 'pid=,args='], { encoding: 'utf8' }).split('\n')
    return lines.map((line) => [Number.parseInt(line, 10), `${line} `] as const)
  }
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return [[Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')] as const]
    } catch {
      return []
    }
  })
}
