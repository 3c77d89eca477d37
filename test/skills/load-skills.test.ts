import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSkills } from '../../src/skills/load-skills.ts'

let base = ''
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-skills-')))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const write = (path: string, text: string): string => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
const skillText = (name: string, line = '') => `---\nname: ${name}\ndescription: Does it.\n${line}\n---\nBody.\n`
const load = (...paths: string[]) =>
  loadSkills(
    paths.map((path) => join(base, path)),
    { shownFrom: base },
  )

describe('finding skills [G7]', () => {
  it('takes each folder with a SKILL.md, in the order of names, and passes over the rest', async () => {
    write('skills/beta/SKILL.md', skillText('beta'))
    write('skills/alpha/SKILL.md', skillText('alpha', 'allowed-tools: [a]'))
    write('skills/no-skill/notes.md', 'text')
    write('skills/group/deep/SKILL.md', skillText('too-deep'))
    write('skills/README.md', 'text')
    write('skills/.hidden/SKILL.md', skillText('hidden'))
    const { skills, findings } = await load('skills')
    expect(skills.map((skill) => skill.name)).toEqual(['alpha', 'beta'])
    expect(skills[0]).toMatchObject({
      folder: join(base, 'skills/alpha'),
      allowedTools: ['a'],
      origin: { in: 'skills/alpha/SKILL.md', line: 4 },
    })
    expect(findings).toEqual([])
  })

  it('takes a path that is a skill itself', async () => {
    write('skills/alpha/SKILL.md', skillText('alpha'))
    write('skills/alpha/inner/SKILL.md', skillText('inner'))
    const { skills } = await load('skills/alpha')
    expect(skills.map((skill) => skill.name)).toEqual(['alpha'])
  })

  it('lets the first of two paths have a name, and says what it leaves out', async () => {
    write('own/one/SKILL.md', skillText('twin', 'allowed-tools: [mine]'))
    write('shared/two/SKILL.md', skillText('twin', 'allowed-tools: [theirs]'))
    const { skills, findings } = await load('own', 'shared')
    expect(skills).toHaveLength(1)
    expect(skills[0]?.allowedTools).toEqual(['mine'])
    expect(findings).toMatchObject([{ code: 'duplicate-name', subject: 'twin', origin: { in: 'shared/two/SKILL.md' } }])
    expect(findings[0]?.message).toContain('own/one/SKILL.md')
  })

  it('reports a path that is not there, and reads the others', async () => {
    write('skills/alpha/SKILL.md', skillText('alpha'))
    const { skills, findings } = await load('nowhere', 'skills')
    expect(skills.map((skill) => skill.name)).toEqual(['alpha'])
    expect(findings).toMatchObject([{ code: 'skill-folder', severity: 'error', subject: 'nowhere' }])
  })

  it('reads nothing of a folder with more entries than it may have', async () => {
    for (let number = 0; number < 1001; number += 1) mkdirSync(join(base, 'many', `s${number}`), { recursive: true })
    write('many/s0/SKILL.md', skillText('alpha'))
    const { skills, findings } = await load('many')
    expect(skills).toEqual([])
    expect(findings).toMatchObject([{ code: 'skill-folder' }])
  })
})

describe('a skill that cannot be read at all [P17]', () => {
  const loadOne = async () => {
    const { skills, findings } = await load('skills')
    expect(skills).toHaveLength(1)
    return { skill: skills[0], codes: findings.map((found) => found.code) }
  }

  it('stands under the name of its folder and allows nothing when its SKILL.md is a folder', async () => {
    mkdirSync(join(base, 'skills/odd/SKILL.md'), { recursive: true })
    const { skill, codes } = await loadOne()
    expect(skill).toMatchObject({ name: 'odd', malformed: expect.any(String) })
    expect(codes).toEqual(['skill-frontmatter'])
  })

  it('does so when the file is not UTF-8', async () => {
    write('skills/odd/SKILL.md', '')
    writeFileSync(join(base, 'skills/odd/SKILL.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xc3, 0x28]))
    const { skill } = await loadOne()
    expect(skill).toMatchObject({ name: 'odd', malformed: expect.stringContaining('UTF-8') })
  })

  it('does so when the file is too big', async () => {
    write('skills/odd/SKILL.md', skillText('odd') + 'x'.repeat(1024 * 1024))
    const { skill } = await loadOne()
    expect(skill).toMatchObject({ name: 'odd', malformed: expect.stringContaining('config-too-big') })
  })

  it('does so when the skill is a link that leads out of the folder', async () => {
    write('elsewhere/odd/SKILL.md', skillText('odd', 'allowed-tools: [a]'))
    mkdirSync(join(base, 'skills'))
    symlinkSync(join(base, 'elsewhere/odd'), join(base, 'skills/odd'))
    const { skill, codes } = await loadOne()
    expect(skill).toMatchObject({ name: 'odd', malformed: expect.stringContaining('leads out') })
    expect(codes).toEqual(['skill-folder'])
  })

  it('does so when its SKILL.md is such a link', async () => {
    const secret = write('elsewhere/secret.txt', 'secret')
    mkdirSync(join(base, 'skills/odd'), { recursive: true })
    symlinkSync(secret, join(base, 'skills/odd/SKILL.md'))
    const { skill, codes } = await loadOne()
    expect(skill).toMatchObject({ name: 'odd', malformed: expect.stringContaining('leads out') })
    expect(codes).toEqual(['skill-folder'])
  })

  it('is not an obstacle to a skill beside it', async () => {
    write('skills/bad/SKILL.md', 'no front matter')
    write('skills/good/SKILL.md', skillText('good', 'allowed-tools: [a]'))
    const { skills } = await load('skills')
    expect(skills.map(({ name, malformed }) => [name, malformed === undefined])).toEqual([
      ['bad', false],
      ['good', true],
    ])
  })
})

it('follows a link that stays inside the folder', async () => {
  write('skills/alpha/SKILL.md', skillText('alpha'))
  symlinkSync(join(base, 'skills/alpha'), join(base, 'skills/zeta'))
  const { skills, findings } = await load('skills')
  expect(skills.map((skill) => skill.folder)).toEqual([join(base, 'skills/alpha')])
  expect(findings.map((found) => found.code)).toEqual(['duplicate-name'])
})
