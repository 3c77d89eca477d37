// What people who write their own gates can test them with.

export type { DescribeGateOptions, GateCheck, GateWorld } from './gate-conformance.ts'
export { describeGate } from './gate-conformance.ts'
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
