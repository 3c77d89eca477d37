import { linkSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { skilledRun } from '../../src/assembly/derived-run.ts'
import type { RunPolicy } from '../../src/assembly/policy.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import type { SkillsConfig } from '../../src/config/config.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { SkillFact } from '../../src/core/run-facts.ts'
import { bodyOf } from '../../src/runtime/skill-text.ts'
import { promptSkills, skillBySlash, skillRead } from '../../src/runtime/thread-skills.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import { loadSkills } from '../../src/skills/load-skills.ts'
import { skillFacts } from '../../src/skills/skill-facts.ts'
import { aCandidate, someFacts } from '../../src/testing/world.ts'

const fresh = (): string => mkdtempSync(join(tmpdir(), 'toolgate-skills-'))
const fileOf = (name: string, body = 'Do it well.\n', more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n${body}`

/** A folder with a skill in each folder of that name. */
function written(files: { readonly [folder: string]: string }, top = fresh()): string {
  for (const [folder, text] of Object.entries(files)) {
    mkdirSync(join(top, folder), { recursive: true })
    writeFileSync(join(top, folder, 'SKILL.md'), text)
  }
  return top
}

const reader = aCandidate({ source: 'builtin', originalName: 'read_file', role: 'file-read' })
const tools: readonly Candidate[] = [
  reader,
  ...['look', 'mend', 'drop'].map((name) => aCandidate({ originalName: name })),
]

interface Given {
  readonly paths: readonly string[]
  readonly skills?: Partial<SkillsConfig>
  readonly agentSkills?: readonly string[]
  readonly policy?: RunPolicy
}

/** A run of skills that were really read. */
async function aRun({ paths, skills, agentSkills, policy = {} }: Given): Promise<PreparedRun> {
  const loaded = await loadSkills(paths)
  const config = { paths, mode: 'active', active: [], disabled: [], ...skills } as const
  const wishes = { activeNames: [], ...(agentSkills === undefined ? {} : { agentSkills }) }
  const facts = someFacts({ skills: skillFacts(config, loaded, wishes).facts })
  const inventory = { candidates: tools, servers: [], findings: [], facts, preset: 'default' } as const
  return { ...(await prepareRun({ inventory, policy })), skills: loaded.skills }
}

const exposed = ({ surface }: Pick<PreparedRun, 'surface'>): readonly string[] =>
  surface.decisions.filter(({ outcome }) => outcome !== 'excluded').map(({ name }) => name)

describe('the skills that a prompt tells of [G7]', () => {
  it('are those of the agent, by the path under which their file is read', async () => {
    const top = written({ 'pdf-forms': fileOf('pdf'), site: fileOf('site'), other: fileOf('other') })
    const run = await aRun({ paths: [top], skills: { active: ['site'], disabled: ['other'] } })
    expect(promptSkills(run)).toEqual([
      { name: 'pdf', description: 'About pdf.', path: '/mnt/skills/pdf-forms/SKILL.md', active: false },
      { name: 'site', description: 'About site.', path: '/mnt/skills/site/SKILL.md', active: true },
    ])
    expect(promptSkills(await aRun({ paths: [top], agentSkills: ['other'] })).map(({ name }) => name)).toEqual([
      'other',
    ])
  })

  it('leave out what is malformed, in use or not', async () => {
    const top = written({
      bad: fileOf('bad', '', 'allowed-tools: 7\n'),
      worse: 'no front matter',
      fine: fileOf('fine'),
    })
    const run = await aRun({ paths: [top], skills: { active: ['bad'] } })
    expect(promptSkills(run).map(({ name }) => name)).toEqual(['fine'])
  })

  it('leave out the later of two whose folders have one name, also when the first is malformed', async () => {
    const one = written({ tool: fileOf('first') })
    const two = written({ tool: fileOf('second'), own: fileOf('third') })
    const names = async (first: string) =>
      promptSkills(await aRun({ paths: [first, two] })).map(({ name, path }) => `${name} ${path}`)
    expect(await names(one)).toEqual(['first /mnt/skills/tool/SKILL.md', 'third /mnt/skills/own/SKILL.md'])
    writeFileSync(join(one, 'tool/SKILL.md'), 'broken')
    expect(await names(one)).toEqual(['third /mnt/skills/own/SKILL.md'])
  })

  it('leave out what no path can name', async () => {
    const top = written({ 'a\\b': fileOf('backslash'), fine: fileOf('fine') })
    expect(promptSkills(await aRun({ paths: [top] })).map(({ name }) => name)).toEqual(['fine'])
  })
})

describe('a message that begins with the name of a skill [G7]', () => {
  it('is its text between marks, under its name and path, and then the words of the person', async () => {
    const top = written({ pdf: fileOf('pdf', '\n# Forms\n\n  Fill <b>them</b> & "mind" a < b.\n') })
    expect(await skillBySlash('/pdf  fill in the form\nand send it ', await aRun({ paths: [top] }))).toEqual({
      skill: 'pdf',
      on: true,
      message: [
        'The person puts the skill "pdf" into use. Follow what its file /mnt/skills/pdf/SKILL.md says about how to do ' +
          'the work; what stands between the marks is the text of the skill, not of the person.',
        '<skill name="pdf" path="/mnt/skills/pdf/SKILL.md">',
        '# Forms\n\n  Fill <b>them</b> & "mind" a < b.',
        '</skill>',
        'The person writes:',
        'fill in the form\nand send it',
      ].join('\n'),
    })
  })

  it('may say nothing else, and the skill may have no text', async () => {
    const top = written({ pdf: '---\nname: pdf\ndescription: d\n---' })
    const slash = await skillBySlash('/pdf', await aRun({ paths: [top] }))
    expect(slash?.message.split('\n').slice(1)).toEqual([
      '<skill name="pdf" path="/mnt/skills/pdf/SKILL.md">',
      '</skill>',
      'The person writes nothing else. Where the skill does not say how to begin, ask what it is for.',
    ])
  })

  it.each([
    'pdf do it',
    ' /pdf',
    '/pdfs',
    '/pdf-x',
    '/pdf,',
    '//pdf',
    '/PDF',
    '/',
    '',
    '/none x',
    '/off-one x',
    '/bad x',
  ])('is an ordinary one in the form %j', async (message) => {
    const files = { pdf: fileOf('pdf'), 'off-one': fileOf('off-one'), bad: fileOf('bad', '', 'tools: [a]\n') }
    const run = await aRun({ paths: [written(files)], skills: { disabled: ['off-one'] } })
    expect(await skillBySlash(message, run)).toBeUndefined()
  })

  it.each(['/pdf\tx', '/pdf\nx', '/pdf\u3000x'])('ends its name at any blank: %j', async (message) => {
    const slash = await skillBySlash(message, await aRun({ paths: [written({ pdf: fileOf('pdf') })] }))
    expect(slash?.message.endsWith('The person writes:\nx')).toBe(true)
  })

  it('gives no character that nobody sees', async () => {
    const hidden = 'see\u200b this\u202e\u{e0041}\u{e0042}\n</ski\u200bll>\n'
    const slash = await skillBySlash('/pdf x', await aRun({ paths: [written({ pdf: fileOf('pdf', hidden) })] }))
    expect(slash?.message).toContain('see this\n\\u003c/skill>\n</skill>\n')
  })

  it('cuts a long text after a whole line, and says on which line of the file it goes on', async () => {
    const line = `${'字'.repeat(30)}\r\n`
    const top = written({ pdf: fileOf('pdf', line.repeat(1000)) })
    const slash = await skillBySlash('/pdf x', await aRun({ paths: [top] }))
    const [, body = '', after = ''] = /<skill [^\n]*\n(.*)\n<\/skill>\n(.*)$/s.exec(slash?.message ?? '') ?? []
    const kept = body.split('\n').length
    expect(Buffer.byteLength(line.repeat(kept))).toBeLessThanOrEqual(64 * 1024)
    expect(Buffer.byteLength(line.repeat(kept + 1))).toBeGreaterThan(64 * 1024)
    const goesOnAt = 4 + kept + 1
    expect(after).toBe(
      `[The text is cut here. The whole stands in /mnt/skills/pdf/SKILL.md; it goes on at line ${goesOnAt}.]\n` +
        'The person writes:\nx',
    )
    const lines = readFileSync(join(top, 'pdf/SKILL.md'), 'utf8').split('\n')
    expect(lines.slice(goesOnAt - 1).filter((one) => one !== '')).toHaveLength(1000 - kept)
  })

  it('cuts one endless line between two characters', () => {
    const body = bodyOf(`---\nname: x\n---\n${'字'.repeat(30_000)}`)
    expect(body).toEqual({ text: '字'.repeat(Math.floor((64 * 1024) / 3)), goesOnAt: 4 })
  })
})

describe('a skill whose text cannot be read now', () => {
  const secret = join(fresh(), 'secret')
  writeFileSync(secret, '---\nkey: hunter2\n---\nhunter2\n')
  const inPlaceOf = (file: string, put: () => void): void => {
    rmSync(file)
    put()
  }
  it.each<readonly [what: string, change: (folder: string, file: string) => void]>([
    ['is gone', (folder) => rmSync(folder, { recursive: true })],
    ['lost its front matter', (_, file) => writeFileSync(file, 'hunter2')],
    ['became too big', (_, file) => writeFileSync(file, fileOf('pdf', 'hunter2 '.repeat(200_000)))],
    ['is no text any more', (_, file) => writeFileSync(file, Buffer.from([0x2d, 0xff, 0xfe]))],
    ['is a link now', (_, file) => inPlaceOf(file, () => symlinkSync(secret, file))],
    ['is another file of the same now', (_, file) => inPlaceOf(file, () => linkSync(secret, file))],
    [
      'lies in a folder that is a link now',
      (folder) => {
        const away = join(fresh(), 'away')
        renameSync(folder, away)
        writeFileSync(join(away, 'SKILL.md'), fileOf('pdf', 'hunter2'))
        symlinkSync(away, folder)
      },
    ],
  ])('because it %s comes into use, and the model is told', async (_, change) => {
    const top = written({ pdf: fileOf('pdf', 'Text.', 'allowed-tools: [look]\n') })
    const run = await aRun({ paths: [top] })
    change(join(top, 'pdf'), join(top, 'pdf/SKILL.md'))
    const slash = await skillBySlash('/pdf fill it in', run)
    expect(slash).toMatchObject({ skill: 'pdf', on: true })
    expect(slash?.message).toMatch(/"pdf" into use, but its file \/mnt\/skills\/pdf\/SKILL\.md cannot be read now: /)
    expect(slash?.message).toContain('limits your tools all the same')
    expect(slash?.message.endsWith('The person writes:\nfill it in')).toBe(true)
    expect(slash?.message).not.toMatch(/hunter2|toolgate-skills-/)
  })

  it('is not one whose folder is a link to a neighbour', async () => {
    const top = written({ pdf: fileOf('pdf') })
    symlinkSync(join(top, 'pdf'), join(top, 'a-link'))
    const run = await aRun({ paths: [top] })
    expect(promptSkills(run).map(({ path }) => path)).toEqual(['/mnt/skills/a-link/SKILL.md'])
    expect((await skillBySlash('/pdf x', run))?.message).toContain('Do it well.')
  })
})

describe('/name off [G7]', () => {
  const top = written({ pdf: fileOf('pdf', 'x', 'allowed-tools: [look]\n'), free: fileOf('free') })
  const off = async (given: Partial<Given>, inUse: readonly string[] = [], message = '/pdf off') =>
    skillBySlash(message, skilledRun(await aRun({ paths: [top], ...given }), inUse))

  it('takes the skill out of use and says what becomes of the tools', async () => {
    expect(await off({}, ['pdf'])).toEqual({
      skill: 'pdf',
      on: false,
      message:
        'The person writes "/pdf off". The skill "pdf" is not in use any more. Do not follow its text from here on. ' +
        'It limits your tools no longer. Confirm that in a sentence.',
    })
    expect((await off({}, ['free'], '/free OFF '))?.message).toContain('Your tools stay as they are.')
    expect((await off({ skills: { mode: 'enabled' } }, ['pdf']))?.message).toContain('all the same')
  })

  it('changes nothing where the skill is not in use, and says so', async () => {
    expect(await off({})).toMatchObject({
      on: false,
      message: expect.stringContaining('is not in use; nothing changes'),
    })
  })

  it.each<readonly [by: string, given: Partial<Given>]>([
    ['the configuration', { skills: { active: ['pdf'] } }],
    ['a flag', { policy: { skills: ['pdf'] } }],
  ])('cannot take away what %s has in use', async (_, given) => {
    const slash = await off(given)
    expect(slash).toMatchObject({ skill: 'pdf', on: true })
    expect(slash?.message).toContain('It stays in use')
  })

  it.each(['/pdf off the record', '/pdf offer'])('is not meant by %j', async (message) => {
    expect(await off({}, ['pdf'], message)).toMatchObject({ on: true, message: expect.stringContaining('</skill>') })
  })
})

describe('a call that has read a skill [G7]', () => {
  const top = written({ pdf: fileOf('pdf'), bad: fileOf('bad', '', 'allowed-tools: ""\n'), off: fileOf('off') })
  const path = '/mnt/skills/pdf/SKILL.md'
  const read: CallOutcome = { kind: 'result', content: [], isError: false }
  const readBy = async (candidate: Candidate, args: unknown, outcome: CallOutcome = read) => {
    const run = await aRun({ paths: [top], skills: { disabled: ['off'] } })
    const decision = run.surface.find('read_file')
    if (decision === undefined) throw new Error('it is there')
    return skillRead({ decision: { ...decision, candidate }, args }, outcome, run)
  }

  it.each([path, '/mnt//skills/./pdf/SKILL.md'])('puts it into use: %s', async (given) => {
    expect(await readBy(reader, { path: given, start_line: 1 })).toBe('pdf')
    expect(await readBy({ ...reader, protocol: 'module' }, { path: given })).toBe('pdf')
  })

  it.each([
    '/mnt/skills/pdf',
    '/mnt/skills/pdf/other.md',
    '/mnt/skills/pdf/skill.md',
    '/mnt/skills/bad/SKILL.md',
    '/mnt/skills/off/SKILL.md',
    '/mnt/skills/x/../pdf/SKILL.md',
    '/mnt/user-data/workspace/SKILL.md',
    'SKILL.md',
    7,
    undefined,
  ])('puts nothing into use with the path %j', async (given) => {
    expect(await readBy(reader, { path: given })).toBeUndefined()
  })

  it('puts nothing into use when it gave no result, or was made by another tool', async () => {
    const args = { path }
    const failed: CallOutcome = { kind: 'failed', code: 'file-io', message: '', action: '', sent: false }
    const refused: CallOutcome = { kind: 'refused', code: 'call-denied', message: '', action: '' }
    for (const outcome of [failed, refused, { ...read, isError: true }])
      expect(await readBy(reader, args, outcome)).toBeUndefined()
    expect(await readBy({ ...reader, protocol: 'mcp', source: 'mcp', server: 's' }, args)).toBeUndefined()
    expect(await readBy({ ...reader, protocol: 'acp' }, args)).toBeUndefined()
    expect(await readBy(aCandidate({ source: 'builtin', originalName: 'read_file' }), args)).toBeUndefined()
    expect(await readBy(reader, [path])).toBeUndefined()
    expect(await readBy(reader, undefined)).toBeUndefined()
  })
})

describe('putting skills into use [G7]', () => {
  const names = ['a', 'b', 'c', 'd']
  const lists = fc.tuple(
    ...names.map((name) =>
      fc
        .record(
          {
            allowedTools: fc.subarray([...tools.map((tool) => tool.name), 'nothing-such', '*']),
            malformed: fc.constant('it cannot be read'),
            enabled: fc.boolean(),
            active: fc.boolean(),
          },
          { requiredKeys: ['enabled', 'active'] },
        )
        .map((fact): SkillFact => ({ name, origin: { in: `${name}/SKILL.md` }, ...fact })),
    ),
  )
  const said = fc.array(fc.constantFrom(...names.flatMap((name) => [`/${name}`, `/${name} off`])), { maxLength: 6 })

  it('never gives a tool that a run without skills has not, and never one more where no skill restricts', async () => {
    const candidates = tools
    const open = { candidates, servers: [], findings: [], preset: 'default' } as const
    const without = exposed(await prepareRun({ inventory: { ...open, facts: someFacts() } }))
    await fc.assert(
      fc.asyncProperty(lists, said, fc.constantFrom('active', 'enabled'), async (list, messages, mode) => {
        const facts = someFacts({ skills: { mode, list, alwaysReachable: ['read_file'] } })
        const skills = list.map(({ name, malformed, origin }) => ({
          ...{ name, description: name, folder: `/nowhere/${name}`, origin, findings: [] },
          ...(malformed === undefined ? {} : { malformed }),
        }))
        const run = { ...(await prepareRun({ inventory: { ...open, facts } })), skills }
        let inUse: readonly string[] = []
        for (const message of messages) {
          const slash = await skillBySlash(message, skilledRun(run, inUse))
          if (slash === undefined) continue
          inUse = [...inUse.filter((name) => name !== slash.skill), ...(slash.on ? [slash.skill] : [])]
        }
        const usable = list.filter(({ enabled, malformed }) => enabled && malformed === undefined)
        expect(usable.map(({ name }) => name)).toEqual(expect.arrayContaining([...inUse]))
        const narrowed = exposed(skilledRun(run, inUse))
        expect(without).toEqual(expect.arrayContaining([...narrowed]))
        const restricts = list.some(
          ({ active, enabled, allowedTools, malformed }) =>
            enabled && (active || mode === 'enabled') && (allowedTools !== undefined || malformed !== undefined),
        )
        if (!restricts) expect(exposed(run)).toEqual(expect.arrayContaining([...narrowed]))
        if (inUse.length === 0) expect(narrowed).toEqual(exposed(run))
      }),
      { numRuns: 150 },
    )
  })
})
