// The package as it is published: packed, laid into an empty project with nothing but its declared dependencies, and
// used there: each entry, the program, and the types of a gate of one's own.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt, root } from './built.ts'
import { freshFolder } from './project.ts'
import { type Ran, runProgram } from './run.ts'

interface Manifest {
  readonly version: string
  readonly bin: { readonly toolgate: string }
  readonly exports: { readonly [entry: string]: unknown }
  readonly dependencies: { readonly [name: string]: string }
}

const home = freshFolder()
const installed = join(home, 'node_modules/toolgate')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const inHome = (words: readonly string[]): Promise<Ran> => runProgram(process.execPath, words, { cwd: home })
const toolgate = (...words: readonly string[]): Promise<Ran> =>
  inHome([join(installed, manifest.bin.toolgate), ...words])

beforeAll(() => {
  ensureBuilt()
  const windows = process.platform === 'win32'
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', home]
  const packed = execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    shell: windows,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename } = { filename: '' }] = JSON.parse(packed) as { filename: string }[]
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', filename, '-C', 'node_modules/toolgate', '--strip-components=1'], { cwd: home })
  // Those that are optional are there as well: each entry is tried.
  for (const name of [...Object.keys(manifest.dependencies), 'ai']) {
    const place = join(home, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), place, 'junction')
  }
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
})

describe('the published package', () => {
  it('holds the program, the types, the schema and the papers, and nothing of the workshop', () => {
    const top = readdirSync(installed).sort()
    expect(top).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'dist', 'package.json', 'schema']))
    for (const kept of ['src', 'test', 'bench', 'scripts', 'examples', 'node_modules']) expect(top).not.toContain(kept)
    expect(readFileSync(join(installed, manifest.bin.toolgate), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('has every file that the documentation of the configuration points at', () => {
    const page = readFileSync(join(root, 'docs/config.md'), 'utf8')
    const named = [...page.matchAll(/node_modules\/toolgate\/([\w./-]+\w)/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((file) => !existsSync(join(installed, file)))).toEqual([])
  })

  it.each([
    { entry: 'toolgate', source: '../../src/index.ts' },
    { entry: 'toolgate/tools', source: '../../src/tools/index.ts' },
    { entry: 'toolgate/agent', source: '../../src/agent/index.ts' },
    { entry: 'toolgate/adapters/ai', source: '../../src/adapters/ai/index.ts' },
    { entry: 'toolgate/embedders', source: '../../src/embedders/index.ts' },
    { entry: 'toolgate/runtime', source: '../../src/runtime/index.ts' },
    { entry: 'toolgate/testing', source: '../../src/testing/index.ts' },
  ])('gives under plain Node what its source says: $entry', async ({ entry, source }) => {
    const { code, stdout, stderr } = await inHome([
      '--input-type=module',
      '-e',
      `console.log(Object.keys(await import('${entry}')).join())`,
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const wanted = Object.keys((await import(source)) as object).sort()
    // The adapter is one function; whatever else has so few exports has lost some.
    if (entry === 'toolgate/adapters/ai') expect(wanted).toEqual(['aiTurn'])
    else expect(wanted.length).toBeGreaterThan(1)
    expect(stdout.trim().split(',').sort()).toEqual(wanted)
  })

  it('has no entry that this test does not try', () => {
    expect(Object.keys(manifest.exports).sort()).toEqual([
      '.',
      './adapters/ai',
      './agent',
      './embedders',
      './package.json',
      './runtime',
      './testing',
      './tools',
    ])
  })

  it('runs as a program', async () => {
    expect(await toolgate('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    expect((await toolgate('tools')).code).toBe(3)
    writeFileSync(
      join(home, 'toolgate.yaml'),
      'version: 1\ntools:\n  - { name: read_file, use: "toolgate/tools:readFile" }\n',
    )
    expect((await toolgate('why', 'read_file')).code).toBe(0)
    expect(await toolgate('tools', '--exact')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('somebody who brings a gate of their own [G14]', () => {
  it('compiles it against the published types, puts it into the order, and tries it with the conformance suite', async () => {
    // The fixture bears another ending, so that the repository's own compiler leaves it alone.
    const consumer = join(root, 'test/fixtures/e2e/consumer')
    cpSync(join(consumer, 'consumer.mts.txt'), join(home, 'consumer.mts'))
    cpSync(join(consumer, 'tsconfig.json'), join(home, 'tsconfig.json'))
    const compiled = await inHome([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])
    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' })

    const { code, stdout, stderr } = await inHome(['out/consumer.mjs'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const told = JSON.parse(stdout) as { order: string[]; decisions: object[]; failures: string[]; tools: string[] }
    expect(told.failures).toEqual([])
    expect(told.order.slice(6, 9)).toEqual(['mcp-switch', 'office-hours', 'permissions'])
    expect(told.decisions).toEqual([
      { name: 'stamp', outcome: 'excluded', settledBy: 'office-hours', code: 'office-closed' },
      { name: 'read_file', outcome: 'eager', settledBy: 'unique-name', code: 'only-one' },
    ])
    expect(told.tools).toEqual(['stamp', 'read_file'])
  })
})
