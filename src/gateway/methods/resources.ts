// Resources keep their URIs: they are addresses, and what a server returns may name them. Who owns one says the list, or
// for one that no list has, whichever server knows it.

import type { JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { passOn, type Scope } from '../scope.ts'
import { type RequestContext, WireError } from '../service.ts'
import { everyOf, type ListKind, type Owned } from './merged.ts'
import type { Method } from './method.ts'

const resources = { method: 'resources/list', key: 'resources', capability: 'resources' } as const
const templates = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  capability: 'resources',
} as const

async function listed(kind: ListKind, id: 'uri' | 'uriTemplate', scope: Scope, context: RequestContext) {
  const table = new Map<string, Owned>()
  for (const owned of await everyOf(kind, scope, context)) {
    const key = owned.item[id]
    if (typeof key === 'string' && !table.has(key)) table.set(key, owned)
  }
  return table
}

export const listResources: Method = {
  method: 'resources/list',
  serve: async (_params, context, scope) => ({
    resources: [...(await listed(resources, 'uri', scope, context)).values()].map(({ item }) => item),
  }),
}

export const listTemplates: Method = {
  method: 'resources/templates/list',
  serve: async (_params, context, scope) => ({
    resourceTemplates: [...(await listed(templates, 'uriTemplate', scope, context)).values()].map(({ item }) => item),
  }),
}

export const templateOwner = async (uri: string, scope: Scope, context: RequestContext): Promise<Owned | undefined> =>
  (await listed(templates, 'uriTemplate', scope, context)).get(uri)

const notFound = -32002

/** Of a URI in nobody's list each server is asked in turn; the first that knows it answers. */
async function atOwner(method: string, params: JsonObject, context: RequestContext, scope: Scope): Promise<JsonObject> {
  const { uri } = params
  if (typeof uri !== 'string') throw new WireError(-32602, `${method} needs a uri`)
  const owned = (await listed(resources, 'uri', scope, context)).get(uri)
  if (owned !== undefined) return passOn(scope, owned.server, { method, params, context })
  const own = await listed(templates, 'uriTemplate', scope, context)
  const servers = [...new Set([...own.values()].map(({ server }) => server))]
  let last: WireError | undefined
  for (const server of servers) {
    try {
      return await passOn(scope, server, { method, params, context })
    } catch (error) {
      if (!(error instanceof WireError) || context.signal.aborted) throw error
      last = error
    }
  }
  throw last ?? new WireError(notFound, `there is no resource "${printable(uri, 300)}"`, { uri })
}

const served = (method: string): Method => ({
  method,
  serve: (params, context, scope) => atOwner(method, params, context, scope),
})

export const readResource = served('resources/read')
export const subscribe = served('resources/subscribe')
export const unsubscribe = served('resources/unsubscribe')
