import type { Terminal } from '../../src/cli/terminal.ts'

/** A terminal that keeps what is printed, in plain text, wide enough for every line. */
export interface FakeTerminal extends Terminal {
  readonly printed: () => string
  readonly noted: () => string
}

export function fakeTerminal(): FakeTerminal {
  let out = ''
  const notes: string[] = []
  const same = (text: string): string => text
  const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
  return {
    print: (text) => {
      out += `${text}\n`
    },
    write: (text) => {
      out += text
    },
    note: (text) => void notes.push(text),
    progress: () => {},
    settle: () => {},
    paint,
    notePaint: paint,
    width: 400,
    printed: () => (out.endsWith('\n') ? out.slice(0, -1) : out),
    noted: () => notes.join('\n'),
  }
}
