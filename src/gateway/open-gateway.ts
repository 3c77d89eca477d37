// The gateway: a configuration in service, for clients that speak MCP. It knows no wire.

import type { Config } from '../config/config.ts'
import { openToolbox, type Toolbox, type ToolboxOptions } from '../runtime/toolbox.ts'
import { clientDesk } from './client-desk.ts'
import { openClientSession } from './client-session.ts'
import { type GatewayService, WireError } from './service.ts'
import { viewPolicy, viewsOf } from './view-policy.ts'

export interface GatewayOptions
  extends Omit<ToolboxOptions, 'viewsOf' | 'peerOf' | 'onNotification' | 'owner' | 'config'> {
  readonly config: Config
  readonly version: string
}

export interface Gateway {
  readonly service: GatewayService
  readonly toolbox: Toolbox
  /** Ends everything. Safe to call again. */
  readonly close: () => Promise<void>
}

/** Whose sessions list the tools of servers; no client has them. */
const listingOwner = { user: 'gateway', thread: 'listing' }

/** Rejects as `openToolbox` does. */
export async function openGateway({ version, ...options }: GatewayOptions): Promise<Gateway> {
  const desk = clientDesk()
  let isEnding = false
  const toolbox = await openToolbox({
    ...options,
    owner: listingOwner,
    viewsOf: (config) => viewsOf(config).map((view) => viewPolicy(view)),
    peerOf: (server, owner) => desk.peerOf(server.name, owner),
    onNotification: (server, owner, method, params) => desk.told(server, owner, method, params ?? {}),
  })
  const serverInfo = { name: 'toolgate', title: 'Toolgate', version }
  return {
    toolbox,
    service: {
      open: async (client) => {
        const config = viewsOf(toolbox.current().config).find(({ name }) => name === client.view)
        if (config === undefined) throw new WireError(-32602, `there is no view "${client.view}"`)
        return openClientSession({ toolbox, desk, client, config, serverInfo })
      },
      health: () => ({
        state: isEnding ? 'ending' : 'ready',
        servers: toolbox.current().run.servers.map(({ name, state }) => ({ name, state })),
      }),
    },
    close: async () => {
      isEnding = true
      await toolbox.close()
    },
  }
}
