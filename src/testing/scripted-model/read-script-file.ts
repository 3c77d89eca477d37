import { readFile, stat } from 'node:fs/promises'
import type { Finding } from '../../core/finding.ts'
import { printable } from '../../core/printable.ts'
import { scriptBounds } from './plain-copy.ts'
import { readScript, type ScriptPlace, type ScriptReading } from './read-script.ts'

/** What turns a text into data with places, or says why it cannot: the readers of YAML and JSON of this package do. */
export type ScriptParser = (
  text: string,
  file: string,
) => { readonly value: unknown; readonly place?: ScriptPlace } | { readonly faults: readonly Finding[] }

/**
 * Reads a script from a file. `file` is how findings name it. Findings: those of the parser, `script-unreadable` (not
 * there, no permission, no regular file, more than 4 MiB), `script-invalid`. Never throws, unless the parser does.
 */
export async function readScriptFile(path: string, parse: ScriptParser, file: string = path): Promise<ScriptReading> {
  const text = await textOf(path)
  if (typeof text !== 'string') return { faults: [unreadable(file, text.why)] }
  const parsed = parse(text, file)
  if ('faults' in parsed) return parsed
  return readScript(parsed.value, { file, ...(parsed.place === undefined ? {} : { place: parsed.place }) })
}

async function textOf(path: string): Promise<string | { readonly why: string }> {
  try {
    const info = await stat(path)
    if (!info.isFile()) return { why: 'is no regular file' }
    if (info.size > scriptBounds.bytes) return { why: `has more than ${scriptBounds.bytes} bytes` }
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { why: code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? 'unknown'})` }
  }
}

const unreadable = (file: string, why: string): Finding => ({
  code: 'script-unreadable',
  severity: 'error',
  message: printable(`the script ${file} ${why}`, 300),
  subject: printable(file),
  hint: 'check the path after script:',
  origin: { in: file },
})
