import type { Terminal } from './terminal.ts'

/** One document, indented for people who read it, valid for programs. */
export function printJson(terminal: Terminal, document: object): void {
  terminal.print(JSON.stringify(document, null, 2))
}
