// Kind `use-spec`: a `use` value as that of one tool in a good configuration, beside another tool that is good.

import { type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { environment, runOf } from './config-yaml.ts'
import { misses, toldBy } from './expected.ts'
import { exposedOf, shownOf, toldOf } from './exposed.ts'
import { inWorld, type World } from './world.ts'

export const useSpec: Kind = {
  kind: 'use-spec',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const { use } = entryOf(one, dataDir)
      // A JSON text is a YAML value; escapes included.
      const path = world.write('toolgate.yaml', configText(JSON.stringify(use)))
      return judged(one, await loadConfig(path, { environment }), world)
    }),
}

const configText = (use: string): string => `tools:
  - name: echo
    use: ${use}
  - name: other
    use: ./fixtures/other.mjs:otherTool
`

async function judged(one: HostileCase, loaded: LoadedConfig, world: World): Promise<string[]> {
  const run = loaded.config === undefined ? undefined : await runOf(loaded.config, loaded, world)
  const exposed = run === undefined ? [] : exposedOf(run.surface)
  const fed = exposed.filter(({ candidate }) => candidate.source === 'config' && candidate.declaredName === 'echo')
  const said =
    run === undefined ? { errors: loaded.findings.map(toldBy), told: loaded.findings.map(toldBy) } : toldOf(run)
  const out = misses(one, {
    outcome: fed.length > 0 ? 'accept' : 'reject',
    ...said,
    shown: run === undefined ? [] : [shownOf(run.surface)],
  })
  if (fed.length > 0 && !fed.some((decision) => decision.name === 'echo')) out.push('another tool came out of it')
  for (const invariant of one.expect.invariants ?? []) {
    if (invariant === 'others-kept') {
      if (!exposed.some((decision) => decision.name === 'other')) out.push('the tool "other" beside it was lost')
    } else if (invariant !== 'no-pollution') out.push(`the runner knows no invariant "${invariant}"`)
  }
  out.push(...world.changes())
  return out
}
