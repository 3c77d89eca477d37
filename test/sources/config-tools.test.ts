import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ToolConfig } from '../../src/config/config.ts'
import { configTools, configToolsWith } from '../../src/sources/config-tools.ts'
import { config, freshFolder, input, root, toolConfig } from './scripted.ts'

const folder = freshFolder()
const tool = (name: string, more = '') =>
  `{ name: '${name}', description: 'Does ${name}.', inputSchema: { type: 'object', properties: {} }, execute: () => '${name}' ${more} }`
const files: { readonly [name: string]: string } = {
  'good.mjs': `export const echo = ${tool('echo')}\nexport const text = 'a text'\nexport const declared = ${tool('declared', ", effects: ['read'], needs: ['vision'], group: 'own', role: 'file-read'")}
    export const number = 7\nexport const list = []\nexport default ${tool('unnamed')}`,
  'marked.mjs': `import { appendFileSync } from 'node:fs'\nappendFileSync(new URL('marked.log', import.meta.url), 'x')\nexport const t = ${tool('t')}`,
  'throws.mjs': `throw new Error('no\\nkey')`,
  'hangs.mjs': `await new Promise(() => {})\nexport const t = ${tool('t')}`,
  'imports-hangs.mjs': `export { t } from './hangs.mjs'`,
  'syntax.mjs': 'export const = 1',
  'thenable.mjs': `export const then = (resolve) => resolve({})\nexport const t = ${tool('t')}`,
  'shell.mjs': `import { readFileSync } from 'node:fs'\nexport const bash = ${tool('bash', ", needs: ['host-shell'], role: 'shell'")}`,
  'reexport.mjs': `export { bash as tool } from './shell.mjs'`,
  'odd.mjs': `export const form = ${tool('a', ", form: 'sometimes'")}\nexport const effects = ${tool('a', ", effects: ['reed']")}
    export const getter = { get name() { throw new Error('mine') } }\nexport const circular = ${tool('a')}; circular.inputSchema.self = circular
    export const noCall = { name: 'a', description: 'b', inputSchema: { type: 'object' } }\nexport const noSchema = { name: 'a', description: 'b', execute: () => 1 }
    export const textSchema = { ...circular, inputSchema: { type: 'string' } }\nexport function plain() {}`,
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)

const collect = (...tools: readonly ToolConfig[]) =>
  configToolsWith({ importTimeoutMs: 700 }).collect(
    input({
      config: config({ folder, tools, trustedModules: ['dual', 'plain-main', 'closed', 'absent', 'escaping'] }),
    }),
  )

