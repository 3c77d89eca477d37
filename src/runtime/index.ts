// What calls tools: for programs that keep servers open. Apart from the main entry, because it loads the MCP client.

export { CallFailure, type CallFailureCode } from '../sessions/call-failure.ts'
export { openSession } from '../sessions/open-session.ts'
export type { PoolOptions, SessionPool, SessionState } from '../sessions/pool/pool.ts'
export { sessionPool } from '../sessions/pool/session-pool.ts'
export type { CallOptions, CallProgress, OpenSession } from '../sessions/session.ts'
export { openWorkspace } from '../workspace/open-workspace.ts'
export type { ThreadOwner, Workspace } from '../workspace/workspace.ts'
export type { Generation } from './generation.ts'
export type { ApprovalRequest, Middleware } from './middleware.ts'
export { middlewareOrder } from './order.ts'
export type { CallOutcome, Failure, Refusal, ToolRequest, ToolResult } from './tool-call.ts'
export { type Calls, openToolbox, type Toolbox, type ToolboxOptions } from './toolbox.ts'
