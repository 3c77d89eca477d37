// The facts of a run can be made only in steps: which servers to start depends on facts, whether a sandbox is
// needed depends on what the servers and modules offer, and a child's facts on what its parent has. The maker
// holds what was read once, so that each step is a plain function.

import type { AgentConfig, Config } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import type { RunFacts, SandboxFacts } from '../core/run-facts.ts'
import { finding, ToolgateError } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import type { LoadedSkills } from '../skills/load-skills.ts'
import { skillFacts } from '../skills/skill-facts.ts'
import { agentOf, bareFacts, factsOf, type ParentOfChild, targetOf } from './facts-of.ts'
import type { RunPolicy, RunSelection } from './policy.ts'
import { withTarget } from './policy.ts'
import { readPins } from './read-pins.ts'
import type { Inventory } from './run-input.ts'

export interface FactMaker {
  readonly findings: readonly Finding[]
  /** Facts of the agent that a person starts, before the policy's restrictions. */
  readonly agent: (sandbox: SandboxFacts) => RunFacts
  /** Facts of the child that the policy names, given the ids its parent has. Absent: no child is named. */
  readonly child?: (sandbox: SandboxFacts, parentTools: readonly string[]) => RunFacts
  /** Names of the agents from the one that a person starts down to the one whose run it is. */
  readonly lineage: readonly string[]
  /** Facts of another agent, on another model or for another target. Absent: an inventory has one. */
  readonly chosen?: ChosenFacts
  /** Facts of a child that a run starts while it runs. Absent: an inventory starts none. */
  readonly started?: StartedChild
  /** The skills that were read. Absent: none were looked for. */
  readonly skills?: LoadedSkills
}

/** Throws a ToolgateError `unknown-name` where the selection names what is not there. */
export type ChosenFacts = (selection: RunSelection, sandbox: SandboxFacts) => RunFacts

/**
 * Facts of a child, of which only the name and its parent are said: `lineage` by name. Throws a ToolgateError
 * `unknown-name` where there is no such agent, or the parent may not start it.
 */
export type StartedChild = (child: string, parent: StartingParent, sandbox: SandboxFacts) => RunFacts

export interface StartingParent extends Omit<ParentOfChild, 'lineage'> {
  readonly lineage: readonly string[]
}

/** Throws a ToolgateError when the policy names an agent, model, target or child that is not there. */
export async function configuredFacts(config: Config, policy: RunPolicy, stateFolder: string): Promise<FactMaker> {
  const loaded = await skillsOf(config)
  const pins = config.pins.enabled ? await readPins(stateFolder) : undefined
  const factsOfSkills = (agent: AgentConfig) =>
    skillFacts(config.skills, loaded, {
      activeNames: [],
      ...(agent.skills === undefined ? {} : { agentSkills: agent.skills }),
      ...(agent.origins.skills === undefined ? {} : { agentOrigin: agent.origins.skills }),
    })
  const shared = { config, ...(pins === undefined ? {} : { pins: pins.pins }) }

  const agent = agentOf(config, policy.agent)
  const agentSkills = factsOfSkills(agent)
  const { subagent, ...selection } = policy
  const findings = [...loaded.findings, ...agentSkills.findings, ...(pins?.findings ?? [])]
  const parentSelection = subagent === undefined ? selection : withoutModel(selection)
  const ofAgent = (sandbox: SandboxFacts): RunFacts =>
    factsOf({ ...shared, selection: parentSelection, sandbox, skills: agentSkills.facts })
  const named = (name: string): AgentConfig => agentOf(config, name === agentless ? undefined : name)
  const started: StartedChild = (name, { lineage, tools, model }, sandbox) => {
    const agents = lineage.map(named)
    const one = named(name)
    const by = agents.at(-1)
    // An agent may have a helper of its own kind, whatever it names.
    if (by !== undefined && by.name !== one.name) mayStart(by, one)
    const { facts: skills } = factsOfSkills(one)
    return factsOf({
      ...shared,
      selection: {
        ...(selection.target === undefined ? {} : { target: selection.target }),
        ...(one.name === agentless ? {} : { agent: one.name }),
      },
      sandbox,
      skills,
      // One that stands for no configured model is none to name.
      parent: { lineage: agents, tools, ...(config.models.some((one) => one.name === model) ? { model } : {}) },
    })
  }
  const chosen: ChosenFacts = (selection, sandbox) => {
    const { facts: skills } = factsOfSkills(agentOf(config, selection.agent))
    return factsOf({ ...shared, selection, sandbox, skills })
  }
  const common = { agent: ofAgent, chosen, started, skills: loaded }
  if (subagent === undefined) return { ...common, findings, lineage: [agent.name] }

  const child = agentOf(config, subagent)
  mayStart(agent, child)
  const childSkills = factsOfSkills(child)
  return {
    ...common,
    findings: [...findings, ...childSkills.findings],
    lineage: [agent.name, child.name],
    child: (sandbox, tools) => {
      const model = agent.model ?? config.models[0]?.name
      const parent = { lineage: [agent], tools, ...(model === undefined ? {} : { model }) }
      return factsOf({ ...shared, selection: policy, sandbox, skills: childSkills.facts, parent })
    },
  }
}

/** What an agent is called where none is configured. */
const agentless = 'default'

/** The reader of skills brings the YAML library along, so it is loaded only where there is something to read. */
async function skillsOf({ skills, folder }: Config): Promise<LoadedSkills> {
  if (skills.paths.length === 0) return { skills: [], findings: [] }
  const { loadSkills } = await import('../skills/load-skills.ts')
  return loadSkills(skills.paths, {
    shownFrom: folder,
    ...(skills.origin === undefined ? {} : { origin: skills.origin }),
  })
}

/** `--model` with `--subagent` speaks of the child's model; the parent keeps its own. */
function withoutModel(selection: RunPolicy): RunPolicy {
  const { model: _, ...rest } = selection
  return rest
}

function mayStart(agent: AgentConfig, child: AgentConfig): void {
  if (agent.children === undefined || agent.children.includes(child.name)) return
  const near = nearest(child.name, agent.children)
  throw new ToolgateError(
    finding('unknown-name', 'error', `the agent "${agent.name}" may not start "${child.name}"`, {
      subject: child.name,
      hint: near.length > 0 ? `did you mean "${near[0]}"` : `it may start: ${agent.children.join(', ') || 'nobody'}`,
      ...(agent.origins.children === undefined ? {} : { origin: agent.origins.children }),
    }),
  )
}

/** Facts for a stored inventory without a configuration: those it was taken under, else those that rule nothing out. */
export function inventoryFacts(inventory: Inventory, policy: RunPolicy): FactMaker {
  for (const key of ['agent', 'model', 'subagent'] as const) {
    if (policy[key] === undefined) continue
    throw new ToolgateError(
      finding(
        'usage',
        'error',
        `a stored inventory has no ${key} to choose; --${key} needs --config beside --snapshot`,
        {
          subject: `--${key}`,
          hint: 'add --config FILE',
          origin: { in: 'command line', key: `--${key}` },
        },
      ),
    )
  }
  const stored = inventory.facts ?? bareFacts()
  const facts = policy.target === undefined ? stored : withTarget(stored, targetOf(policy.target))
  return { findings: [], agent: () => facts, lineage: [facts.agent.name] }
}