describe('tools of the configuration [S1, S2, S8]', () => {
  it('are imported and offered with what the operator says of them', async () => {
    const { candidates, findings, invokers } = await collect(
      toolConfig('echo', './good.mjs:echo', { group: 'text', effects: ['read'], role: 'file-read' }),
    )
    expect(candidates).toMatchObject([
      {
        id: 'config:echo',
        source: 'config',
        protocol: 'module',
        name: 'echo',
        declaredName: 'echo',
        group: 'text',
        role: 'file-read',
        effects: ['read'],
        effectsBy: 'declared',
        needs: [],
        availability: { state: 'available' },
        origin: { in: 'toolgate.yaml', line: 3 },
      },
    ])
    expect(findings).toEqual([])
    expect(await invokers?.get('config:echo')?.execute?.({}, {})).toBe('echo')
  })

  it('say of themselves what the operator does not', async () => {
    const { candidates } = await collect(
      toolConfig('declared', './good.mjs:declared'),
      toolConfig('mine', './good.mjs:declared', { group: 'other', effects: [], role: 'file-edit' }),
      toolConfig('echo', './good.mjs:echo'),
    )
    expect(candidates).toMatchObject([
      { group: 'own', effects: ['read'], effectsBy: 'declared', role: 'file-read', needs: ['vision'] },
      { group: 'other', effects: [], effectsBy: 'declared', role: 'file-edit', needs: ['vision'] },
      { effects: ['read', 'write', 'execute', 'network'], effectsBy: 'assumed' },
    ])
    expect(candidates[2]?.group).toBeUndefined()
  })

  it('go by their own name, and a label that differs is told', async () => {
    const { candidates, findings } = await collect(
      toolConfig('shout', './good.mjs:echo'),
      toolConfig('d', './good.mjs:default'),
    )
    expect(candidates).toMatchObject([
      { id: 'config:shout', name: 'echo', originalName: 'echo', declaredName: 'shout' },
      { name: 'unnamed' },
    ])
    expect(findings).toMatchObject([
      {
        code: 'name-differs',
        severity: 'warning',
        subject: 'shout',
        message: expect.stringMatching(/"shout".*"echo"/),
      },
      { code: 'name-differs' },
    ])
  })

  it('keep their needs through every re-export and label [G2]', async () => {
    const { candidates } = await collect(
      toolConfig('quiet', './reexport.mjs:tool', { group: 'text' }),
      toolConfig('b', 'toolgate/tools:bash', { group: 'text' }),
      toolConfig('marked', './good.mjs:echo', { role: 'shell' }),
    )
    expect(candidates.map(({ needs }) => needs)).toEqual([['host-shell'], ['shell'], ['host-shell']])
  })

  it('include those of toolgate itself, installed or not', async () => {
    const { candidates, findings, invokers } = await collect(toolConfig('read_file', 'toolgate/tools:readFile'))
    expect(candidates).toMatchObject([
      { name: 'read_file', role: 'file-read', effects: ['read'], effectsBy: 'declared' },
    ])
    expect(findings).toEqual([])
    expect(typeof invokers?.get('config:read_file')?.execute).toBe('function')
  })

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['./throws.mjs:t', 'use-load-failed', /throws\.mjs could not be loaded: no\\u000akey/],
    ['./syntax.mjs:t', 'use-load-failed', /syntax\.mjs/],
    ['./absent.mjs:t', 'use-load-failed', /absent\.mjs" is not there/],
    ['./:t', 'use-outside', /./],
    ['./hangs.mjs:t', 'use-timed-out', /hangs\.mjs timed out: it did not load within 0\.7 s/],
    ['./imports-hangs.mjs:t', 'use-timed-out', /timed out/],
    ['./good.mjs:missing', 'use-export', /no export "missing"; it exports .*echo/],
    ['./good.mjs:__proto__', 'use-export', /__proto__/],
    ['./good.mjs:toString', 'use-export', /toString/],
    ['toolgate/tools:constructor', 'use-export', /constructor/],
    ['./good.mjs:text', 'use-not-a-tool', /"text" of \.\/good\.mjs is no tool: it is the text "a text"/],
    ['./good.mjs:number', 'use-not-a-tool', /a number/],
    ['./good.mjs:list', 'use-not-a-tool', /a list/],
    ['toolgate/tools:defineTool', 'use-not-a-tool', /a function/],
    ['./odd.mjs:plain', 'use-not-a-tool', /a function/],
    ['./odd.mjs:form', 'use-not-a-tool', /form is "sometimes"/],
    ['./odd.mjs:effects', 'use-not-a-tool', /effects hold "reed"/],
    ['./odd.mjs:getter', 'use-not-a-tool', /reading it failed: mine/],
    ['./odd.mjs:circular', 'use-not-a-tool', /schema cannot be written as JSON/],
    ['./odd.mjs:noCall', 'use-not-a-tool', /nothing to call/],
    ['./odd.mjs:noSchema', 'use-not-a-tool', /no inputSchema/],
    ['./odd.mjs:textSchema', 'use-not-a-tool', /type "object"/],
  ]
  it.each(refused)('%s is unavailable by %s, and its neighbour is not', async (use, code, message) => {
    const entry = toolConfig('odd', use)
    const { candidates, findings, invokers } = await collect(entry, toolConfig('echo', './good.mjs:echo'))
    expect(candidates).toMatchObject([
      {
        id: 'config:odd',
        name: 'odd',
        availability: { state: 'load-failed', detail: expect.stringMatching(message), origin: entry.origins.use },
      },
      { id: 'config:echo', availability: { state: 'available' } },
    ])
    expect(findings).toMatchObject([{ code, severity: 'error', subject: 'odd', origin: entry.origins.use }])
    expect([...(invokers?.keys() ?? [])]).toEqual(['config:echo'])
  })

  it('do not wait for one another', async () => {
    const before = performance.now()
    await collect(
      toolConfig('a', './hangs.mjs:t'),
      toolConfig('b', './imports-hangs.mjs:t'),
      toolConfig('c', './good.mjs:echo'),
    )
    expect(performance.now() - before).toBeLessThan(1300)
  })

  it('are not loaded when they are switched off', async () => {
    const off = toolConfig('t', './marked.mjs:t', {
      enabled: false,
      origins: { use: { in: 'a' }, enabled: { in: 'toolgate.yaml', line: 5 } },
    })
    const { candidates, findings } = await collect(off)
    expect(candidates).toMatchObject([{ name: 't', availability: { state: 'disabled', origin: { line: 5 } } }])
    expect(findings).toEqual([])
    await expect(
      import('node:fs').then(({ readFileSync }) => readFileSync(join(folder, 'marked.log'))),
    ).rejects.toThrow('ENOENT')
    expect((await collect({ ...off, enabled: true })).candidates[0]?.availability.state).toBe('available')
  })

  it('are not found through a link that leads out of the folder', async () => {
    const outside = freshFolder()
    writeFileSync(join(outside, 'secret.mjs'), `export const t = ${tool('t')}`)
    symlinkSync(join(outside, 'secret.mjs'), join(folder, 'linked.mjs'))
    const { findings } = await collect(toolConfig('t', './linked.mjs:t'))
    expect(findings.map(({ code }) => code)).toEqual(['use-outside'])
  })

  it('of one label twice have two identities', async () => {
    const { candidates } = await collect(
      toolConfig('echo', './good.mjs:echo'),
      toolConfig('echo', './good.mjs:default'),
    )
    expect(candidates.map(({ id }) => id)).toEqual(['config:echo', 'config:echo#2'])
  })
})

