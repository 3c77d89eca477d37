// From a configuration and the choice of agent, model and target to the facts of a run.

import type { AgentConfig, Config, ModelConfig } from '../config/config.ts'
import type { Pin, Rule, RunFacts, SandboxFacts, SkillsFacts, TargetFacts } from '../core/run-facts.ts'
import { type ErrorCode, finding, ToolgateError } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { targetNamed, targetNames } from '../targets/targets.ts'
import type { RunSelection } from './policy.ts'

/** Size of a context window where the configuration gives none; the smallest common among current models. */
const contextTokensDefault = 128_000

export interface FactsInput {
  readonly config: Config
  readonly selection: RunSelection
  readonly skills: SkillsFacts
  readonly sandbox: SandboxFacts
  readonly pins?: readonly Pin[]
  /** For a child: who started it and what that parent has. */
  readonly parent?: ParentOfChild
}

export interface ParentOfChild {
  /** Agents from the one that a person started down to the parent itself; at least one. */
  readonly lineage: readonly AgentConfig[]
  /** Ids of what the parent has. */
  readonly tools: readonly string[]
  /** Name of the model that the parent runs on; a child that names none runs on it as well. Absent: none is configured. */
  readonly model?: string
}

/** The agent of a run, or of no name the first one, or an agent that asks for everything where none is configured. */
export function agentOf(config: Config, name: string | undefined): AgentConfig {
  if (name === undefined) return config.agents[0] ?? anyAgent
  return named('agent', name, config.agents, '--agent')
}

const anyAgent: AgentConfig = {
  name: 'default',
  description: 'asks for everything that is configured',
  rules: [],
  origin: { in: 'built-in' },
  origins: {},
}

const anyModel: ModelConfig = { name: 'default', can: ['tools'], origin: { in: 'built-in' } }

/**
 * Throws a ToolgateError `unknown-name` when the selection names an agent, model or target that is not there.
 */
export function factsOf(input: FactsInput): RunFacts {
  const { config, selection, parent } = input
  const agent = agentOf(config, selection.subagent ?? selection.agent)
  const model = modelOf(config, selection.model ?? agent.model ?? parent?.model)
  const target = targetOf(selection.target ?? model.target)
  const delegating = config.delegation.enabled && agent.children?.length !== 0
  const groups = agent.groups ?? config.toolGroups
  const groupsOrigin = agent.groups === undefined ? config.toolGroupsOrigin : agent.origins.groups
  return {
    agent: {
      name: agent.name,
      ...(groups === undefined ? {} : { groups }),
      ...(agent.servers === undefined ? {} : { servers: agent.servers }),
      ...(agent.tools === undefined ? {} : { tools: agent.tools }),
      origins: {
        ...(groupsOrigin === undefined ? {} : { groups: groupsOrigin }),
        ...(agent.origins.servers === undefined ? {} : { servers: agent.origins.servers }),
        ...(agent.origins.tools === undefined ? {} : { tools: agent.origins.tools }),
      },
    },
    model: {
      name: model.name,
      can: model.can,
      ...(model.contextTokens === undefined ? {} : { contextTokens: model.contextTokens }),
      origin: model.origin,
    },
    target:
      selection.target === undefined
        ? target
        : { ...target, origin: { in: 'command line', key: `--target ${target.name}` } },
    skills: input.skills,
    permissions: {
      rules: [...config.permissions.rules, ...inherited(parent?.lineage ?? []), ...agent.rules],
      otherwise: config.permissions.otherwise,
      ...(config.permissions.otherwiseOrigin === undefined
        ? {}
        : { otherwiseOrigin: config.permissions.otherwiseOrigin }),
    },
    sandbox: input.sandbox,
    delegation: {
      enabled: delegating,
      depth: parent?.lineage.length ?? 0,
      depthMax: config.delegation.depthMax,
      ...(parent === undefined ? {} : { parent: { agent: parent.lineage.at(-1)?.name ?? '', tools: parent.tools } }),
      ...(config.delegation.origin === undefined ? {} : { origin: config.delegation.origin }),
    },
    deferral: {
      mode: config.toolSearch.mode,
      budgetTokens: budgetTokens(config.toolSearch.budget, model.contextTokens),
      always: config.toolSearch.always,
      ...(config.toolSearch.origin === undefined ? {} : { origin: config.toolSearch.origin }),
      ...(config.toolSearch.budgetOrigin === undefined ? {} : { budgetOrigin: config.toolSearch.budgetOrigin }),
    },
    simpleMode: { on: false },
    mcp: { on: true },
    attended: { on: true },
    ...(input.pins === undefined ? {} : { pins: input.pins }),
  }
}

/** Facts for an inventory that no configuration stands behind: everything is asked for, nothing is ruled out. */
export function bareFacts(targetName?: string): RunFacts {
  return {
    agent: { name: 'default', origins: {} },
    model: { name: 'default', can: ['tools', 'vision', 'native-search'] },
    target: targetOf(targetName),
    skills: { mode: 'active', list: [], alwaysReachable: [] },
    permissions: { rules: [], otherwise: 'allow' },
    sandbox: { kind: 'namespace', allowHostBash: false },
    delegation: { enabled: true, depth: 0, depthMax: 1 },
    deferral: { mode: 'off', budgetTokens: budgetTokens(0.1, undefined), always: [] },
    simpleMode: { on: false },
    mcp: { on: true },
    attended: { on: true },
  }
}

export function modelOf(config: Config, name: string | undefined): ModelConfig {
  if (name === undefined) return config.models[0] ?? anyModel
  return named('model', name, config.models, '--model')
}

/** The target of that name; absent: `common`. Throws a ToolgateError `unknown-name`. */
export function targetOf(name: string | undefined): TargetFacts {
  const target = targetNamed(name ?? 'common')
  if (target === undefined) throw unknown('target', name ?? '', targetNames, '--target')
  return target
}

function named<T extends { readonly name: string }>(kind: string, name: string, list: readonly T[], flag: string): T {
  const found = list.find((item) => item.name === name)
  if (found === undefined)
    throw unknown(
      kind,
      name,
      list.map((item) => item.name),
      flag,
    )
  return found
}

function unknown(kind: string, name: string, known: readonly string[], flag: string): ToolgateError {
  const near = nearest(name, known)
  const code: ErrorCode = 'unknown-name'
  const offers =
    near.length > 0
      ? `did you mean ${near.map((other) => `"${other}"`).join(' or ')}`
      : `known: ${known.join(', ') || 'none'}`
  return new ToolgateError(
    finding(code, 'error', `there is no ${kind} "${name}"`, {
      subject: name,
      hint: offers,
      origin: { in: 'command line', key: flag },
    }),
  )
}

/** A child inherits every deny and ask of those above it, and no allow. */
function inherited(lineage: readonly AgentConfig[]): Rule[] {
  return lineage.flatMap(({ rules }) => rules).filter((rule) => rule.effect !== 'allow')
}

/** A budget up to 1 is a share of the context window, above that a number of tokens. */
export function budgetTokens(budget: number, contextTokens: number | undefined): number {
  return budget <= 1 ? Math.floor(budget * (contextTokens ?? contextTokensDefault)) : Math.floor(budget)
}
