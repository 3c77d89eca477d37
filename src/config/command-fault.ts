// `command` is one program. It is handed to the system without a shell, so a line of shell would at best not be
// found; it is refused before, with words that say what to do.

/**
 * Why a text is no program name, or nothing. A path with blanks or odd characters is one when that file exists, on
 * Windows too (`C:\Program Files\…`). `isFile` is asked only about such paths.
 */
export function commandFault(command: string, isFile: (path: string) => boolean): string | undefined {
  if (command.trim() === '') return 'the command is empty'
  if (lineBreakOrControl.test(command)) return 'the command holds a line break or a control character'
  if (!shellCharacter.test(command)) return undefined
  const isPath = command.includes('/') || command.includes('\\')
  if (isPath && isFile(command)) return undefined
  return isPath
    ? 'the command is a shell line, or a path with blanks that leads to no file; it takes one program'
    : 'the command is a shell line; it takes one program'
}

const lineBreakOrControl = /[\p{Cc}\p{Zl}\p{Zp}]/u
/** Blanks divide words, the others join, redirect, quote or expand. A backslash alone is a Windows path. */
const shellCharacter = /[\s;&|<>()`$'"*?!#{}]/
