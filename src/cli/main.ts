#!/usr/bin/env node
// The command line: finds the command, parses the flags, turns errors into one clear message and an exit code.
// Commands are loaded one at a time, so that what is not asked for costs nothing.

import { advised } from '../assembly/advised.ts'
import type { Finding } from '../core/finding.ts'
import { finding, ToolgateError } from '../errors.ts'
import { commandNamed } from './command-named.ts'
import { errorLines } from './error-text.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { parseFlags, usage } from './flags.ts'
import { prepare, UnusableConfig } from './prepare.ts'
import { processTerminal, type Terminal } from './terminal.ts'

async function main(words: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = words
  // What comes after `--` are words, whatever they look like.
  const asked = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  const wantsJson = asked.includes('--json')
  let terminal = processTerminal({ color: !asked.includes('--no-color'), quiet: asked.includes('--quiet') })
  try {
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      const { helpText } = await import('./help.ts')
      terminal.print(
        await helpText(
          rest.find((word) => !word.startsWith('-')),
          terminal.paint,
        ),
      )
      return exitCodes.ok
    }
    if (name === '--version' || name === '-v') {
      const { version } = await import('./version.ts')
      terminal.print(version)
      return exitCodes.ok
    }
    const command = await commandNamed(name)
    const flags = parseFlags(rest, command.flags)
    terminal = processTerminal(flags.output)
    if (flags.help) {
      const { helpText } = await import('./help.ts')
      terminal.print(await helpText(name, terminal.paint))
      return exitCodes.ok
    }
    const { positionals } = flags
    if (positionals.length < command.positionalsMin || positionals.length > command.positionalsMax) {
      throw usage(
        `\`toolgate ${name}\` takes: ${command.usage === '' ? 'no words' : command.usage}`,
        name,
        `see \`toolgate help ${name}\``,
      )
    }
    return await command.run({ flags, terminal, positionals, prepare: (over) => prepare(flags, terminal, over) })
  } catch (error) {
    terminal.settle()
    return failed(error, terminal, wantsJson)
  }
}

function failed(error: unknown, terminal: Terminal, json: boolean): ExitCode {
  const findings = findingsOf(error).map(advised)
  if (json) terminal.print(JSON.stringify({ schema: 'toolgate.error/1', findings }, null, 2))
  else for (const found of findings) terminal.note(errorLines(found, terminal.notePaint).join('\n'))
  return exitCodeOf(error)
}

function findingsOf(error: unknown): readonly Finding[] {
  if (error instanceof UnusableConfig) return error.findings
  if (error instanceof ToolgateError) return [error.finding]
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [finding('internal-error', 'error', text)]
}

const codeExits: { readonly [code: string]: ExitCode } = {
  usage: exitCodes.usage,
  'flag-without-effect': exitCodes.usage,
  'unknown-name': exitCodes.unknown,
  'skill-unknown': exitCodes.unknown,
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ToolgateError) return codeExits[error.finding.code] ?? exitCodes.config
  if (error instanceof UnusableConfig) return exitCodes.config
  return exitCodes.no
}

process.exitCode = await main(process.argv.slice(2))
