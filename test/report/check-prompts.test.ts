import { describe, expect, it } from 'vitest'
import { type CheckOptions, checkRun } from '../../src/report/check.ts'
import { promptsOf } from '../../src/report/check-prompts.ts'
import { aDesk } from './desk.ts'

const origin = { in: 'toolgate.yaml', key: 'agents.main.description', line: 12 }
const where = 'the description of agent "main"'
const found = (text: string, more: CheckOptions = {}) =>
  checkRun(aDesk(), { ...more, prompts: [{ text, where, origin }] }).filter(({ code }) => code.startsWith('prompt-'))

describe('check of what the model is told [D5] [C-139]', () => {
  it('reports a tool that the agent does not have, with its place and why', () => {
    expect(found('Clean up with files__move_file, then answer.')).toEqual([
      {
        code: 'prompt-names-excluded',
        severity: 'warning',
        subject: 'files__move_file',
        message: `${where} names "files__move_file", which the model does not have (group-not-asked)`,
        hint: 'take it out of the text, or see what withholds it: `why files__move_file`',
        origin,
      },
    ])
  })

  it('reports a name that nobody bears, with the one it is near to', () => {
    expect(found('Look with read_fille.')).toMatchObject([
      { code: 'prompt-names-unknown', subject: 'read_fille', hint: 'did you mean "read_file"', origin },
    ])
  })

  it('says nothing of tools that the agent has, nor of plain words', () => {
    expect(found('Read with read_file; move files where they belong.')).toEqual([])
  })

  it('orders them among the others: errors first, then by place', () => {
    const all = checkRun(aDesk(), {
      prompts: [
        { text: 'read_fille', where: 'a', origin: { in: 'b.yaml', line: 2 } },
        { text: 'read_fille', where: 'b', origin: { in: 'b.yaml', line: 1 } },
      ],
      require: [{ text: 'nothing_such', origin }],
    })
    expect(all[0]?.severity).toBe('error')
    expect(all.filter(({ code }) => code === 'prompt-names-unknown').map(({ origin: at }) => at?.line)).toEqual([1, 2])
  })

  it('looks at no text where none is given', () => {
    expect(checkRun(aDesk()).filter(({ code }) => code.startsWith('prompt-'))).toEqual([])
  })
})

describe('what a run tells its model', () => {
  const skill = { enabled: true, active: false, origin: { in: 'x' } }
  const list = [
    { ...skill, name: 'fine' },
    { ...skill, name: 'off', enabled: false },
    { ...skill, name: 'bad', malformed: 'no list' },
  ]
  const described = (name: string) => ({
    name,
    description: `About ${name}.`,
    origin: { in: `${name}/SKILL.md`, line: 4 },
  })
  const { surface } = aDesk({ facts: { skills: { list }, agent: { name: 'main', origins: {} } } })

  it('is the description of its own agent, and those of the skills that this one may use', () => {
    const agents = ['main', 'other'].map((name) => ({
      ...described(name),
      origin: { in: 'toolgate.yaml', key: `agents.${name}`, line: 9 },
    }))
    expect(promptsOf({ surface, config: { agents }, skills: ['fine', 'off', 'bad', 'none'].map(described) })).toEqual([
      {
        text: 'About main.',
        where: 'the description of agent "main"',
        origin: { in: 'toolgate.yaml', key: 'agents.main.description', line: 9 },
      },
      { text: 'About fine.', where: 'the description of skill "fine"', origin: { in: 'fine/SKILL.md' } },
    ])
  })

  it('is nothing where nothing is configured', () => {
    expect(promptsOf({ surface, skills: [] })).toEqual([])
  })
})
