// Writes docs/errors.md from the catalogue of codes. A test compares the page with what this gives.

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCodes } from '../src/errors.ts'

/** The page as text. */
export function errorDocs(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { means, remedy }]) => `| \`${code}\` | ${cell(means)} | ${cell(remedy)} |`,
  )
  return [
    '# Errors and findings',
    '',
    'Made from `src/errors.ts` by `npm run docs`. Codes are stable. Reasons of gates are in [gates.md](gates.md).',
    '',
    '| code | what it means | what to do |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(resolve(import.meta.dirname, '../docs/errors.md'), errorDocs())
}
