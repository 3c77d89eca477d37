import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { childRun } from '../../src/assembly/derived-run.ts'
import { type AgentThread, openAgentThread } from '../../src/runtime/agent-thread.ts'
import type { Toolbox } from '../../src/runtime/toolbox.ts'
import type { View } from '../../src/runtime/view.ts'
import { owner, page, project, textOf } from './a-project.ts'

const skills = {
  audit: '---\nname: audit\ndescription: Checks a site.\nallowed-tools: [files__look]\n---\nLook at every page.\n',
  style: '---\nname: style\ndescription: Writes well.\n---\nShort sentences.\n',
  broken: '---\nname: broken\ndescription: d\nallowed-tools: 7\n---\nAll is allowed.\n',
}
const tools = [{ name: 'read_file', group: 'papers', use: 'toolgate/tools:readFile' }]
const all = ['ask_clarification', 'files__drop', 'files__look', 'files__mend', 'present_files', 'read_file', 'task']
/** What `audit` allows, and what no skill takes away. */
const narrow = ['ask_clarification', 'files__look', 'present_files', 'read_file']

interface Opened {
  readonly toolbox: Toolbox
  readonly thread: AgentThread
}

async function opened(config: object = {}, inUse: readonly string[] = []): Promise<Opened> {
  const { folder, write, open } = project()
  for (const [name, text] of Object.entries(skills)) {
    mkdirSync(join(folder, 'skills', name), { recursive: true })
    writeFileSync(join(folder, 'skills', name, 'SKILL.md'), text)
  }
  write(
    { files: { pages: page('look', 'mend', 'drop') } },
    { tools, skills: { paths: ['skills'] }, delegation: { enabled: true }, ...config },
  )
  const toolbox = await open()
  const input = { view: toolbox, owner, instructions: '', children: [], skillsInUse: inUse }
  return { toolbox, thread: await openAgentThread(input) }
}

const names = async (thread: AgentThread): Promise<readonly string[]> =>
  (await thread.step()).tools.map(({ name }) => name).sort()
const read = (thread: AgentThread, path: string) => thread.call({ name: 'read_file', args: { path } })
const pathOf = (name: string): string => `/mnt/skills/${name}/SKILL.md`

