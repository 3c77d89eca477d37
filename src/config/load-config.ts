// A configuration file to a configuration. Total: whatever the bytes are, what comes out is a configuration or the
// reasons why there is none, never an exception; and the time is bounded by the size.
//
//   bytes ─ text ─ data with places ─ checked keys ─ parts built one by one ─ references between them

import { statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { targetNames } from '../targets/targets.ts'
import { bounds } from './bounds.ts'
import { buildConfig } from './build-config.ts'
import { listed } from './build-sections.ts'
import type { Config } from './config.ts'
import type { Environment } from './expand.ts'
import type { Intake } from './intake.ts'
import { checked } from './issue-findings.ts'
import { originIn, type Part, partAt, remark } from './part.ts'
import { readJson } from './read-json.ts'
import { readText } from './read-text.ts'
import { readYamlInSteps } from './read-yaml.ts'
import { checkReferences } from './references.ts'
import { type FileData, fileSchema } from './schema.ts'
import { readSharedServers } from './shared-servers.ts'

export interface LoadOptions {
  /** Where variables are looked up; usually `process.env`. */
  readonly environment: Environment
  /** Groups of tools that the configuration does not declare, such as the built-in ones: an agent may ask for them. */
  readonly knownGroups?: readonly string[]
}

export interface LoadedConfig {
  /** Absent: the file cannot be used, and `findings` holds an error that says why. */
  readonly config?: Config
  readonly findings: readonly Finding[]
}

/**
 * Reads a configuration (YAML, or JSON by the ending `.json` or `.jsonc`) and the files it names. Never throws.
 * Findings are those of the readers and builders of this folder and `config-version`; the codes are explained in
 * `src/errors.ts`.
 */
export async function loadConfig(path: string, options: LoadOptions): Promise<LoadedConfig> {
  try {
    const text = await readText(path, path, { trusted: true })
    if ('fault' in text) return { findings: [text.fault] }
    return await configFromText(text.text, path, options)
  } catch (error) {
    return { findings: [internal(path, error)] }
  }
}

/** The same from a text that is in hand; `path` says where it belongs, for relative paths and findings. */
export async function configFromText(text: string, path: string, options: LoadOptions): Promise<LoadedConfig> {
  const ending = extname(path).toLowerCase()
  const reading = ending === '.json' || ending === '.jsonc' ? readJson(text, path) : await readYamlInSteps(text, path)
  if ('faults' in reading) return { findings: reading.faults }
  // Each of these steps takes a tenth of a second for a file at the limits; others have their turn in between.
  await nextTurn()
  // In a file that says so by its name, comments are no deviation.
  const warnings = ending === '.jsonc' ? [] : reading.warnings
  const root = partAt(reading.value, reading.place, [])
  const result = checked(fileSchema, root)
  if ('faults' in result) return bounded([...warnings, ...result.faults])
  const { data } = result
  if (data.version !== undefined && data.version !== 1) {
    const message = `version ${data.version} is not read by this program; it reads version 1`
    return { findings: [...warnings, remark(root, 'config-version', message, { path: ['version'] })] }
  }
  await nextTurn()
  const loaded = await withFiles(data, root, path, options)
  return bounded([...warnings, ...loaded.findings], loaded.config)
}

async function withFiles(data: FileData, root: Part, path: string, options: LoadOptions): Promise<LoadedConfig> {
  const folder = dirname(resolve(path))
  const files = listed(root, 'mcp_config_files', data.mcp_config_files)
  const shared = await readSharedServers(
    files.map(({ text, origin }) => ({ path: text, origin })),
    folder,
  )
  const secrets = new Set<string>()
  const intake: Intake = {
    environment: options.environment,
    isFile,
    folderOf: (file) => shared.folders.get(file) ?? folder,
    secret: (value) => void (value !== '' && secrets.add(value)),
  }
  const built = buildConfig({ data, root, file: path, folder, shared: shared.servers }, intake)
  const references = checkReferences({
    config: built.config,
    approvals: data.approved_servers ?? [],
    originAt: (at) => originIn(root, at),
    targets: targetNames,
    groups: options.knownGroups ?? [],
  })
  const findings = [...shared.findings, ...built.findings, ...references.findings]
  if (built.fatal || references.fatal) return { findings }
  const unusable = [...(built.config.unusable ?? []), ...references.unusable]
  return {
    config: {
      ...built.config,
      agents: references.agents,
      ...(unusable.length === 0 ? {} : { unusable }),
      ...(files.length === 0 ? {} : { sharedFiles: files.map(({ text }) => resolve(folder, text)) }),
      secrets: [...secrets],
    },
    findings,
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Errors come first, then at most as many findings as people read, and a word on the rest. */
function bounded(findings: readonly Finding[], config?: Config): LoadedConfig {
  const errors = findings.filter((found) => found.severity === 'error')
  const others = findings.filter((found) => found.severity !== 'error')
  const all = findings.length <= bounds.findings ? findings : [...errors, ...others].slice(0, bounds.findings)
  const more = findings.length - all.length
  const rest = finding('config-too-big', 'warning', `${more} more findings are not shown`, {
    hint: 'mend the first ones',
  })
  return {
    ...(config === undefined ? {} : { config }),
    findings: more > 0 ? [...all, rest] : all,
  }
}

/** INVARIANT: without a configuration there is an error that says why. */
function internal(path: string, error: unknown): Finding {
  const what = error instanceof Error ? error.message : String(error)
  const file = printable(path, 200)
  return finding('internal-error', 'error', `reading failed where it should not: ${printable(what, 160)}`, {
    subject: file,
    origin: { in: file },
  })
}
