// Takes the secrets of configurations out of texts that somebody sees.

import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Config } from '../config/config.ts'
import { redactor } from '../config/redact.ts'

const known = new WeakMap<Config, (text: string) => string>()

/**
 * Takes out every value that the configuration took from the environment. A path that came from a variable is no
 * secret: without it, no file of that folder could be named.
 */
export function redactorOf(config: Config): (text: string) => string {
  const before = known.get(config)
  if (before !== undefined) return before
  const made = redactor(secretsOf(config))
  known.set(config, made)
  return made
}

/** The same over every configuration so far: what an older one held stands in words of that time. */
export function growingRedactor(): {
  readonly add: (config: Config) => void
  readonly redacted: (text: string) => string
} {
  const secrets = new Set<string>()
  let made = redactor(secrets)
  return {
    add: (config) => {
      const before = secrets.size
      for (const secret of secretsOf(config)) secrets.add(secret)
      if (secrets.size > before) made = redactor(secrets)
    },
    redacted: (text) => made(text),
  }
}

const secretsOf = ({ secrets }: Config): readonly string[] =>
  secrets.filter((value) => !(isAbsolute(value) && existsSync(value)))
