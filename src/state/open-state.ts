// State is kept where `state.url` says. One file a kind of store, in one list.

import { printable } from '../core/printable.ts'
import { finding, ToolgateError } from '../errors.ts'
import type { StateStore } from './state-store.ts'
import type { OpenStateOptions } from './store-kind.ts'
import { storeOrder } from './stores/order.ts'

/**
 * Opens the store at an address such as `sqlite:.toolgate/state.db` or `sqlite::memory:`. A file is made when
 * something is first written. What is damaged is set aside and named in `findings`, and the state goes on empty; what
 * cannot be written can still be read. Throws a ToolgateError where the address is none (`state-url`), the file is
 * another program's or a newer version's, or no driver loads.
 */
export async function openState(url: string, options: OpenStateOptions = {}): Promise<StateStore> {
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/.exec(url)?.[1]
  const kind = storeOrder.find(({ schemes }) => scheme !== undefined && schemes.includes(scheme))
  if (scheme === undefined || kind === undefined) throw notSupported(scheme)
  const { folder = process.cwd(), busyMs = 5000 } = options
  return kind.open(url.slice(scheme.length + 1), { folder, busyMs })
}

/** The address itself is not told: it may hold a password. */
function notSupported(scheme: string | undefined): ToolgateError {
  const known = storeOrder.flatMap(({ schemes }) => schemes.map((one) => `${one}:`)).join(', ')
  const message =
    scheme === undefined ? '"state.url" has no scheme' : `state in "${printable(scheme)}:" is not supported yet`
  return new ToolgateError(
    finding('state-url', 'error', message, {
      subject: 'state.url',
      hint: `write one of: ${known}`,
      origin: { in: 'configuration', key: 'state.url' },
    }),
  )
}
