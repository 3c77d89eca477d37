import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactor, secretLengthMin } from '../../src/config/redact.ts'

const secret = 'pä/ss+"wörd" & <50%>'
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')

describe('redactor', () => {
  it.each([
    ['raw', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in small letters', encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ['form-encoded', new URLSearchParams({ a: secret }).toString()],
    ['in a path of a URL', encodeURI(secret)],
    ['JSON-escaped', JSON.stringify({ a: secret })],
    ['JSON inside JSON', JSON.stringify(JSON.stringify({ a: secret }))],
    [
      'JSON kept to ASCII',
      JSON.stringify(secret).replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['JSON with escaped slashes', JSON.stringify(secret).replaceAll('/', '\\/')],
    ['Base64', base64(secret)],
    ['Base64 after one byte', base64(`a${secret}`)],
    ['Base64 after two bytes', base64(`ab${secret}`)],
    ['Base64 inside something longer', base64(`user:${secret}:more`)],
    ['Base64 of the URL kind', Buffer.from(secret, 'utf8').toString('base64url')],
    ['HTML', 'pä/ss+&quot;wörd&quot; &amp; &lt;50%&gt;'],
  ])('takes out a secret that is %s', (_, form) => {
    const out = redactor([secret])(`before ${form} after`)
    expect(out).toContain('***')
    expect(out.startsWith('before ')).toBe(true)
    expect(out.endsWith(' after')).toBe(true)
    expect(out).not.toContain(form)
    expect(out.length).toBeLessThan(form.length + 14)
  })

  it('makes one mark of secrets that overlap or touch', () => {
    expect(redactor(['abcdefgh', 'efghijkl'])('x abcdefghijkl y')).toBe('x *** y')
    expect(redactor(['abcdefgh'])('abcdefghabcdefgh')).toBe('***')
  })

  it('takes out single lines of a key of several', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END KEY-----'
    expect(redactor([key])('line MIIEvQIBADANBgkqhkiG9w0 seen')).toBe('line *** seen')
  })

  it('leaves short values and plain words, which stand in too many innocent texts', () => {
    expect(redactor(['1', 'debug', 'production', ''])('1 debug in production')).toBe('1 debug in production')
  })

  it('stands a secret with half a character', () => {
    expect(redactor(['abc\ud800defg'])('x abc\ud800defg')).toBe('x ***')
  })

  it('leaves a text without secrets as it is', () => {
    expect(redactor([secret])('nothing here')).toBe('nothing here')
    expect(redactor([])('nothing here')).toBe('nothing here')
  })
})

describe('redactor: what always holds [P29]', () => {
  const forms: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    base64,
    (text) => JSON.stringify(text).slice(1, -1),
  ]
  const secrets = fc
    .string({ minLength: secretLengthMin, maxLength: 40, unit: 'grapheme' })
    // A mark is made of asterisks, and a secret of nothing else could stand in it.
    .filter((text) => !text.includes('*'))

  it('lets no secret through, in any form, at any place', () => {
    fc.assert(
      fc.property(
        fc.array(secrets, { minLength: 1, maxLength: 4 }),
        fc.string(),
        fc.string(),
        (list, before, after) => {
          const redact = redactor(list)
          for (const one of list) {
            for (const form of forms) {
              const out = redact(`${before}${form(one)}${after}`)
              for (const other of forms) expect(out.includes(other(one))).toBe(false)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
