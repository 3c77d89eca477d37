import manifest from 'toolgate/package.json' with { type: 'json' }

/** What we tell servers of ourselves. */
export const clientInfo = { name: 'toolgate', version: manifest.version } as const

/** What we say we can do. Part of what a listing depends on: servers list more tools to clients that can do more. */
export const clientCapabilities = {} as const
