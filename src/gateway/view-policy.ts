// What a client of a view gets, as the policy of a run. Rules of the gateway stand beside those of everybody: tools that
// only an agent of this program can carry out are nothing for a client that is an agent itself.

import type { RunPolicy } from '../assembly/policy.ts'
import type { Config, GatewayView } from '../config/config.ts'
import type { Rule } from '../core/run-facts.ts'
import { targetNames } from '../targets/targets.ts'
import { clientTarget } from './client-kinds.ts'

/** The view that there is where the configuration names none. */
export const defaultView: GatewayView = {
  name: 'default',
  denyTools: [],
  unattended: false,
  origin: { in: 'built-in' },
}

export const viewsOf = ({ gateway }: Config): readonly GatewayView[] =>
  gateway.views.length === 0 ? [defaultView] : gateway.views

/** `client`: how it introduces itself; its kind says what it accepts where the view does not. */
export function viewPolicy(view: GatewayView, client?: { readonly name: string }): RunPolicy {
  const target = view.target ?? (client === undefined ? undefined : clientTarget(client.name))
  return {
    ...(view.agent === undefined ? {} : { agent: view.agent }),
    ...(target !== undefined && targetNames.includes(target) ? { target } : {}),
    ...(view.unattended ? { unattended: true } : {}),
    rules: [...view.denyTools.map((text) => rule(text, view)), ...forAgentsAlone],
  }
}

const rule = (text: string, { name, origin }: GatewayView): Rule => ({
  effect: 'deny',
  text,
  scope: `view ${name}`,
  origin,
})

/** They end or hand over a turn of an agent that runs here, and a client of the gateway runs its own. */
const forAgentsAlone: readonly Rule[] = ['role:ask-person', 'role:subagent'].map((text) => ({
  effect: 'deny',
  text,
  scope: 'gateway',
  origin: { in: 'built-in', key: 'gateway' },
}))
