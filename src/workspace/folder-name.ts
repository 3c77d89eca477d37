// The name of the folder of a user or thread. INVARIANT: two ids have two names even where letter case does not
// count, and no name is one that Windows keeps for a device.

import { printable } from '../core/printable.ts'
import { finding, ToolgateError } from '../errors.ts'
import type { ThreadOwner } from './workspace.ts'

/** Throws a ToolgateError `invalid-id` that says which id it is. To be called before an id becomes a part of a path. */
export function checkOwner(owner: ThreadOwner): void {
  for (const which of ['user', 'thread'] as const) {
    const id: unknown = owner[which]
    if (typeof id === 'string' && idForm.test(id)) continue
    const shown = typeof id === 'string' ? `"${printable(id, 80)}"` : `a ${id === null ? 'null' : typeof id}`
    throw new ToolgateError(
      finding('invalid-id', 'error', `the ${which} id ${shown} cannot be used`, {
        subject: which,
        hint: 'use letters, digits, _ and -, at most 64',
      }),
    )
  }
}

const idForm = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The folder name of an id: the id itself when it holds no capital letter, else the id, `+`, and which of its letters
 * are capitals, as a hexadecimal number whose lowest bit is the first letter: `alice`, `Alice+1`, `ALICE+1f`. Names of
 * devices on Windows get the mark as well: `con+0`.
 */
export function folderNameOf(id: string): string {
  let capitals = 0n
  for (const [at, char] of [...id].entries()) if (char >= 'A' && char <= 'Z') capitals |= 1n << BigInt(at)
  return capitals === 0n && !isDeviceName(id) ? id : `${id}+${capitals.toString(16)}`
}

/** True for what Windows takes for a device, whatever ending follows (reference: "Naming Files, Paths, and Namespaces"). */
export const isDeviceName = (name: string): boolean =>
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i.test(name.split('.', 1)[0]?.trimEnd() ?? '')
