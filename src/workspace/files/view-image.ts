// What view_image answers: the picture as a block that a model sees, and a line about it.

import type { JsonObject } from '../../core/json.ts'
import { openFile, readInto, readWhole } from '../open-file.ts'
import { pathError, shownPath } from '../path-error.ts'
import { pathIn } from '../path-in.ts'
import { workspaceOf } from '../tool-workspace.ts'
import { countOf } from './answer-text.ts'
import { fileKind, kindHeadBytes } from './file-kind.ts'
import type { FileToolContext } from './file-tools.ts'
import { imageHeader, imageLimits } from './image-header.ts'

/**
 * Opens an image by its content, whatever its name says. What is no image is a result that says what it is instead.
 * Throws a ToolgateError: one of the `path-` codes, `symlink-escape`, `hardlink`, `special-file`, `is-a-folder`,
 * `not-a-folder`, `file-too-big` (bytes or pixels over `imageLimits`), `file-io`.
 */
export async function viewImageTool(args: JsonObject, context: FileToolContext): Promise<JsonObject> {
  const file = openFile(pathIn(workspaceOf(context), args.path))
  try {
    const head = Buffer.alloc(Math.min(kindHeadBytes, file.size))
    const read = head.subarray(0, await readInto(file, head, 0))
    const mime = fileKind(file.virtual, read, read.length >= file.size)
    if (!isSeen(mime)) return noImage(file.virtual, mime, file.size)
    const { bytes: bytesMax, side } = imageLimits
    if (file.size > bytesMax)
      throw pathError('file-too-big', file.virtual, `has ${file.size} bytes, over the ${bytesMax} of an image`, smaller)
    const bytes = await readWhole(file, bytesMax)
    const image = imageHeader(bytes)
    if (image === undefined) return noImage(file.virtual, 'an image that is cut off', file.size)
    const { width, height } = image
    if (Math.max(width, height) > side) {
      const what = `is ${width} × ${height} pixels, over the ${side} that a side may have`
      throw pathError('file-too-big', file.virtual, what, smaller)
    }
    const line = `${shownPath(file.virtual)}: ${image.mime}, ${width} × ${height} pixels, ${countOf(bytes.length, 'byte')}`
    return {
      content: [
        { type: 'text', text: line },
        { type: 'image', data: bytes.toString('base64'), mimeType: image.mime },
      ],
    }
  } finally {
    file.close()
  }
}

const smaller = 'make it smaller first'

const isSeen = (mime: string): boolean => /^image\/(?:png|jpeg|webp|gif)$/.test(mime)

function noImage(virtual: string, what: string, bytes: number): JsonObject {
  const isText = /^text\/|\+xml$|\/(?:json|xml|yaml)$/.test(what)
  const advice = isText ? '; read it with a tool for text' : ''
  const text = `${shownPath(virtual)} is no image of the kinds png, jpeg, webp and gif: it is ${what} (${countOf(bytes, 'byte')})${advice}`
  return { content: [{ type: 'text', text }], isError: true }
}
