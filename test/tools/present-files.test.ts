import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { presentFiles } from '../../src/tools/index.ts'
import { aThread, codeOf, type Thread, virtual } from '../workspace/a-thread.ts'
import { png } from './an-image.ts'

let thread: Thread
let outputs: string
beforeEach(async () => {
  thread = await aThread()
  outputs = join(thread.workspace.userData, 'outputs')
})
const out = (name: string): string => `/mnt/user-data/outputs/${name}`
const present = async (...paths: readonly unknown[]): Promise<JsonObject> =>
  (await presentFiles.execute?.({ paths } as JsonObject, { workspace: thread.workspace })) as JsonObject
const textOf = ({ content }: JsonObject): string => String((content as readonly JsonObject[])[0]?.text)

describe('present_files [R1, W1]', () => {
  it('hands over files with their size and kind, in the order in which they were named, each once', async () => {
    writeFileSync(join(outputs, 'b.md'), '# b\n')
    mkdirSync(join(outputs, 'deep'))
    writeFileSync(join(outputs, 'deep', 'a.bin'), png(1, 1))
    const artifacts = [
      { path: out('deep/a.bin'), bytes: 29, mime: 'image/png' },
      { path: out('b.md'), bytes: 4, mime: 'text/markdown' },
    ]
    const result = await present(out('deep/a.bin'), out('b.md'), out('./deep//a.bin'))
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: `presented: ${out('deep/a.bin')} (image/png, 29 bytes)\npresented: ${out('b.md')} (text/markdown, 4 bytes)`,
        },
      ],
      structuredContent: { artifacts, refused: [] },
      _meta: { 'toolgate/artifacts': artifacts },
    })
  })

  it('names what cannot be handed over, and goes on with the others', async () => {
    writeFileSync(join(outputs, 'a.txt'), 'a')
    symlinkSync(join(thread.outside, 'secret.txt'), join(outputs, 'link.txt'))
    linkSync(join(outputs, 'a.txt'), join(thread.base, 'second-name'))
    writeFileSync(join(outputs, 'good.txt'), 'good')
    thread.file('draft.txt')
    const bad = [
      out('none.txt'),
      out(''),
      out('link.txt'),
      out('a.txt'),
      virtual('draft.txt'),
      '/etc/passwd',
      'a.txt',
      7,
    ]
    const result = await present(...bad.slice(0, 4), out('good.txt'), ...bad.slice(4))
    const codes = [
      'path-not-found',
      'is-a-folder',
      'symlink-escape',
      'hardlink',
      'path-outside',
      'path-outside',
      'path-relative',
      'path-type',
    ]
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toMatchObject({
      artifacts: [{ path: out('good.txt') }],
      refused: codes.map((code) => ({ code })),
    })
    expect(textOf(result)).toContain(`not presented: ${virtual('draft.txt')} does not lie under /mnt/user-data/outputs`)
    expect(textOf(result).split('\n')).toHaveLength(bad.length + 1)
    expect(textOf(result)).not.toContain(thread.base)
  })

  it('has failed where nothing was handed over', async () => {
    expect(await present(out('none.txt'))).toMatchObject({
      isError: true,
      structuredContent: { artifacts: [], refused: [{ code: 'path-not-found' }] },
    })
  })

  it('looks at a hundred files, and says how many it did not look at', async () => {
    const result = await present(...Array.from({ length: 103 }, (_, index) => out(`${index}.txt`)))
    expect(textOf(result)).toContain('not looked at: 3 more')
  })

  it('wants a list and a thread', async () => {
    expect(await codeOf(() => present())).toBe('arguments-invalid')
    expect(await codeOf(() => presentFiles.execute?.({ paths: [out('a')] }, {}))).toBe('tool-not-executable')
  })

  it.each([
    ['a.html', '<p>', 'text/html'],
    ['a.txt', '%PDF-1.4', 'application/pdf'],
    ['a.pdf', 'a text', 'text/plain'],
    ['a.docx', 'PK\x03\x04', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.json', '{}', 'application/json'],
    ['a.json', '\0', 'application/octet-stream'],
    ['a', '', 'text/plain'],
    // The last character of its head is cut in two.
    ['a.csv', `${'x'.repeat(65_535)}ä`, 'text/csv'],
  ])('says what %s is by its content', async (name, content, mime) => {
    writeFileSync(join(outputs, name), content)
    expect((await present(out(name))).structuredContent).toMatchObject({ artifacts: [{ mime }] })
  })
})
