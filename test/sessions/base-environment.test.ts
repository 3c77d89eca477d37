import { describe, expect, it } from 'vitest'
import { serverEnvironment } from '../../src/sessions/processes/base-environment.ts'

const ours = {
  PATH: '/bin',
  HOME: '/home/a',
  LANG: 'en',
  OPENAI_API_KEY: 'CANARY',
  DATABASE_URL: 'CANARY',
  HARMLESS: 'CANARY',
  SHELL: '() { :; }',
  TERM: undefined,
}

describe('the environment of a server [S4, C-162]', () => {
  it('holds the base and nothing that merely happens to be set', () => {
    expect(serverEnvironment(ours, {}, 'linux')).toEqual({ PATH: '/bin', HOME: '/home/a', LANG: 'en' })
  })

  it('holds what is configured, which beats the base', () => {
    expect(serverEnvironment(ours, { PATH: '/opt', TOKEN: 'x', NESTED: '$HOME' }, 'darwin')).toEqual({
      PATH: '/opt',
      HOME: '/home/a',
      LANG: 'en',
      TOKEN: 'x',
      NESTED: '$HOME',
    })
  })

  it('drops what a shell would run, configured or not', () => {
    expect(serverEnvironment({ TERM: '() { :; }; x' }, { A: '() { :; }', B: '()  {x', C: '() => 1' }, 'linux')).toEqual(
      {
        C: '() => 1',
      },
    )
  })

  it('knows no letter case on Windows, and keeps the names as they are', () => {
    expect(serverEnvironment({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows', Secret: 'CANARY' }, {}, 'win32')).toEqual({
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
    })
  })

  it('is not led astray by names of prototypes', () => {
    const result = serverEnvironment(ours, JSON.parse('{"__proto__":"x"}'), 'linux')
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(Object.hasOwn(result, '__proto__')).toBe(true)
  })
})
