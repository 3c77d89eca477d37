import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { blockText, terminalText } from '../../src/report/call-text.ts'

const same = (text: string): string => text
const paint = { bold: same, dim: (text: string) => `<${text}>`, red: same, green: same, yellow: same, cyan: same }
const shown = (block: JsonObject): string => blockText(block, { paint, foreign: terminalText })
const handedOn = (block: JsonObject): string => blockText(block, { paint, foreign: same })

describe('a block of a result for people', () => {
  it.each<[string, JsonObject, string]>([
    ['a text as it is', { type: 'text', text: 'two\nlines\t.' }, 'two\nlines\t.'],
    ['an empty text', { type: 'text', text: '' }, ''],
    [
      'a picture by its kind and size',
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      '<[image, image/png, 3 bytes]>',
    ],
    ['one byte of a sound', { type: 'audio', data: 'AA==', mimeType: 'audio/wav' }, '<[audio, audio/wav, 1 bytes]>'],
    ['a link by its address', { type: 'resource_link', uri: 'file:///a', name: 'a' }, '<[resource]> file:///a a'],
    ['a link without a name', { type: 'resource_link', uri: 'file:///a' }, '<[resource]> file:///a'],
    [
      'a resource with its text',
      { type: 'resource', resource: { uri: 'a:b', text: 'in it' } },
      '<[resource a:b]>\nin it',
    ],
    [
      'a resource of bytes by its size',
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAA=' } },
      '<[resource a:b, 2 bytes]>',
    ],
    ['what is of no known kind as JSON', { type: 'odd', text: 4 }, '{"type":"odd","text":4}'],
  ])('shows %s', (_case, block, text) => {
    expect(shown(block)).toBe(text)
  })

  it('paints its own words and never those of the tool', () => {
    const esc = '\u001b[31m'
    expect(shown({ type: 'text', text: `${esc}x` })).toBe('\\u001b[31mx')
    expect(shown({ type: 'image', data: '', mimeType: esc })).toBe('<[image, \\u001b[31m, 0 bytes]>')
    expect(shown({ type: 'resource_link', uri: esc, name: esc })).toBe('<[resource]> \\u001b[31m \\u001b[31m')
    expect(shown({ type: 'resource', resource: { uri: esc, text: esc } })).toBe('<[resource \\u001b[31m]>\n\\u001b[31m')
  })

  it('hands text on byte for byte where a program reads it', () => {
    const text = 'a\u001b[31m\r\n\u202eb\u0000'
    expect(handedOn({ type: 'text', text })).toBe(text)
    expect(handedOn({ type: 'resource', resource: { uri: 'a:b', text } })).toBe(`<[resource a:b]>\n${text}`)
  })
})

describe('text of strangers for a terminal', () => {
  it('keeps lines and tabs, whatever ends the lines', () => {
    expect(terminalText('a\r\nb\n\tc')).toBe('a\nb\n\tc')
  })

  it.each([
    ['a command of the terminal', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
    ['a command in one character', '\u009b31m', '\\u009b31m'],
    ['what goes back to the beginning of the line', 'safe\rrm', 'safe\\u000drm'],
    ['what removes a character', 'a\u0008b\u007f', 'a\\u0008b\\u007f'],
    ['what turns the order of letters', '\u202eabc\u2069', '\\u202eabc\\u2069'],
  ])('shows %s as an escape', (_case, text, escaped) => {
    expect(terminalText(text)).toBe(escaped)
  })

  it('never holds a character that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
        expect(terminalText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })
})
