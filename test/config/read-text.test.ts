import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bounds } from '../../src/config/bounds.ts'
import { decodeText, readText } from '../../src/config/read-text.ts'

const bytes = (...values: readonly number[]) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('decodeText', () => {
  it.each([
    ['plain text', utf8('version: 1\n'), 'version: 1\n'],
    ['a byte order mark, which is dropped', bytes(0xef, 0xbb, 0xbf, 0x61), 'a'],
    ['Windows line ends and tabs', utf8('a: 1\r\n\tb'), 'a: 1\r\n\tb'],
    ['other scripts and emoji', utf8('名: 🙂'), '名: 🙂'],
  ])('takes %s', (_, given, text) => {
    expect(decodeText(given, 'f')).toEqual({ text })
  })

  it.each([
    ['UTF-16 with a mark, little end first', bytes(0xff, 0xfe, 0x61, 0), 'config-encoding', 'UTF-16'],
    ['UTF-16 with a mark, big end first', bytes(0xfe, 0xff, 0, 0x61), 'config-encoding', 'UTF-16'],
    ['UTF-16 without a mark', bytes(0x61, 0, 0x62, 0), 'config-encoding', 'UTF-16'],
    ['broken UTF-8', bytes(0x61, 0xc3, 0x28), 'config-encoding', 'UTF-8'],
    ['an overlong form', bytes(0xc0, 0xaf), 'config-encoding', 'UTF-8'],
    ['a NUL', utf8('a\nb\u0000'), 'config-encoding', 'NUL, U+0000) on line 2'],
    ['an escape', utf8('\u001b[2J'), 'config-encoding', 'U+001B) on line 1'],
    ['a C1 control', utf8('\u009b'), 'config-encoding', 'U+009B'],
    ['nothing', bytes(), 'config-empty', 'empty'],
    ['blanks alone', utf8(' \n\t\r\n'), 'config-empty', 'empty'],
    ['too much', new Uint8Array(bounds.fileBytes + 1).fill(0x61), 'config-too-big', String(bounds.fileBytes)],
  ])('refuses %s', (_, given, code, words) => {
    const reading = decodeText(given, 'f')
    expect(reading).toMatchObject({ fault: { code, severity: 'error', subject: 'f', origin: { in: 'f' } } })
    expect('fault' in reading && reading.fault.message).toContain(words)
  })
})

describe('readText', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-text-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('reads a regular file under the name it was given', async () => {
    writeFileSync(join(folder, 'a.yaml'), 'a: 1')
    expect(await readText(join(folder, 'a.yaml'))).toEqual({ text: 'a: 1' })
  })

  it('says that a file is not there', async () => {
    expect(await readText(join(folder, 'none'), 'none')).toMatchObject({
      fault: { code: 'config-not-found', subject: 'none' },
    })
    expect(await readText(join(folder, 'a.yaml', 'b'), 'b')).toMatchObject({ fault: { code: 'config-not-found' } })
  })

  it('refuses a folder', async () => {
    mkdirSync(join(folder, 'dir'))
    expect(await readText(join(folder, 'dir'))).toMatchObject({ fault: { code: 'config-unreadable' } })
  })

  it('refuses a path with a NUL without throwing', async () => {
    expect(await readText('a\u0000b')).toMatchObject({ fault: { code: 'config-unreadable', subject: 'a\\u0000b' } })
  })

  it('refuses a file over the limit without reading it whole', async () => {
    writeFileSync(join(folder, 'big'), new Uint8Array(bounds.fileBytes + 1).fill(0x61))
    expect(await readText(join(folder, 'big'))).toMatchObject({ fault: { code: 'config-too-big' } })
  })

  it.runIf(process.platform !== 'win32')('refuses a pipe at once, though nobody writes to it', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await readText(join(folder, 'pipe'))).toMatchObject({ fault: { code: 'config-unreadable' } })
  })
})
