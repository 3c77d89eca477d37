// What scripts rely on: exit codes, what goes to which stream, and that a mistake on the command line is told instead
// of passed over.

import { beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt, mainFile } from './built.ts'
import { documentOf, project } from './project.ts'
import { runProgram } from './run.ts'

beforeAll(ensureBuilt)

const desk = project({
  'toolgate.yaml': `version: 1
tools:
  - { name: read_file, group: papers, use: "toolgate/tools:readFile" }
  - { name: bash, group: papers, use: "toolgate/tools:bash" }
  - { name: grep, group: papers, use: "toolgate/tools:grep" }
agents:
  main: {}
  child: {}
skills: { paths: [skills] }
sandbox: { kind: none }
`,
  'skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies up.\nallowed-tools: [read_file]\n---\n',
  'broken.yaml': 'version: 1\ntools:\n  - { name: x\n',
  'required.yaml': 'version: 1\nmcp_servers:\n  vital: { command: no-such-program, required: true }\n',
  'forbidden.yaml': 'version: 1\nforbid: [present_files]\n',
  'inventory.json': JSON.stringify([{ name: 'AlphaTool', source_hint: 'a/AlphaTool.ts' }]),
})

describe('exit codes [U1]', () => {
  it.concurrent.each([
    { code: 0, when: 'the tool is there', words: ['why', 'read_file'] },
    { code: 0, when: 'the surface is printed', words: ['tools'] },
    { code: 0, when: 'two surfaces differ, which is the answer that was asked for', words: ['diff', 'main', 'child'] },
    { code: 1, when: 'the tool is left out', words: ['why', 'bash'] },
    { code: 1, when: 'the tool is left out, asked with show', words: ['show', 'bash'] },
    { code: 1, when: 'nothing fits the prompt', words: ['route', 'xylophone'] },
    { code: 1, when: 'a check fails', words: ['check', '--config', 'forbidden.yaml'] },
    { code: 2, when: 'the command line cannot be read', words: ['tools', '--jsno'] },
    { code: 2, when: 'a policy flag changes nothing', words: ['tools', '--no-mcp'] },
    { code: 3, when: 'the configuration is not there', words: ['tools', '--config', 'absent.yaml'] },
    { code: 3, when: 'the configuration cannot be read', words: ['tools', '--config', 'broken.yaml'] },
    { code: 3, when: 'the inventory is not there', words: ['tools', '--snapshot', 'absent.json'] },
    { code: 3, when: 'the lock is not there', words: ['diff', '--locked'] },
    { code: 3, when: 'the log is not there', words: ['replay', 'absent.jsonl'] },
    { code: 3, when: 'the lock cannot be written', words: ['lock', '--out', 'absent/lock.json'] },
    { code: 3, when: 'the inventory cannot be written', words: ['snapshot', '--out', 'absent/inventory.json'] },
    { code: 3, when: 'the log cannot be written', words: ['tools', '--log', 'absent/log.jsonl'] },
    { code: 4, when: 'a required server is missing', words: ['tools', '--config', 'required.yaml'] },
    { code: 5, when: 'no tool of that name is known', words: ['why', 'raed_file'] },
    { code: 5, when: 'no agent of that name is known', words: ['tools', '--agent', 'mian'] },
    { code: 5, when: 'no skill of that name is known', words: ['tools', '--skill', 'tdiy'] },
  ])('$code: $when', async ({ code, words }) => {
    const ran = await desk.run(words)
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code })
    expect(ran.stderr).not.toMatch(/internal-error|node:internal/)
  })
})

