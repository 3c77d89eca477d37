// What a `use` value names: a file beside the configuration, or a package that the operator trusts. It is read as
// text and checked in full before anything is loaded; `import()` alone would take URLs, built-in modules and
// percent-encoded parent folders.

import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'

export interface UseSpec {
  /** `own`: a module of this package. `file`: a path relative to the configuration's folder. `package`: a bare specifier. */
  readonly kind: 'own' | 'file' | 'package'
  readonly module: string
  readonly export: string
}

export interface UseFault {
  readonly code: Extract<ErrorCode, 'use-format' | 'use-scheme' | 'use-outside' | 'use-not-trusted'>
  /** One printable line. */
  readonly message: string
}

const lengthMax = 1024
const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u
const packageName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/
const form = 'write ./file.mjs:export or package:export'

/** Total: any value gives a spec or a fault. `trusted` are the packages, or specifiers in them, that the operator trusts. */
export function parseUse(use: unknown, trusted: readonly string[]): UseSpec | UseFault {
  if (typeof use !== 'string' || use === '') return fault('use-format', `it is no text; ${form}`)
  if (use.length > lengthMax) return fault('use-format', `it is longer than ${lengthMax} characters`)
  if (controls.test(use)) return fault('use-format', `${shown(use)} holds control characters`)
  const colon = use.lastIndexOf(':')
  const module = colon < 0 ? use : use.slice(0, colon)
  const name = colon < 0 ? '' : use.slice(colon + 1)
  if (scheme.test(module) || name.startsWith('//')) {
    return fault(
      'use-scheme',
      `${shown(use)} is a URL; only files beside the configuration and trusted packages are loaded`,
    )
  }
  if (module === '') return fault('use-format', `${shown(use)} names no module; ${form}`)
  const refused = /[%?#\\]/.exec(module)?.[0]
  if (refused !== undefined)
    return fault('use-format', `${shown(use)} holds "${refused}", which a module path may not hold`)
  if (name === '') return fault('use-format', `${shown(use)} names no export; ${form}`)
  if (!identifier.test(name)) return fault('use-format', `"${printable(name, 60)}" is no name of an export; ${form}`)
  return module.startsWith('.') || module.startsWith('/') ? file(module, name) : bare(module, name, trusted)
}

export const isUseFault = (result: UseSpec | UseFault): result is UseFault => 'code' in result

function file(module: string, name: string): UseSpec | UseFault {
  const path = posix.normalize(module)
  if (module.startsWith('/') || path === '..' || path.startsWith('../')) {
    return fault('use-outside', `${shown(module)} is outside the configuration's folder`)
  }
  if (!module.startsWith('./')) return fault('use-format', `${shown(module)} is no path that begins with ./`)
  return { kind: 'file', module: `./${path}`, export: name }
}

function bare(module: string, name: string, trusted: readonly string[]): UseSpec | UseFault {
  if (isBuiltin(module)) return fault('use-scheme', `"${printable(module, 60)}" is a module of Node itself`)
  if (isOwnModule(module)) return { kind: 'own', module, export: name }
  const parts = module.split('/')
  const owner = module.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
  if (!packageName.test(owner) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    return fault('use-format', `"${printable(module, 60)}" is no name of a package; a file begins with ./`)
  }
  if (owner !== 'toolgate' && !trusted.includes(owner) && !trusted.includes(module)) {
    return fault('use-not-trusted', `package "${printable(owner, 60)}" is not listed in trusted_modules`)
  }
  return { kind: 'package', module, export: name }
}

/** Modules of this package that a `use` may name; they are here, whatever the configuration's folder holds. */
export const ownModules = ['toolgate/tools', 'toolgate/embedders'] as const
export type OwnModule = (typeof ownModules)[number]
export const isOwnModule = (module: string): module is OwnModule => ownModules.some((own) => own === module)

const fault = (code: UseFault['code'], message: string): UseFault => ({ code, message })
const shown = (text: string): string => `"${printable(text, 100)}"`
