// What people who write gates and agents of their own can test them with.

export type {
  AdapterCheck,
  AdapterConformanceOptions,
  AdapterStage,
  DrivenAdapter,
  DrivenTurn,
  OpenAdapter,
} from './adapter-conformance.ts'
export { adapterConformance } from './adapter-conformance.ts'
export type { DescribeGateOptions, GateCheck, GateWorld } from './gate-conformance.ts'
export { describeGate } from './gate-conformance.ts'
export type { MiddlewareCheck, MiddlewareConformanceOptions, MiddlewareExample } from './middleware-conformance.ts'
export { middlewareConformance } from './middleware-conformance.ts'
export type {
  ScriptedCommand,
  ScriptedOptions,
  ScriptedServer,
  ScriptedServerOptions,
} from './scripted-handles.ts'
export { scriptedServer, startScriptedServer } from './scripted-handles.ts'
export type * from './scripted-model/index.ts'
export {
  readScript,
  readScriptFile,
  scriptedModelName,
  scriptFrom,
  startScriptedModel,
} from './scripted-model/index.ts'
export type { CallPlan, ReceivedMessage, ServerPlan } from './scripted-plan.ts'
export type { StateCheck } from './state-conformance.ts'
export { stateConformance } from './state-conformance.ts'
export type { FactsOverrides } from './world.ts'
export {
  aCandidate,
  aSearchTool,
  aStandIn,
  aWorld,
  hostileCandidates,
  sha256,
  smallWorlds,
  someCandidates,
  someFacts,
} from './world.ts'