describe('mistakes on the command line', () => {
  it.concurrent.each([
    {
      mistake: 'an unknown command',
      words: ['tols'],
      says: /no command "tols"/,
      offers: /did you mean `toolgate tools`/,
    },
    {
      mistake: 'an unknown command that help is asked for',
      words: ['help', 'tols'],
      says: /no command "tols"/,
      offers: /did you mean `toolgate tools`/,
    },
    {
      mistake: 'an unknown flag',
      words: ['tools', '--deny-tol', 'x'],
      says: /no flag --deny-tol/,
      offers: /did you mean --deny-tool/,
    },
    { mistake: 'a flag of another command', words: ['tools', '--hidden'], says: /no flag --hidden/, offers: /do / },
    { mistake: 'a missing value', words: ['tools', '--agent'], says: /--agent needs a value/, offers: /toolgate help/ },
    {
      mistake: 'a flag where a value should be',
      words: ['tools', '--agent', '--quiet'],
      says: /--agent needs a value/,
      offers: /toolgate help/,
    },
    {
      mistake: 'an empty value',
      words: ['tools', '--deny-tool', ''],
      says: /--deny-tool is empty/,
      offers: /toolgate help/,
    },
    {
      mistake: 'a value for a switch',
      words: ['tools', '--no-mcp=yes'],
      says: /--no-mcp takes no value/,
      offers: /toolgate help/,
    },
    {
      mistake: 'a flag given twice',
      words: ['tools', '--agent', 'main', '--agent', 'child'],
      says: /--agent is given twice/,
      offers: /toolgate help/,
    },
    {
      mistake: 'a negative limit',
      words: ['tools', '--limit', '-1'],
      says: /--limit takes a whole number from 0, not "-1"/,
      offers: /toolgate help/,
    },
    {
      mistake: 'a limit that is no number',
      words: ['tools', '--limit', 'ten'],
      says: /--limit takes a whole number/,
      offers: /toolgate help/,
    },
    {
      mistake: 'a language that is not spoken',
      words: ['tools', '--lang', 'de'],
      says: /--lang knows en and zh/,
      offers: /toolgate help/,
    },
    { mistake: 'a word too many', words: ['tools', 'main'], says: /takes: no words/, offers: /toolgate help tools/ },
    { mistake: 'words too many', words: ['why', 'a', 'b'], says: /takes: NAME/, offers: /toolgate help why/ },
    { mistake: 'a word too few', words: ['why'], says: /takes: NAME/, offers: /toolgate help why/ },
    {
      mistake: 'one side of a comparison',
      words: ['diff', 'main'],
      says: /takes two words: A B/,
      offers: /toolgate help diff/,
    },
  ])('$mistake is told, with what to do', async ({ words, says, offers }) => {
    const { code, stdout, stderr } = await desk.run(words)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(says)
    expect(stderr).toMatch(offers)
  })

  it.concurrent.each([
    { what: 'agent', words: ['tools', '--agent', 'chidl'], offers: 'did you mean "child"' },
    { what: 'target', words: ['tools', '--target', 'opnai'], offers: 'did you mean "openai"' },
    { what: 'preset', words: ['tools', '--preset', 'deerflo'], offers: 'did you mean "deerflow"' },
    { what: 'skill', words: ['tools', '--skill', 'tdiy'], offers: 'did you mean "tidy"' },
    { what: 'child', words: ['tools', '--subagent', 'chidl'], offers: 'did you mean "child"' },
    { what: 'model', words: ['tools', '--model', 'main'], offers: 'known: none' },
  ])('an unknown $what is told with the nearest', async ({ words, offers }) => {
    const { code, stderr } = await desk.run(words)
    expect(code).toBe(5)
    expect(stderr).toContain(offers)
  })
})

