// Kind `child-env`: two environments, that of the parent and that in the configuration of a stdio server; what arrives
// in the process?

import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { printable } from '../../src/core/printable.ts'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { canary, misses, toldBy } from './expected.ts'
import { type Place, type TellingPool, toldByFailure, withTellingPool } from './telling-pool.ts'
import { inWorld, type World } from './world.ts'

export const childEnv: Kind = {
  kind: 'child-env',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const entry = entryOf(one, dataDir) as { readonly parent: Environment; readonly config_env: Configured }
      const servers = isByServer(entry.config_env) ? entry.config_env : { [onlyServer]: entry.config_env }
      const environment = putIn(entry.parent, world)
      return withTellingPool(world, { servers, environment }, async (pool) => {
        const answers = new Map<string, Place | CallFailure>()
        for (const name of Object.keys(servers)) answers.set(name, await pool.call(name, owner))
        return judged(one, { answers, pool, world })
      })
    }),
}

type Environment = { readonly [name: string]: string }
/** Of one server, or of several by name. */
type Configured = Environment | { readonly [server: string]: Environment }

const owner = { user: 'u1', thread: 't1' }
const onlyServer = 'srv'

const isByServer = (given: Configured): given is { readonly [server: string]: Environment } =>
  Object.values(given).some((value) => typeof value === 'object')

/** The environment of a case with its placeholders filled in. */
function putIn(parent: Environment, world: World): Environment {
  const places = new Map([
    ['$SOME_HOME', '/nowhere'],
    ['$SOME_PATH', process.env.PATH ?? '/bin'],
    ['$ELSEWHERE', join(world.root, 'elsewhere')],
  ])
  return Object.fromEntries(Object.entries(parent).map(([name, value]) => [name, places.get(value) ?? value]))
}

interface Seen {
  readonly answers: ReadonlyMap<string, Place | CallFailure>
  readonly pool: TellingPool
  readonly world: World
}

async function judged(one: HostileCase, { answers, pool, world }: Seen): Promise<readonly string[]> {
  const failed = [...answers.values()].filter((answer) => answer instanceof CallFailure).map(toldByFailure)
  const findings = pool.findings.map(toldBy)
  const refused = pool.findings.filter(({ severity }) => severity === 'error').map(toldBy)
  const errors = [...refused, ...failed]
  const outcome = errors.length > 0 ? 'reject' : 'accept'
  const out = misses(one, { outcome, errors, told: [...findings, ...failed], shown: [] })
  for (const [fact, value] of Object.entries(one.expect.yields ?? {}))
    out.push(...(await notYielded(fact, value, { answers, pool, world })))
  for (const invariant of new Set([...(one.expect.invariants ?? []), 'outside-unchanged']))
    out.push(...broken(invariant, { answers, pool, world }))
  return out
}

/** Values may be secrets: misses tell names only. */
async function notYielded(fact: string, value: unknown, { answers, pool }: Seen): Promise<string[]> {
  const byServer = /^(server_[a-z]+)_lacks$/.exec(fact)
  const answer = byServer === null ? [...answers.values()][0] : answers.get(byServer[1] ?? '')
  const what = byServer === null ? fact : 'child_lacks'
  if (answer === undefined || answer instanceof CallFailure)
    return [`no server told its environment, so ${fact} is not seen`]
  const { env } = answer
  const names = Array.isArray(value) ? value.map(String) : []
  switch (what) {
    case 'child_has':
      return names.filter((name) => env[name] === undefined).map((name) => `${printable(name)} did not arrive`)
    case 'child_lacks':
      return names.filter((name) => env[name] !== undefined).map((name) => `${printable(name)} arrived`)
    case 'TMPDIR_inside': {
      // It may be a short name for the folder.
      const way = relative(realpathSync(await pool.rootOf(owner)), realpathSync(env.TMPDIR ?? '/'))
      return way !== '' && !way.startsWith('..') ? [] : ['TMPDIR does not lie in the folder of the thread']
    }
  }
  if (typeof value === 'string') return env[what] === value ? [] : [`${printable(what)} did not arrive as written`]
  return [`the runner knows no fact "${fact}"`]
}

function broken(invariant: string, { answers, world }: Seen): string[] {
  switch (invariant) {
    case 'no-canary':
      return [...answers].flatMap(([server, answer]) => {
        const env = answer instanceof CallFailure ? {} : answer.env
        const names = Object.entries(env).filter(([name, value]) => canary.test(name) || canary.test(value))
        return names.map(([name]) => `a secret reached ${printable(server)} as ${printable(name)}`)
      })
    case 'outside-unchanged':
      return world.changes().map((change) => `outside: ${change}`)
  }
  return [`the runner knows no invariant "${invariant}"`]
}
