import type { Terminal } from '../../src/cli/terminal.ts'

/** A terminal that keeps what is printed, in plain text, wide enough for every line. */
export interface FakeTerminal extends Terminal {
  readonly printed: () => string
  readonly noted: () => string
}

export function fakeTerminal(): FakeTerminal {
  const out: string[] = []
  const notes: string[] = []
  const same = (text: string): string => text
  const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
  return {
    print: (text) => out.push(text),
    note: (text) => notes.push(text),
    progress: () => {},
    settle: () => {},
    paint,
    notePaint: paint,
    width: 400,
    printed: () => out.join('\n'),
    noted: () => notes.join('\n'),
  }
}
