// Importing the module of a `use` value: in time, inside the folder, an own export only. Modules run in this
// process with all its rights; that is why only files of the operator and trusted packages get here. A module that
// never stops computing cannot be interrupted; one that waits for ever is given up on, and its waiting keeps
// neither the process nor other imports.

import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'
import * as ownTools from '../tools/index.ts'
import { resolvePackage } from './resolve-package.ts'
import { isUseFault, type OwnModule, parseUse, type UseSpec } from './use-spec.ts'

export interface LoadFault {
  readonly code: Extract<ErrorCode, `use-${string}`>
  /** One printable line: what happened, with the module's name. */
  readonly message: string
}

export interface LoadOptions {
  /** The configuration's folder, absolute. */
  readonly folder: string
  readonly trusted: readonly string[]
  readonly timeoutMs: number
}

/** The exported value and where it came from, or why it cannot be had. Never rejects. */
export async function loadExport(
  use: unknown,
  options: LoadOptions,
): Promise<{ readonly value: unknown; readonly spec: UseSpec } | LoadFault> {
  const spec = parseUse(use, options.trusted)
  if (isUseFault(spec)) return spec
  const namespace = spec.kind === 'own' ? await own[spec.module as OwnModule]() : await loadModule(spec, options)
  if (isLoadFault(namespace)) return namespace
  if (!Object.hasOwn(namespace, spec.export)) {
    const names = Object.keys(namespace)
      .slice(0, 8)
      .map((name) => printable(name, 40))
    const has = names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`
    return { code: 'use-export', message: `${shown(spec)} has no export "${printable(spec.export, 60)}"; ${has}` }
  }
  try {
    return { value: (namespace as Record<string, unknown>)[spec.export], spec }
  } catch (error) {
    return {
      code: 'use-load-failed',
      message: `${shown(spec)} could not give "${printable(spec.export, 60)}": ${said(error)}`,
    }
  }
}

const own: { readonly [module in OwnModule]: () => Promise<object> } = {
  'toolgate/tools': async () => ownTools,
  'toolgate/embedders': () => import('../embedders/index.ts'),
}

export const isLoadFault = (result: object): result is LoadFault =>
  Object.hasOwn(result, 'code') && Object.hasOwn(result, 'message')

async function loadModule(spec: UseSpec, options: LoadOptions): Promise<object> {
  const found =
    spec.kind === 'file' ? insideFolder(spec.module, options.folder) : packageFile(spec.module, options.folder)
  if (isLoadFault(found)) return found
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<LoadFault>((resolve) => {
    const message = `${shown(spec)} timed out: it did not load within ${options.timeoutMs / 1000} s`
    timer = setTimeout(() => resolve({ code: 'use-timed-out', message }), options.timeoutMs)
  })
  try {
    // The namespace is wrapped, for a module that exports `then` would be taken for a promise.
    const loading = import(/* @vite-ignore */ pathToFileURL(found.file).href).then((namespace: object) => ({
      namespace,
    }))
    const outcome = await Promise.race([loading, deadline])
    return 'namespace' in outcome ? outcome.namespace : outcome
  } catch (error) {
    return { code: 'use-load-failed', message: `${shown(spec)} could not be loaded: ${said(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

/** INVARIANT: what is imported lies, links resolved, inside the configuration's folder. */
function insideFolder(module: string, folder: string): { readonly file: string } | LoadFault {
  try {
    const root = realpathSync(folder)
    const file = realpathSync(join(root, module))
    if (file.startsWith(root + sep)) return { file }
    return { code: 'use-outside', message: `"${printable(module)}" leads outside the configuration's folder` }
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return {
      code: 'use-load-failed',
      message: `"${printable(module)}" ${absent ? 'is not there' : `cannot be read: ${said(error)}`}`,
    }
  }
}

function packageFile(specifier: string, folder: string): { readonly file: string } | LoadFault {
  const found = resolvePackage(folder, specifier)
  return 'file' in found ? found : { code: 'use-load-failed', message: printable(found.why, 200) }
}

const shown = (spec: UseSpec): string => printable(spec.module, 100)
const said = (error: unknown): string => printable(error instanceof Error ? error.message : String(error), 160)
