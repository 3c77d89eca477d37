// The world a case is fed into: a fresh folder with a configuration beside its fixtures, a state folder, and
// something outside that must stay as it is.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface World {
  /** Everything of this case; made for it and removed after it. */
  readonly root: string
  /** Holds the configuration and `fixtures/`. */
  readonly config: string
  readonly state: string
  /** Writes a file below the configuration's folder and gives its path. */
  readonly write: (path: string, content: string | Uint8Array) => string
  /** Misses: what is new, gone or changed outside the state folder since the world was made. */
  readonly changes: () => string[]
}

/** Makes a world, hands it to `use`, and removes it whatever happens. */
export async function inWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-hostile-')))
  try {
    return await use(worldIn(root))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function worldIn(root: string): World {
  const config = join(root, 'config')
  const state = join(root, 'state')
  mkdirSync(join(config, 'fixtures'), { recursive: true })
  mkdirSync(state)
  for (const [name, text] of Object.entries(fixtures)) writeFileSync(join(config, 'fixtures', name), text)
  writeFileSync(join(root, 'outside.mjs'), toolText('t', 'outside'))

  let before = filesIn(root, state)
  const aboveBefore = existsSync(pwned)
  return {
    root,
    config,
    state,
    write: (path, content) => {
      const file = join(config, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, content)
      before = filesIn(root, state)
      return file
    },
    changes: () => {
      const now = filesIn(root, state)
      const out = [...now.keys()]
        .filter((file) => before.get(file) !== now.get(file))
        .map((file) => `made or changed ${file}`)
      out.push(...[...before.keys()].filter((file) => !now.has(file)).map((file) => `removed ${file}`))
      if (!aboveBefore && existsSync(pwned)) out.push('made "pwned" in the working folder')
      return out
    },
  }
}

const pwned = join(process.cwd(), 'pwned')

/** Every file below a folder with its content, except those below `without`. */
function filesIn(folder: string, without: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (path !== without && !path.startsWith(join(without, '/')))
      files.set(path, entry.isFile() ? readFileSync(path, 'latin1') : '')
  }
  return files
}

const toolText = (exported: string, name: string, more = ''): string => `
export const ${exported} = {
  name: ${JSON.stringify(name)},
  description: 'A tool for the test.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ${more}
  execute: async (args) => String(args.text),
}
`

/** As the README of the data describes them. */
const fixtures: { readonly [file: string]: string } = {
  'good.mjs': `${toolText('echoTool', 'echo')}export const justAString = 'text'\n`,
  'other.mjs': `${toolText('otherTool', 'other')}${toolText('echoToolTwin', 'echo')}`,
  'throws.mjs': `throw new Error('it cannot load')\nexport const t = 1\n`,
  'hangs.mjs': `await new Promise(() => {})\n${toolText('t', 'hangs')}`,
  'hostbash.mjs': toolText('bash', 'bash', "role: 'shell', needs: ['host-shell'],"),
  'reexport.mjs': "export { bash as tool } from './hostbash.mjs'\n",
  'search.mjs': toolText('tool', 'search'),
}
