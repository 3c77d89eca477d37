import { linkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { viewImage } from '../../src/tools/index.ts'
import { imageHeader, imageLimits } from '../../src/workspace/files/image-header.ts'
import { aThread, codeOf, faultOf, type Thread, virtual } from '../workspace/a-thread.ts'
import { gif, jpeg, png, webp } from './an-image.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
const view = async (name: string): Promise<JsonObject> =>
  (await viewImage.execute?.({ path: virtual(name) }, { workspace: thread.workspace })) as JsonObject
const textOf = ({ content }: JsonObject): string => String((content as readonly JsonObject[])[0]?.text)

describe('view_image [R1, W2]', () => {
  it.each([
    ['png', png(640, 480), 'image/png'],
    ['gif', gif(640, 480), 'image/gif'],
    ['jpeg', jpeg(640, 480), 'image/jpeg'],
    ['webp', webp('VP8 ', 640, 480), 'image/webp'],
    ['lossless webp', webp('VP8L', 640, 480), 'image/webp'],
    ['extended webp', webp('VP8X', 640, 480), 'image/webp'],
  ])('shows a %s, whatever its name says', async (_kind, bytes, mime) => {
    thread.file('picture.txt', bytes)
    const line = `${virtual('picture.txt')}: ${mime}, 640 × 480 pixels, ${bytes.length} bytes`
    expect(await view('picture.txt')).toEqual({
      content: [
        { type: 'text', text: line },
        { type: 'image', data: bytes.toString('base64'), mimeType: mime },
      ],
    })
  })

  it.each<[string, string | Uint8Array, string]>([
    ['a text', 'no picture', 'it is text/plain (10 bytes); read it with a tool for text'],
    ['a drawing that is a text', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'it is text/plain'],
    ['a document', '%PDF-1.7\n', 'it is application/pdf'],
    ['other bytes', Uint8Array.of(0, 1, 2), 'it is application/octet-stream'],
    ['nothing', '', 'it is text/plain (0 bytes)'],
    ['an image that ends before its size', jpeg(4, 4).subarray(0, 30_000), 'it is an image that is cut off'],
  ])('says of %s what it is', async (_what, content, says) => {
    thread.file('a.png', content)
    const result = await view('a.png')
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(textOf(result)).toContain(says)
    expect(JSON.stringify(result)).not.toContain('"image"')
  })

  it('shows a photograph whose size comes after much else', async () => {
    const twice = jpeg(640, 480)
    thread.file('a.jpg', Buffer.concat([twice.subarray(0, 60_006), twice.subarray(2)]))
    expect(textOf(await view('a.jpg'))).toContain('image/jpeg, 640 × 480 pixels')
  })

  it('names a drawing by the end of its name', async () => {
    thread.file('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect(textOf(await view('a.svg'))).toContain('it is image/svg+xml (41 bytes); read it with a tool for text')
  })

  it('shows nothing over the limits of bytes and of pixels', async () => {
    thread.file('big.png', Buffer.concat([png(4, 4), Buffer.alloc(imageLimits.bytes)]))
    thread.file('wide.png', png(imageLimits.side + 1, 1))
    thread.file('fits.png', png(imageLimits.side, 1))
    expect(await faultOf(() => view('big.png'))).toMatchObject({ code: 'file-too-big', hint: 'make it smaller first' })
    expect((await faultOf(() => view('wide.png'))).message).toContain('is 8001 × 1 pixels, over the 8000')
    expect(textOf(await view('fits.png'))).toContain('8000 × 1 pixels')
  })

  it('opens nothing outside of the thread', async () => {
    symlinkSync(join(thread.outside, 'secret.txt'), thread.at('link.png'))
    thread.file('one.png', png(1, 1))
    linkSync(thread.at('one.png'), thread.at('two.png'))
    expect(await codeOf(() => view('link.png'))).toBe('symlink-escape')
    expect(await codeOf(() => view('two.png'))).toBe('hardlink')
    expect(await codeOf(() => view('none.png'))).toBe('path-not-found')
    expect(await codeOf(() => viewImage.execute?.({ path: virtual('one.png') }, {}))).toBe('tool-not-executable')
  })
})

describe('the header of an image', () => {
  it('is read for every frame of a jpeg, and for no table', () => {
    for (const frame of [0xc0, 0xc1, 0xc3, 0xc9, 0xcf])
      expect(imageHeader(jpeg(3, 2, frame))).toMatchObject({ width: 3 })
    for (const table of [0xc4, 0xc8, 0xcc]) expect(imageHeader(jpeg(3, 2, table))).toBeUndefined()
  })

  it('is none where it is cut off, and no bytes whatever make it fail', () => {
    const heads = [png(9, 9), gif(9, 9), jpeg(9, 9), webp('VP8 ', 9, 9), webp('VP8L', 9, 9), webp('VP8X', 9, 9)]
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.nat(70_000), fc.uint8Array({ maxLength: 40 }), (head, cut, noise) => {
        const spoiled = Buffer.concat([head.subarray(0, cut), Buffer.from(noise)])
        const found = imageHeader(spoiled)
        if (found !== undefined) expect(Math.min(found.width, found.height)).toBeGreaterThan(0)
      }),
    )
    for (const head of heads.slice(0, 2)) expect(imageHeader(head.subarray(0, 9))).toBeUndefined()
    expect(imageHeader(png(0, 5))).toBeUndefined()
  })
})
