import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../../src/text/clean-text.ts'
import * as tools from '../../src/tools/index.ts'

const own = Object.values(tools).filter((value): value is tools.Tool => typeof value === 'object')
const camel = (name: string) => name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase())

describe('the built-in tools [S3, R1]', () => {
  it('are these, and each is exported under its name in camel case', () => {
    expect(own.map((tool) => tool.name).sort()).toEqual([
      'ask_clarification',
      'bash',
      'glob',
      'grep',
      'ls',
      'present_files',
      'read_file',
      'str_replace',
      'task',
      'tool_search',
      'view_image',
      'write_file',
    ])
    for (const tool of own) expect((tools as Record<string, unknown>)[camel(tool.name)]).toBe(tool)
  })

  it('have a file each', () => {
    const files = readdirSync(resolve(import.meta.dirname, '../../src/tools'))
    for (const tool of own) expect(files).toContain(`${tool.name.replaceAll('_', '-')}.ts`)
  })

  it.each(own.map((tool) => [tool.name, tool] as const))('%s is told to a model in full', (_name, tool) => {
    expect(tool.name).toMatch(/^[a-z_]{2,64}$/)
    expect(cleanText(tool.description)).toEqual({ text: tool.description, removed: 0 })
    expect(tool.description.length).toBeGreaterThan(60)
    expect(tool.description.length).toBeLessThan(1024)
    const { type, properties, required, additionalProperties } = tool.inputSchema as {
      type: string
      properties: Record<string, { description?: string }>
      required: string[]
      additionalProperties: boolean
    }
    expect([type, additionalProperties]).toEqual(['object', false])
    for (const name of required) expect(Object.keys(properties)).toContain(name)
    for (const [name, property] of Object.entries(properties))
      expect(property.description, `${tool.name}.${name}`).toMatch(/^[A-Z].*\.$/)
  })

  it('have one shell, which needs one [G2]', () => {
    expect(
      own
        .filter((tool) => tool.role === 'shell' || tool.needs.includes('shell') || tool.needs.includes('host-shell'))
        .map((tool) => tool.name),
    ).toEqual(['bash'])
  })

  it('give simple mode one tool of each of its roles [G4]', () => {
    const of = (role: string) => own.filter((tool) => tool.role === role).map((tool) => tool.name)
    expect([of('shell'), of('file-read'), of('file-edit')]).toEqual([['bash'], ['read_file'], ['str_replace']])
  })
})

describe('defineTool', () => {
  const spec = {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: { type: 'object' },
    effects: [],
    execute: () => 3,
  } as const

  it('fills in what an author leaves out, and freezes the tool', () => {
    const tool = tools.defineTool(spec)
    expect(tool).toEqual({ form: 'executes', needs: [], ...spec })
    expect(Object.isFrozen(tool)).toBe(true)
  })

  it('wants to know what a call may do', () => {
    const { effects: _left, ...silent } = spec
    // @ts-expect-error effects are required
    expect(tools.defineTool(silent).effects).toBeUndefined()
  })
})
