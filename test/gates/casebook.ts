// Every gate with its table of cases. The conformance suite takes them as its example worlds, and docs/gates.md
// its sample sentences.

import type { Gate } from '../../src/core/gate.ts'
import { availability } from '../../src/gates/availability.ts'
import { deferral } from '../../src/gates/deferral.ts'
import { definition } from '../../src/gates/definition.ts'
import { delegation } from '../../src/gates/delegation.ts'
import { hostShell } from '../../src/gates/host-shell.ts'
import { mcpSwitch } from '../../src/gates/mcp-switch.ts'
import { mcpSwitchBySubstring } from '../../src/gates/mcp-switch-by-substring.ts'
import { modelCapability } from '../../src/gates/model-capability.ts'
import { permissions } from '../../src/gates/permissions.ts'
import { providerFit } from '../../src/gates/provider-fit.ts'
import { simpleMode } from '../../src/gates/simple-mode.ts'
import { simpleModeByName } from '../../src/gates/simple-mode-by-name.ts'
import { skillTools } from '../../src/gates/skill-tools.ts'
import { toolGroups } from '../../src/gates/tool-groups.ts'
import { toolGroupsOfConfig } from '../../src/gates/tool-groups-of-config.ts'
import { uniqueName } from '../../src/gates/unique-name.ts'
import { uniqueNameWithTakeover } from '../../src/gates/unique-name-with-takeover.ts'
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
