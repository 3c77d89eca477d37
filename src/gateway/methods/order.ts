// Every method that the gateway serves. A new one is one line here.

import { complete } from './completion.ts'
import { setLevel } from './logging.ts'
import type { Method } from './method.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from './resources.ts'
import { callTools, listTools } from './tools.ts'

export const methods: ReadonlyMap<string, Method> = new Map(
  [
    listTools,
    callTools,
    listPrompts,
    getPrompt,
    listResources,
    listTemplates,
    readResource,
    subscribe,
    unsubscribe,
    complete,
    setLevel,
  ].map((method) => [method.method, method]),
)