describe('a policy flag that changes nothing', () => {
  it.concurrent.each([
    { flag: '--deny-tool grpe', words: ['--deny-tool', 'grpe'], hint: /did you mean "grep"/ },
    { flag: '--deny-prefix reda', words: ['--deny-prefix', 'reda'], hint: /did you mean "read"/ },
    { flag: '--deny-tool bash', words: ['--deny-tool', 'bash'], hint: /toolgate why bash/ },
    { flag: '--allow read_file', words: ['--allow', 'read_file'], hint: /toolgate why read_file/ },
    { flag: '--no-mcp', words: ['--no-mcp'], hint: /remove it, or add --lenient/ },
  ])('is an error that names it: $flag', async ({ flag, words, hint }) => {
    const { code, stdout, stderr } = await desk.run(['tools', ...words])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(`flag-without-effect  ${flag} changes nothing on this run`)
    expect(stderr).toMatch(hint)
  })

  it.concurrent('is found among flags that do change something', async () => {
    const { code, stderr } = await desk.run(['why', 'grep', '--deny-tool', 'grep', '--deny-tool', 'bahs'])
    expect(code).toBe(2)
    expect(stderr).toContain('--deny-tool bahs changes nothing')
  })

  it.concurrent('is a warning with --lenient, and the run goes on', async () => {
    const { code, stdout, stderr } = await desk.run(['why', 'grep', '--deny-tool', 'grpe', '--lenient', '--json'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^warning flag-without-effect {2}--deny-tool grpe changes nothing/)
    expect(documentOf({ code, stdout, stderr })).toMatchObject({ kind: 'exposed' })
  })

  it.concurrent.each([
    ['--deny-tool', 'read_file', '--deny-prefix', 'read_'],
    ['--simple-mode', '--deny-tool', 'grep'],
    ['--unattended', '--deny-tool', 'ask_clarification'],
    ['--deny-tool', 'grep', '--deny-tool', 'grep'],
    ['--agent', 'main', '--preset', 'default', '--target', 'common'],
  ])('is not one that another flag covers, or that names what is so anyway: %s', async (...words) => {
    expect(await desk.run(['tools', ...words])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('streams [U4]', () => {
  const many = project({
    'inventory.json': JSON.stringify(
      Array.from({ length: 3000 }, (_, index) => ({
        name: `Tool${index}`,
        source_hint: `tools/Tool${index}.ts`,
        responsibility: 'Does one thing.',
      })),
    ),
  })

  it.concurrent('end quietly when whoever reads has seen enough', async () => {
    const line = `"${process.execPath}" "${mainFile}" tools --snapshot inventory.json --json; echo "code $?" >&2`
    const { stdout, stderr } = await runProgram('sh', ['-c', `(${line}) | head -n 1`], { cwd: many.folder })
    expect(stdout).toBe('{\n')
    expect(stderr).toBe('code 0\n')
  })

  it.concurrent.each([
    { how: 'into a pipe', env: {}, words: [], coloured: false },
    { how: 'with NO_COLOR', env: { NO_COLOR: '1', FORCE_COLOR: '1' }, words: [], coloured: false },
    { how: 'with --no-color', env: { FORCE_COLOR: '1' }, words: ['--no-color'], coloured: false },
    { how: 'with FORCE_COLOR', env: { FORCE_COLOR: '1' }, words: [], coloured: true },
  ])('are plain or coloured as asked: $how', async ({ env, words, coloured }) => {
    const good = await desk.run(['why', 'bash', ...words], { env })
    const bad = await desk.run(['tools', '--agent', 'mian', ...words], { env })
    expect([good.stdout, bad.stderr].map((text) => text.includes('\u001b['))).toEqual([coloured, coloured])
  })

  it.concurrent('keep to the width that is told', async () => {
    const { stdout } = await desk.run(['tools'], { env: { COLUMNS: '60' } })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  })

  it.concurrent.each([
    { what: 'a surface', words: ['tools'], schema: 'toolgate.tools/1' },
    { what: 'an answer that is no', words: ['why', 'bash'], schema: 'toolgate.why/1' },
    { what: 'an unknown name', words: ['show', 'raed_file'], schema: 'toolgate.show/1' },
    { what: 'a usage error', words: ['why'], schema: 'toolgate.error/1' },
    { what: 'a flag without effect', words: ['tools', '--no-mcp'], schema: 'toolgate.error/1' },
    {
      what: 'a configuration that cannot be used',
      words: ['tools', '--config', 'broken.yaml'],
      schema: 'toolgate.error/1',
    },
    { what: 'a file that cannot be written', words: ['lock', '--out', 'absent/lock.json'], schema: 'toolgate.error/1' },
    { what: 'approved definitions', words: ['lock', '--pins'], schema: 'toolgate.written/1' },
    { what: 'an inventory on stdout', words: ['snapshot', '--out', '-'], schema: 'toolgate.snapshot/1' },
  ])('hold one JSON document and nothing else with --json: $what', async ({ words, schema }) => {
    const ran = await desk.run([...words, '--json'])
    expect(documentOf(ran)).toMatchObject({ schema })
    expect(ran.stderr).toBe('')
  })

  it.concurrent('tell what, where and what to do in a JSON error as well', async () => {
    const { findings } = documentOf<{ findings: object[] }>(
      await desk.run(['tools', '--config', 'absent.yaml', '--json']),
    )
    expect(findings).toMatchObject([
      {
        code: 'config-not-found',
        severity: 'error',
        message: expect.any(String),
        hint: expect.any(String),
        origin: { in: 'absent.yaml' },
      },
    ])
  })

  it.concurrent('speak Chinese with --lang zh [U5]', async () => {
    const { code, stdout } = await desk.run(['why', 'bash', '--lang', 'zh'])
    expect(code).toBe(1)
    expect(stdout).toContain('沙箱')
    expect(stdout).toMatch(/^ {2}如何改变: /m)
  })
})

describe('help', () => {
  it.concurrent('lists every command and the exit codes, and so does no command at all', async () => {
    const { code, stdout } = await desk.run(['help'])
    expect(code).toBe(0)
    for (const command of ['tools', 'why NAME', 'diff A B', 'replay LOG']) expect(stdout).toContain(`\n  ${command}`)
    expect(stdout).toMatch(/Exit codes: 0 .* 1 .* 2 .* 3 .* 4 .* 5 /)
    expect(await desk.run([])).toMatchObject({ code: 0, stdout })
  })

  it.concurrent('tells of one command with --help, without running it', async () => {
    const { code, stdout } = await desk.run(['lock', '--help', '--config', 'absent.yaml'])
    expect(code).toBe(0)
    expect(stdout).toContain('--pins')
    expect(stdout).toBe((await desk.run(['help', 'lock'])).stdout)
  })
})
