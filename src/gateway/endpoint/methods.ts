// The methods of MCP that an endpoint passes on, and what is known of them.

/** Everything that `ClientSession.request` carries out, by revision. Whatever is not here does not exist. */
export const servedMethods = {
  legacy: new Set([
    'tools/list',
    'tools/call',
    'prompts/list',
    'prompts/get',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'completion/complete',
    'logging/setLevel',
  ]),
  modern: new Set([
    'tools/list',
    'tools/call',
    'prompts/list',
    'prompts/get',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'completion/complete',
  ]),
} as const

/** In 2026-07-28 their results say how long they hold. */
export const cacheableMethods: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/** In 2026-07-28 their results may be a question to the client. */
export const askingMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** What a client must offer to be asked. */
export const capabilityToAsk: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** What the header `Mcp-Name` says of a request: this member of its params. */
export const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/** Changes that a `subscriptions/listen` asks for, and the capability without which there are none. */
export const listenKinds = [
  { kind: 'toolsListChanged', method: 'notifications/tools/list_changed', of: 'tools' },
  { kind: 'promptsListChanged', method: 'notifications/prompts/list_changed', of: 'prompts' },
  { kind: 'resourcesListChanged', method: 'notifications/resources/list_changed', of: 'resources' },
] as const

export const resourceUpdated = 'notifications/resources/updated'

/** The only notifications of a server that belong to no request of 2026-07-28. */
export const changeMethods: ReadonlySet<string> = new Set([...listenKinds.map(({ method }) => method), resourceUpdated])

/** From chatter to emergency, as syslog has them. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
