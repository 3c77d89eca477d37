import { expect, it, vi } from 'vitest'
import { setting, text, toolOf } from './a-setting.ts'

vi.mock('@cfworker/json-schema', async (original) => {
  const real = await original<typeof import('@cfworker/json-schema')>()
  class Validator extends real.Validator {
    override validate(instance: unknown): ReturnType<InstanceType<typeof real.Validator>['validate']> {
      if (JSON.stringify(instance).includes('odd')) throw new Error('unresolved $ref')
      return super.validate(instance)
    }
  }
  return { ...real, Validator }
})

it('what a validator fails at is the owner of the tool to check, and nothing that is checked is let through', async () => {
  const { call, reached } = setting({ tools: [toolOf('list')] })
  expect(await call({ name: 'list', args: { path: 'odd' } })).toEqual(text('done'))
  expect(await call({ name: 'list', args: { path: 7 } })).toMatchObject({ code: 'arguments-invalid' })
  expect(reached).toEqual([{ path: 'odd' }])
})
