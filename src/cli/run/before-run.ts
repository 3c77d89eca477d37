// What must hold before a model is asked for the first time.

import type { PreparedRun } from '../../assembly/run-input.ts'
import type { Config } from '../../config/config.ts'
import type { Finding } from '../../core/finding.ts'
import { printable } from '../../core/printable.ts'
import { finding } from '../../errors.ts'
import { type Requirement, requirementFindings } from '../../report/check-requirements.ts'
import type { Flags } from '../flags.ts'

/** Servers that are required and missing, and what `require` and `forbid` of the file and the flags do not find so. */
export function unfulfilled(run: PreparedRun, { require, forbid }: Config, flags: Flags): readonly Finding[] {
  return [
    ...run.servers.flatMap(({ name, required, state, detail, origin }) => {
      if (!required || state === 'available') return []
      const subject = printable(name, 64)
      const why = detail === undefined ? state : `${state}, ${printable(detail, 200)}`
      const message = `required server "${subject}" is not available: ${why}`
      return [finding('required-server-missing', 'error', message, { subject, origin })]
    }),
    ...requirementFindings(run, {
      require: [...require, ...given(flags, 'require')],
      forbid: [...forbid, ...given(flags, 'forbid')],
    }),
  ]
}

const given = ({ own }: Flags, flag: 'require' | 'forbid'): readonly Requirement[] => {
  const rules = own[flag]
  const origin = { in: 'command line', key: `--${flag}` }
  return Array.isArray(rules) ? rules.map((text: string) => ({ text, origin })) : []
}

/** One line on the servers whose tools are missing for a reason that nobody chose. Undefined: all are there. */
export function missingServers({ servers }: PreparedRun): string | undefined {
  const missing = servers.filter(({ state }) => !quiet.has(state))
  if (missing.length === 0) return undefined
  const shown = missing.slice(0, 5).map(({ name, state }) => `${printable(name, 64)} (${state})`)
  const more = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : ''
  return `not available: ${shown.join(', ')}${more}; see \`toolgate servers\``
}

const quiet: ReadonlySet<string> = new Set(['available', 'not-started', 'disabled'])
