// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the forms of variables under test

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Environment, expandData, expandText } from '../../src/config/expand.ts'

const environment: Environment = { TOKEN: 'secret-value', X: '$TOKEN ${TOKEN}', EMPTY: '', HOME: '/home/ann' }

describe('expandText: forms', () => {
  it.each([
    ['$TOKEN', 'secret-value'],
    ['Bearer $TOKEN', 'Bearer secret-value'],
    ['a/$TOKEN/b', 'a/secret-value/b'],
    ['${TOKEN}', 'secret-value'],
    ['x${TOKEN}y', 'xsecret-valuey'],
    ['${TOKEN}${TOKEN}', 'secret-valuesecret-value'],
    ['${NONE:-plain}', 'plain'],
    ['${EMPTY:-plain}', 'plain'],
    ['${NONE:-}', ''],
    ['${TOKEN:-plain}', 'secret-value'],
    ['${NONE:-a:-b}', 'a:-b'],
    ['${NONE:-$(touch pwned)}', '$(touch pwned)'],
    ['${NONE:-costs $$5}', 'costs $5'],
    ['$$TOKEN', '$TOKEN'],
    ['$$$TOKEN', '$secret-value'],
    ['$${TOKEN}', '${TOKEN}'],
    ['US$TOKEN', 'US$TOKEN'],
    ['$(touch pwned)', '$(touch pwned)'],
    ['`touch pwned`', '`touch pwned`'],
    ['%TOKEN%', '%TOKEN%'],
    ['^a$', '^a$'],
    ['$5', '$5'],
    ['$', '$'],
    ['', ''],
  ])('%s gives %s', (text, expected) => {
    expect(expandText(text, environment)).toMatchObject({ text: expected })
  })

  it('expands once: a value cannot bring in another variable', () => {
    expect(expandText('${X}', environment)).toMatchObject({ text: '$TOKEN ${TOKEN}' })
  })

  it.each(['$NONE', '${NONE}', 'Bearer ${NONE}', '$EMPTY', '${EMPTY}', '$constructor', '${__proto__}', '${toString}'])(
    '%s is a fault that names the variable, never an empty text',
    (text) => {
      const name = text.replace(/^[^$]*\$\{?/, '').replace('}', '')
      const expanded = expandText(text, environment)
      expect(expanded).toHaveProperty('fault')
      expect('fault' in expanded && expanded.fault.what).toContain(name)
    },
  )

  it.each([
    '${',
    '${}',
    '${TOKEN',
    '${1}',
    '${A B}',
    '${TOKEN-x}',
    '${TOKEN:+x}',
    '${TOKEN:x}',
    '${NONE:-${TOKEN}}',
    '${NONE:-$TOKEN}',
  ])('%s is a fault: none of the forms', (text) => {
    const expanded = expandText(text, environment)
    expect('fault' in expanded && expanded.fault.what).toContain('not of the form')
  })

  it('offers our form for that of editors', () => {
    const expanded = expandText('${env:TOKEN}', environment)
    expect('fault' in expanded && expanded.fault.hint).toBe('write ${TOKEN}')
  })
})

describe('expandText: secrets', () => {
  it('collects the values of variables, but not those that everybody knows', () => {
    expect(expandText('$HOME/$TOKEN', environment)).toEqual({
      text: '/home/ann/secret-value',
      secrets: ['secret-value'],
    })
    expect(expandText('${NONE:-fallback}', environment)).toMatchObject({ secrets: [] })
  })
})

describe('expandText: what always holds', () => {
  it('leaves a text without dollar signs as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        const text = given.replaceAll('$', '')
        expect(expandText(text, environment)).toEqual({ text, secrets: [] })
      }),
    )
  })

  it('gives any text back when its dollar signs are doubled', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', ':', '-', 'A', 'a', '1', ' ') }), (text) => {
        expect(expandText(text.replaceAll('$', '$$$$'), environment)).toEqual({ text, secrets: [] })
      }),
    )
  })

  it('ends at once on a megabyte of openings', () => {
    const start = performance.now()
    for (const part of ['${', '$', '$A', '${A:-', '$$']) expandText(part.repeat(300_000), { A: 'a' })
    expect(performance.now() - start).toBeLessThan(3000)
  })
})

describe('expandData', () => {
  it('expands texts at every depth, keeps keys and names the path of a fault [C-186]', () => {
    const faults: string[] = []
    const secrets: string[] = []
    const value = { $TOKEN: ['--token', '$TOKEN', { deep: '${NONE}', n: 1, b: null }] }
    const out = expandData(value, {
      environment,
      onFault: (path, fault) => faults.push(`${path.join('/')}: ${fault.what}`),
      onSecret: (secret) => secrets.push(secret),
    })
    expect(out).toEqual({ $TOKEN: ['--token', 'secret-value', { deep: '${NONE}', n: 1, b: null }] })
    expect(faults).toEqual(['$TOKEN/2/deep: the variable NONE is not set'])
    expect(secrets).toEqual(['secret-value'])
  })
})
