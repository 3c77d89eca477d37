import type { JsonObject } from '../../core/json.ts'
import type { Scope } from '../scope.ts'
import type { RequestContext } from '../service.ts'

/** How one method of MCP is served. Rejects with a WireError. */
export type Serve = (params: JsonObject, context: RequestContext, scope: Scope) => Promise<JsonObject>

export interface Method {
  readonly method: string
  readonly serve: Serve
}
