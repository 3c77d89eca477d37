// A configuration text as a test writes it, read with or without files beside it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { configFromText, type LoadedConfig, type LoadOptions, loadConfig } from '../../src/config/load-config.ts'
import type { Finding } from '../../src/core/finding.ts'

const nothing: LoadOptions = { environment: {} }

/** The text as `/desk/toolgate.yaml`, a folder that need not be there. */
export function given(text: string, options: Partial<LoadOptions> = {}): Promise<LoadedConfig> {
  return configFromText(text, '/desk/toolgate.yaml', { ...nothing, ...options })
}

/** The configuration of a text that must be usable. */
export async function usable(text: string, options: Partial<LoadOptions> = {}): Promise<Config> {
  const { config, findings } = await given(text, options)
  if (config === undefined) throw new Error(`not usable: ${JSON.stringify(findings)}`)
  return config
}

/** Files in a fresh folder, the first of which is loaded; the folder is gone afterwards. */
export async function loaded(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<LoadOptions> = {},
): Promise<LoadedConfig & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-config-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const first = Object.keys(files)[0] ?? 'toolgate.yaml'
    return { folder, ...(await loadConfig(join(folder, first), { ...nothing, ...options })) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Findings in short: `error config-type tools[0].name`. */
export const short = (findings: readonly Finding[]): string[] =>
  findings.map(({ severity, code, origin, subject }) => `${severity} ${code} ${origin?.key ?? subject}`)

export const errors = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity === 'error')
