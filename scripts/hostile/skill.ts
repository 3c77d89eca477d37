// Kind `skill`: a SKILL.md as the only skill, in use, next to a configuration that denies `bash`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { canonicalJson, type Json } from '../../src/core/json.ts'
import { defaultReachable } from '../../src/skills/default-reachable.ts'
import { loadSkills } from '../../src/skills/load-skills.ts'
import type { Skill } from '../../src/skills/skill.ts'
import { fileOf, type HostileCase, type Kind, type Outcome } from './case.ts'
import { environment } from './config-yaml.ts'
import { misses, toldBy } from './expected.ts'
import { exposedOf, shownOf, toldOf } from './exposed.ts'
import { inWorld, type World } from './world.ts'

export const skill: Kind = {
  kind: 'skill',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      // A folder name that no error of a case looks for.
      world.write('skills/subject/SKILL.md', readFileSync(fileOf(one, dataDir)))
      const { skills } = await loadSkills([join(world.config, 'skills')], { shownFrom: world.config })
      const [read] = skills
      if (read === undefined) return ['the skill was not found']
      return judged(one, read, await runWith(read.name, world))
    }),
}

/** The host is open, so that only the rule and the skill can take `bash` away. */
const configText = (active: string): string => `tools:
  - { name: bash, use: "./fixtures/hostbash.mjs:bash" }
  - { name: read_file, use: "toolgate/tools:readFile" }
  - { name: write_file, use: "toolgate/tools:writeFile" }
  - { name: echo, use: "./fixtures/good.mjs:echoTool" }
deny_tools: [bash]
sandbox: { allow_host_bash: true }
skills: { paths: [skills], active: [${JSON.stringify(active)}] }
`

async function runWith(active: string, world: World): Promise<PreparedRun> {
  const loaded = await loadConfig(world.write('toolgate.yaml', configText(active)), { environment })
  if (loaded.config === undefined)
    throw new Error(`the configuration beside the skill was refused: ${loaded.findings[0]?.message}`)
  return prepareRun({ config: loaded.config, stateFolder: world.state, environment })
}

function judged(one: HostileCase, read: Skill, run: PreparedRun): string[] {
  const { expect } = one
  const outcome = outcomeOf(one, read)
  const errors = read.findings.filter((found) => found.severity === 'error').map(toldBy)
  const { told } = toldOf(run)
  const out = misses(one, { outcome, errors, told, shown: [read.name, read.description, shownOf(run.surface)] })
  for (const found of read.findings) {
    if (!told.some((other) => other.code === found.code && other.message === found.message))
      out.push(`${found.code} is not among the findings of the run`)
  }
  if (outcome === 'sanitize') out.push(...notCleaned(one, read))
  if (outcome !== 'reject') out.push(...notYielded(expect.yields ?? {}, read, run))
  out.push(...widened(outcome, read, run))
  for (const invariant of expect.invariants ?? []) {
    if (invariant === 'prompt-intact' && !promptName.test(read.name))
      out.push(`the name "${read.name}" would break out of a prompt`)
    else if (!known.has(invariant)) out.push(`the runner knows no invariant "${invariant}"`)
  }
  return out
}

const promptName = /^[a-z0-9-]{1,64}$/
/** Looked at in every case, or above. No prompt is rendered from skills yet, so a name is all that is looked at. */
const known: ReadonlySet<string> = new Set(['fail-closed', 'prompt-intact', 'no-pollution'])

/** An error makes a reject. What is read in another form than it stands there, or cleaned, is a sanitize. */
function outcomeOf({ expect }: HostileCase, read: Skill): Outcome {
  if (read.findings.some((found) => found.severity === 'error')) return 'reject'
  if (read.findings.some((found) => found.code === 'hidden-text')) return 'sanitize'
  const asked = expect.outcome === 'sanitize' || expect.or?.includes('sanitize') === true
  return asked && expect.to !== undefined && same(expect.to, read.allowedTools) ? 'sanitize' : 'accept'
}

function notCleaned({ expect }: HostileCase, read: Skill): string[] {
  if (expect.to !== undefined && !same(expect.to, read.allowedTools))
    return [`allowed tools are ${JSON.stringify(read.allowedTools)}`]
  const [, wanted] = /^description (.*) with a hidden-text flag$/.exec(expect.sanitized ?? '') ?? []
  return wanted === undefined || wanted === read.description
    ? []
    : [`the description is ${JSON.stringify(read.description)}`]
}

function notYielded(yields: { readonly [fact: string]: unknown }, read: Skill, run: PreparedRun): string[] {
  const out: string[] = []
  for (const [fact, value] of Object.entries(yields)) {
    if (fact === 'not_exposed') {
      const names = new Set(exposedOf(run.surface).map((decision) => decision.name))
      for (const name of value as readonly string[]) if (names.has(name)) out.push(`"${name}" is exposed`)
      continue
    }
    const facts: { readonly [fact: string]: unknown } = {
      name: read.name,
      description: read.description,
      allowed_tools: read.allowedTools ?? null,
    }
    if (!Object.hasOwn(facts, fact)) out.push(`the runner knows no fact "${fact}"`)
    else if (!same(value, facts[fact]))
      out.push(`${fact} is ${JSON.stringify(facts[fact])}, not ${JSON.stringify(value)}`)
  }
  return out
}

/** Whatever the case says: a rejected skill allows nothing, one with a list just that, one without restricts nothing. */
function widened(outcome: Outcome, read: Skill, run: PreparedRun): string[] {
  const allowed = outcome === 'reject' ? [] : read.allowedTools
  const may = allowed === undefined ? undefined : new Set([...allowed, ...defaultReachable])
  const out: string[] = []
  for (const { name, outcome: exposure, settledBy } of run.surface.decisions) {
    const exposed = exposure !== 'excluded'
    if (exposed && (name === 'bash' || may?.has(name) === false)) out.push(`not closed: "${name}" is exposed`)
    const free = name === 'echo' || name === 'write_file' || name === 'read_file'
    if (!exposed && free && may?.has(name) !== false) out.push(`"${name}" was lost to ${settledBy}`)
  }
  return out
}

const same = (a: unknown, b: unknown): boolean => canonicalJson(a as Json) === canonicalJson(b as Json)
