// What an argument of a call is about, by its name: that decides how a rule's pattern is compared with its value.

/**
 * Where a condition without an argument name looks: the first of these that the tool takes. The order is that of
 * claw-code's permission rules, with the spellings that servers use added.
 */
export const primaryArguments = [
  'command',
  'cmd',
  'path',
  'file_path',
  'filePath',
  'notebook_path',
  'notebookPath',
  'file',
  'url',
  'uri',
  'pattern',
  'query',
  'code',
  'message',
] as const

/** command: a shell line. path: a file or folder. url: an address. host: the host of the address. text: all else. */
export type ArgumentKind = 'command' | 'path' | 'url' | 'host' | 'text'

/** The kind, by the argument's name; a pattern that begins as only a path can makes it a path. */
export function argumentKind(name: string, pattern: string): ArgumentKind {
  const bare = name.toLowerCase().replace(/[_-]/g, '')
  if (commandNames.has(bare)) return 'command'
  if (bare === 'domain') return 'host'
  if (urlNames.test(bare)) return 'url'
  if (pathNames.test(bare) || /^(?:\.{0,2}|~)\//.test(pattern)) return 'path'
  return 'text'
}

/** Arguments that `domain:` looks into when the tool has none of that name. */
export const isUrlArgument = (name: string): boolean => argumentKind(name, '') === 'url'

const commandNames = new Set(['command', 'commands', 'cmd', 'commandline', 'shellcommand'])
const urlNames = /(?:url|urls|uri|uris|href|endpoint)$/
const pathNames = /(?:path|paths|file|files|filename|filenames|dir|directory|folder|cwd|root|source|destination)$/
