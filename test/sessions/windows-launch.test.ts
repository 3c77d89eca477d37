import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { windowsLaunch } from '../../src/sessions/processes/windows-launch.ts'

const files = new Set(['C:\\node\\npx.CMD', 'C:\\node\\node.EXE', 'C:\\work\\run.bat', 'C:\\two words\\tool.CMD'])
const place = {
  cwd: 'C:\\work',
  env: { Path: 'C:\\none;C:\\node;C:\\two words', PATHEXT: '.EXE;.CMD', COMSPEC: 'C:\\Windows\\cmd.exe' },
  isFile: (path: string) => files.has(path),
}

describe('starting a program on Windows [C-169, C-170]', () => {
  it.each([
    ['node', 'C:\\node\\node.EXE'],
    ['C:\\node\\node.EXE', 'C:\\node\\node.EXE'],
  ])('%s is found as Windows finds it, and its arguments stay a list', (command, found) => {
    expect(windowsLaunch(command, ['a b', '"'], place)).toEqual({ command: found, args: ['a b', '"'], verbatim: false })
  })

  it('hands a batch file to the interpreter, each argument quoted', () => {
    const { command, args, verbatim } = windowsLaunch('npx', ['-y', 'some-server', 'Work Files\\Group A'], place)
    expect([command, verbatim]).toEqual(['C:\\Windows\\cmd.exe', true])
    expect(args).toEqual([
      '/d',
      '/s',
      '/c',
      '"C:\\node\\npx.CMD ^^^"-y^^^" ^^^"some-server^^^" ^^^"Work^^^ Files\\Group^^^ A^^^""',
    ])
  })

  it.each([
    ['./run.bat', 'C:\\work\\run.bat'],
    ['tool', 'C:\\two^ words\\tool.CMD'],
  ])('%s is a batch file too', (command, shown) => {
    expect(windowsLaunch(command, [], place).args[3]).toBe(`"${shown}"`)
  })

  it('leaves what is not there as it is, so that starting it says so', () => {
    expect(windowsLaunch('nothing', ['x'], place)).toEqual({ command: 'nothing', args: ['x'], verbatim: false })
  })

  it('lets no argument end its quotes or reach the interpreter, and gives each back unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', ' ', '"', '\\', '&', '|', '%', '!', '^', '<', '>', '(', ')', ';', '*', '?', 'é'),
        }),
        (arg) => {
          const line = windowsLaunch('npx', [arg], place).args[3] ?? ''
          const first = line.slice('"C:\\node\\npx.CMD '.length, -1)
          // The interpreter reads a batch file's arguments twice; each time a caret takes its meaning from what follows.
          const once = unescaped(first)
          const twice = unescaped(once)
          expect(parsedByC(twice)).toBe(arg)
        },
      ),
      { numRuns: 5000 },
    )
  })
})

/** What is left of a line once the carets are read, checking that no sign of the interpreter stands without one. */
function unescaped(text: string): string {
  let result = ''
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '^') at += 1
    else expect('()][%!"`<>&|;, *?').not.toContain(text[at])
    result += text[at] ?? ''
  }
  return result
}

/** One quoted argument as the C runtime reads it. */
function parsedByC(text: string): string {
  expect(text.startsWith('"') && text.endsWith('"')).toBe(true)
  let result = ''
  let backslashes = 0
  for (const char of text.slice(1, -1)) {
    if (char === '\\') backslashes += 1
    else if (char === '"') {
      expect(backslashes % 2).toBe(1)
      result += `${'\\'.repeat((backslashes - 1) / 2)}"`
      backslashes = 0
    } else {
      result += '\\'.repeat(backslashes) + char
      backslashes = 0
    }
  }
  return result + '\\'.repeat(backslashes / 2)
}
