// Lists of several servers as one, and who owns what in it. A server that cannot be asked costs only its own part; of two
// things with one name the first server of the configuration owns it.

import type { McpServerConfig } from '../../config/config.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { redacted, requestOptions, type Scope, upstream } from '../scope.ts'
import type { RequestContext } from '../service.ts'

export interface Owned {
  readonly server: McpServerConfig
  /** As its owner lists it. */
  readonly item: JsonObject
}

export interface ListKind {
  readonly method: 'prompts/list' | 'resources/list' | 'resources/templates/list'
  /** The member of the result that holds the list. */
  readonly key: 'prompts' | 'resources' | 'resourceTemplates'
  readonly capability: 'prompts' | 'resources'
}

const pagesMax = 100
const itemsMax = 20_000

/** Everything of that kind, server by server. */
export async function everyOf(kind: ListKind, scope: Scope, context: RequestContext): Promise<readonly Owned[]> {
  const { introductions } = scope.view.current().run
  // Nobody is started to be asked for what it has said that it has not.
  const servers = (await scope.servers()).filter(({ name }) => {
    const said = introductions.get(name)
    return said === undefined || said.capabilities[kind.capability] !== undefined
  })
  const lists = await Promise.all(
    servers.map((server) =>
      upstream(scope, server, {
        context,
        work: async (session) => {
          if (session.capabilities[kind.capability] === undefined) return []
          const items: JsonObject[] = []
          let cursor: string | undefined
          for (let page = 0; page < pagesMax && items.length < itemsMax; page += 1) {
            const params = cursor === undefined ? {} : { cursor }
            const result = await session.request(kind.method, params, requestOptions(server, context))
            const list = result[kind.key]
            if (Array.isArray(list)) items.push(...list.filter(isJsonObject))
            if (typeof result.nextCursor !== 'string') break
            cursor = result.nextCursor
          }
          return items.map((item): Owned => ({ server, item: redacted(item, scope) }))
        },
      }).catch((): readonly Owned[] => []),
    ),
  )
  return lists.flat()
}