describe('a skill that a person puts into use in a thread [G7]', () => {
  it('narrows the tools of the next step, and what is called in spite of it is refused as `why` says', async () => {
    const { toolbox, thread } = await opened()
    expect(await names(thread)).toEqual(all)
    const { text, skill } = await thread.begin('/audit the home page')
    expect(text).toContain('\nLook at every page.\n</skill>\nThe person writes:\nthe home page')
    expect(skill).toEqual({ skill: 'audit', on: true, by: 'slash' })
    expect(await names(thread)).toEqual(narrow)

    const { outcome } = await thread.call({ name: 'files__drop', args: {} })
    const [decision] = thread.view().current().run.surface.named('files__drop')
    expect(decision).toMatchObject({ outcome: 'excluded', settledBy: 'skill-tools', code: 'no-skill-allows' })
    expect(outcome).toMatchObject({ kind: 'refused', code: decision?.code, message: expect.stringContaining('audit') })
    expect((await thread.call({ name: 'files__look', args: {} })).outcome).toMatchObject({ kind: 'result' })
    // What holds for one thread holds for no other.
    const other = { view: toolbox, owner: { ...owner, thread: 't2' }, instructions: '', children: [] }
    expect(await names(await openAgentThread(other))).toEqual(all)
  })

  it('is told as in use, and among the others', async () => {
    const { thread } = await opened()
    const listed = async () => (await thread.step()).prompt.split('\n').filter((line) => line.startsWith('- '))
    const lines = (mark: string) => [
      `- audit${mark}: "Checks a site." in ${pathOf('audit')}`,
      `- style: "Writes well." in ${pathOf('style')}`,
    ]
    expect(await listed()).toEqual(expect.arrayContaining(lines('')))
    await thread.begin('/audit x')
    expect(await listed()).toEqual(expect.arrayContaining(lines(' (in use)')))
    expect((await thread.step()).prompt).not.toContain('broken')
  })

  it('is left again with `off`, and then gives back what it took', async () => {
    const { thread } = await opened()
    await thread.begin('/audit x')
    const { text, skill } = await thread.begin('/audit off')
    expect(text).toContain('not in use any more')
    expect(skill).toEqual({ skill: 'audit', on: false, by: 'slash' })
    expect(thread.skills()).toEqual([])
    expect(await names(thread)).toEqual(all)
    expect((await thread.call({ name: 'files__drop', args: {} })).outcome).toMatchObject({ kind: 'result' })
  })

  it('narrows nothing where it lists no tools', async () => {
    const { thread } = await opened()
    expect((await thread.begin('/style x')).skill).toMatchObject({ skill: 'style', on: true })
    expect(await names(thread)).toEqual(all)
  })

  it('is in use again in a thread that goes on later', async () => {
    const { thread } = await opened({}, ['audit'])
    expect(await names(thread)).toEqual(narrow)
    await thread.begin('/audit off')
    expect(await names(thread)).toEqual(all)
  })

  it('cannot be left where the configuration has it in use', async () => {
    const { thread } = await opened({ skills: { paths: ['skills'], active: ['audit'] } })
    expect((await thread.begin('/audit off')).text).toContain('It stays in use')
    expect(await names(thread)).toEqual(narrow)
  })

  it('bounds the children that the thread starts, which need not know it', async () => {
    const { thread } = await opened({ agents: { main: {}, helper: { skills: [] } } })
    const helper = thread.view().derived((run) => childRun(run, 'helper'))
    const ofHelper = (view: View) =>
      view
        .current()
        .run.surface.decisions.filter(({ outcome }) => outcome !== 'excluded')
        .map(({ name }) => name)
    expect(ofHelper(helper)).toContain('files__drop')
    await thread.begin('/audit x')
    const bounded = ofHelper(thread.view().derived((run) => childRun(run, 'helper')))
    expect(bounded).toContain('files__look')
    expect(narrow).toEqual(expect.arrayContaining(bounded))
  })
})

describe('a skill that the model reads [G7]', () => {
  it('comes into use with the call that has read it, once', async () => {
    const { thread } = await opened()
    const { outcome, skill } = await read(thread, pathOf('audit'))
    expect(textOf(outcome)).toBe(skills.audit)
    expect(skill).toEqual({ skill: 'audit', on: true, by: 'read' })
    expect(await names(thread)).toEqual(narrow)
    expect((await read(thread, pathOf('audit'))).skill).toBeUndefined()
    expect(thread.skills()).toEqual(['audit'])
  })

  it('stays out of use when another file was read, or none', async () => {
    const { thread } = await opened()
    for (const path of ['/mnt/skills/audit/none.md', '/mnt/skills/none/SKILL.md', '/mnt/skills/audit'])
      expect((await read(thread, path)).skill).toBeUndefined()
    expect(await names(thread)).toEqual(all)
  })

  it('stays out of use when a server says that it has read it', async () => {
    const { thread } = await opened()
    const { outcome, skill } = await thread.call({ name: 'files__look', args: { path: pathOf('audit') } })
    expect(outcome).toMatchObject({ kind: 'result', isError: false })
    expect(skill).toBeUndefined()
  })
})

describe('a malformed skill [G7]', () => {
  it('comes into use neither by its name nor by being read', async () => {
    const { thread } = await opened()
    expect(await thread.begin('/broken do it')).toEqual({ text: '/broken do it', promoted: [] })
    const { outcome, skill } = await read(thread, pathOf('broken'))
    expect(textOf(outcome)).toBe(skills.broken)
    expect(skill).toBeUndefined()
    expect(thread.skills()).toEqual([])
    expect(await names(thread)).toEqual(all)
  })
})
