import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { passOn } from '../scope.ts'
import { WireError } from '../service.ts'
import type { Method } from './method.ts'
import { promptNamed } from './prompts.ts'
import { templateOwner } from './resources.ts'

/** Arguments of prompts and templates, by whoever owns them. */
export const complete: Method = {
  method: 'completion/complete',
  serve: async (params, context, scope) => {
    const ref: JsonObject = isJsonObject(params.ref) ? params.ref : {}
    if (ref.type === 'ref/prompt') {
      const { server, item } = await promptNamed(ref.name, scope, context)
      const own = { ...params, ref: { ...ref, name: item.name ?? '' } }
      return passOn(scope, server, { method: 'completion/complete', params: own, context })
    }
    const owned = typeof ref.uri === 'string' ? await templateOwner(ref.uri, scope, context) : undefined
    if (owned === undefined) throw new WireError(-32602, 'there is nothing of that reference to complete')
    return passOn(scope, owned.server, { method: 'completion/complete', params, context })
  },
}
