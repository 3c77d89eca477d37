// What calls tools: for programs that keep servers open. Apart from the main entry, because it loads the MCP client.

export { CallFailure, type CallFailureCode } from '../sessions/call-failure.ts'
export { openSession } from '../sessions/open-session.ts'
export type { PoolOptions, SessionPool, SessionState } from '../sessions/pool/pool.ts'
export { sessionPool } from '../sessions/pool/session-pool.ts'
export type { CallOptions, CallProgress, OpenSession } from '../sessions/session.ts'
export { openState } from '../state/open-state.ts'
export type { StateStore } from '../state/state-store.ts'
export type { ThreadRecord, WaitingFor } from '../state/thread-state.ts'
export { openWorkspace } from '../workspace/open-workspace.ts'
export type { ThreadOwner, Workspace } from '../workspace/workspace.ts'
export {
  type AgentCall,
  type AgentStep,
  type AgentThread,
  type AgentThreadInput,
  type Beginning,
  openAgentThread,
} from './agent-thread.ts'
export { type ApprovalBoard, approvalBoard } from './approvals/approval-board.ts'
export type { Generation } from './generation.ts'
export type { ApprovalRequest, CallContext, Middleware, Next } from './middleware.ts'
export { type ModelContent, modelContent } from './model-content.ts'
export { middlewareOrder } from './order.ts'
export type { VisibleTools } from './thread-catalog.ts'
export type { CallOutcome, Failure, Refusal, ToolCall, ToolRequest, ToolResult } from './tool-call.ts'
export { openToolbox, type Toolbox, type ToolboxOptions } from './toolbox.ts'
export type { Calls, View } from './view.ts'
