// What a server process inherits: the names it needs to run at all, and nothing that merely happens to be set. A
// list of what passes, because no list of secret-looking names is ever complete.

const posixNames = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TZ', 'USER']

const windowsNames = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]

type Environment = { readonly [name: string]: string | undefined }

/**
 * The environment of a server process: the base set from ours, then what its configuration names. Values that are
 * exported shell functions are left out, for a shell would run them; a configured one may be a variable of ours that
 * was put in.
 */
export function serverEnvironment(
  ours: Environment,
  configured: { readonly [name: string]: string },
  platform: NodeJS.Platform = process.platform,
): { [name: string]: string } {
  const windows = platform === 'win32'
  const base = new Set(windows ? windowsNames : posixNames)
  const result: [string, string][] = []
  for (const [name, value] of Object.entries(ours)) {
    const passes = base.has(windows ? name.toUpperCase() : name)
    if (passes && value !== undefined && !isFunction(value)) result.push([name, value])
  }
  for (const [name, value] of Object.entries(configured)) if (!isFunction(value)) result.push([name, value])
  return Object.fromEntries(result)
}

/** As shells export functions in variables. */
const isFunction = (value: string): boolean => /^\(\)\s*\{/.test(value)
