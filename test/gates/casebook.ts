// Every gate with its table of cases. The conformance suite takes them as its example worlds, and docs/gates.md
// its sample sentences.

import type { Gate } from '../../src/core/gate.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { availabilityCases } from './cases/availability.ts'
import { deferralCases } from './cases/deferral.ts'
import { definitionCases } from './cases/definition.ts'
import { delegationCases } from './cases/delegation.ts'
import { permissionCases } from './cases/permissions.ts'
import { providerFitCases } from './cases/provider-fit.ts'
import {
  hostShellCases,
  mcpSwitchBySubstringCases,
  mcpSwitchCases,
  modelCapabilityCases,
  simpleModeByNameCases,
  simpleModeCases,
} from './cases/simple-gates.ts'
import { skillToolsCases } from './cases/skill-tools.ts'
import { toolGroupCases, toolGroupOfConfigCases, toolGroupOnlyCases } from './cases/tool-groups.ts'
import { reservedCases, takeoverCases, uniqueNameCases } from './cases/unique-name.ts'
import type { GateCase } from './gate-case.ts'

const [availability, definition, toolGroups, hostShell, modelCapability, simpleMode, mcpSwitch, permissions] =
  gateOrder.default
const [, , , , , , , , skillTools, delegation, uniqueName, providerFit, deferral] = gateOrder.default
const [, , toolGroupsOfConfig, , , , uniqueNameWithTakeover] = gateOrder.deerflow
const [, , simpleModeByName, mcpSwitchBySubstring] = gateOrder.claw

export const casebook: ReadonlyMap<Gate, readonly GateCase[]> = new Map<Gate, readonly GateCase[]>([
  [availability, availabilityCases],
  [definition, definitionCases],
  [toolGroups, [...toolGroupCases, ...toolGroupOnlyCases]],
  [toolGroupsOfConfig, [...toolGroupCases, ...toolGroupOfConfigCases]],
  [hostShell, hostShellCases],
  [modelCapability, modelCapabilityCases],
  [simpleMode, simpleModeCases],
  [simpleModeByName, simpleModeByNameCases],
  [mcpSwitch, mcpSwitchCases],
  [mcpSwitchBySubstring, mcpSwitchBySubstringCases],
  [permissions, permissionCases],
  [skillTools, skillToolsCases],
  [delegation, delegationCases],
  [uniqueName, [...uniqueNameCases, ...reservedCases]],
  [uniqueNameWithTakeover, [...uniqueNameCases, ...takeoverCases]],
  [providerFit, providerFitCases],
  [deferral, deferralCases],
])