describe('tools of packages [S1]', () => {
  const install = (name: string, manifest: object, modules: { readonly [file: string]: string }) => {
    const place = join(folder, 'node_modules', name)
    mkdirSync(join(place, 'dist'), { recursive: true })
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name, ...manifest }))
    for (const [file, text] of Object.entries(modules)) writeFileSync(join(place, file), text)
  }
  const cjs = `exports.t = ${tool('from-cjs')}`
  install(
    'dual',
    {
      exports: {
        '.': { require: './index.cjs', import: './index.mjs' },
        './sub/*': { import: './dist/*.mjs' },
        './private': null,
      },
    },
    {
      'index.mjs': `export const t = ${tool('from-esm')}`,
      'index.cjs': cjs,
      'dist/a.mjs': `export const t = ${tool('from-sub')}`,
    },
  )
  install('plain-main', { main: 'main.cjs' }, { 'main.cjs': cjs })
  install('closed', { exports: { './only': './index.mjs' } }, { 'index.mjs': '' })
  install('escaping', { exports: './../../good.mjs' }, {})
  install('untrusted', { main: 'main.cjs' }, { 'main.cjs': cjs })

  it.each([
    ['dual:t', 'from-esm'],
    ['dual/sub/a:t', 'from-sub'],
    ['plain-main:t', 'from-cjs'],
  ])('%s is found beside the configuration, as import would find it', async (use, name) => {
    expect((await collect(toolConfig(name, use))).candidates).toMatchObject([
      { name, availability: { state: 'available' } },
    ])
  })

  it.each([
    ['closed:t', 'use-load-failed', /does not export "closed"/],
    ['dual/private:t', 'use-load-failed', /does not export/],
    ['absent:t', 'use-load-failed', /"absent" is not installed/],
    ['escaping:t', 'use-load-failed', /outside its own folder/],
    ['untrusted:t', 'use-not-trusted', /trusted_modules/],
  ])('%s is refused by %s', async (use, code, message) => {
    expect((await collect(toolConfig('t', use))).findings).toMatchObject([
      { code, message: expect.stringMatching(message) },
    ])
  })
})

describe('tools in the forms of other frameworks [S1]', () => {
  const foreign = freshFolder()
  symlinkSync(join(root, 'node_modules'), join(foreign, 'node_modules'))
  writeFileSync(
    join(foreign, 'tools.mjs'),
    `import { z } from 'zod'
    const schema = z.object({ city: z.string().describe('Where.'), days: z.number().default(3) })
    export const chain = { name: 'weather', description: 'The weather.', schema, lc_namespace: ['tools'], invoke: async (args) => 'sun in ' + args.city }
    export const standard = { name: 'std', description: 'd', schema: { '~standard': { version: 1, vendor: 'x', jsonSchema: { input: () => ({ type: 'object', properties: { q: {} } }) } } }, func: (args) => args.q }
    export const parameters = { name: 'par', description: 'd', parameters: { type: 'object', properties: {} }, call: () => 1 }
    class Tool { constructor() { this.name = 'cls'; this.description = 'd'; this.schema = { type: 'object' }; this.who = 'me' } async invoke() { return this.who } }
    export const instance = new Tool()`,
  )
  const collectForeign = (use: string) =>
    configTools.collect(input({ config: config({ folder: foreign, tools: [toolConfig('t', use)] }) }))

  it('take the schema that a library writes', async () => {
    const { candidates, invokers } = await collectForeign('./tools.mjs:chain')
    expect(candidates[0]?.definition.inputSchema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where.' }, days: { default: 3 } },
      required: ['city'],
    })
    expect(await invokers?.get('config:t')?.execute?.({ city: 'Oslo' }, {})).toBe('sun in Oslo')
  })

  it.each([
    ['standard', { q: 5 }, 5],
    ['parameters', {}, 1],
    ['instance', {}, 'me'],
  ])('%s is called as its author meant', async (name, args, result) => {
    const { candidates, invokers } = await collectForeign(`./tools.mjs:${name}`)
    expect(candidates[0]).toMatchObject({ availability: { state: 'available' }, effectsBy: 'assumed' })
    expect(await invokers?.get('config:t')?.execute?.(args, {})).toBe(result)
  })
})

it('lets the process end when a module waits for ever [S1]', () => {
  const script = join(freshFolder(), 'run.mts')
  writeFileSync(
    script,
    `import { configToolsWith } from ${JSON.stringify(join(root, 'src/sources/config-tools.ts'))}
    const origin = { in: 'x' }
    const entry = { name: 't', use: './hangs.mjs:t', enabled: true, origin, origins: { use: origin } }
    const { candidates } = await configToolsWith({ importTimeoutMs: 200 }).collect({ config: { folder: ${JSON.stringify(folder)}, tools: [entry], trustedModules: [] } } as never)
    console.log(candidates[0]?.availability.state)`,
  )
  const output = execFileSync(process.execPath, ['--import', 'tsx', script], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect(output.trim()).toBe('load-failed')
})
