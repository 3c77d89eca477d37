// Prompts of the servers that the view may use, under names that say whose they are.

import { printable } from '../../core/printable.ts'
import { passOn, type Scope } from '../scope.ts'
import { type RequestContext, WireError } from '../service.ts'
import { everyOf, type Owned } from './merged.ts'
import type { Method } from './method.ts'

const kind = { method: 'prompts/list', key: 'prompts', capability: 'prompts' } as const

/** By shown name. */
export async function promptsOf(scope: Scope, context: RequestContext): Promise<ReadonlyMap<string, Owned>> {
  const table = new Map<string, Owned>()
  for (const owned of await everyOf(kind, scope, context)) {
    const { name } = owned.item
    if (typeof name !== 'string') continue
    const shown = owned.server.prefix ? `${owned.server.name}__${name}` : name
    if (!table.has(shown)) table.set(shown, owned)
  }
  return table
}

export async function promptNamed(name: unknown, scope: Scope, context: RequestContext): Promise<Owned> {
  const owned = typeof name === 'string' ? (await promptsOf(scope, context)).get(name) : undefined
  if (owned === undefined) throw new WireError(-32602, `there is no prompt "${printable(String(name), 128)}"`)
  return owned
}

export const listPrompts: Method = {
  method: 'prompts/list',
  serve: async (_params, context, scope) => {
    const table = await promptsOf(scope, context)
    return { prompts: [...table].map(([name, { item }]) => ({ ...item, name })) }
  },
}

export const getPrompt: Method = {
  method: 'prompts/get',
  serve: async (params, context, scope) => {
    const { server, item } = await promptNamed(params.name, scope, context)
    return passOn(scope, server, { method: 'prompts/get', params: { ...params, name: item.name ?? '' }, context })
  },
}
