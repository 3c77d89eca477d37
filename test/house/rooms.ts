// Which room may look at which: the arrows of ARCHITECTURE.md as data. A room that is not listed may not exist.

/** Rooms that run in a browser page as well: nothing from `node:`. */
export const pureRooms = ['core', 'names', 'text', 'permissions', 'targets', 'gates', 'report'] as const

export const arrows: { readonly [room: string]: readonly string[] } = {
  core: [],
  errors: ['core'],
  names: ['core'],
  text: ['core'],
  permissions: ['core', 'errors', 'names'],
  targets: ['core'],
  gates: ['core', 'names', 'permissions', 'targets'],
  report: ['core', 'errors', 'names', 'permissions', 'targets', 'gates'],
  config: ['core', 'errors', 'names', 'permissions', 'targets'],
  skills: ['core', 'errors', 'names', 'text', 'config'],
  tools: ['core'],
  sessions: ['core', 'errors', 'config'],
  sources: ['core', 'errors', 'names', 'text', 'config', 'sessions', 'tools'],
  assembly: [
    'core',
    'errors',
    'names',
    'permissions',
    'targets',
    'gates',
    'report',
    'config',
    'skills',
    'tools',
    'sessions',
    'sources',
  ],
  testing: ['core', 'gates', 'permissions', 'targets', 'sources'],
  cli: [
    'core',
    'errors',
    'names',
    'permissions',
    'targets',
    'gates',
    'report',
    'config',
    'skills',
    'tools',
    'sessions',
    'sources',
    'assembly',
  ],
  index: [
    'core',
    'errors',
    'permissions',
    'targets',
    'gates',
    'report',
    'config',
    'skills',
    'tools',
    'sessions',
    'sources',
    'assembly',
  ],
}

/** Packages that have one address. */
export const packageHomes: { readonly [name: string]: readonly string[] } = {
  zod: ['config'],
  yaml: ['config'],
  'jsonc-parser': ['config'],
  '@modelcontextprotocol/client': ['sessions'],
  picocolors: ['cli'],
  'gpt-tokenizer': ['cli'],
}
