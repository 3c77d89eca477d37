// Heads of images, for tests: what a reader of their size needs, and nothing to look at.

export const png = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), size, Buffer.from([8, 6, 0, 0, 0])])
}

export const gif = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0, 0, 0])])
}

/** With a long segment of a camera and a table before the frame. */
export const jpeg = (width: number, height: number, frame = 0xc2): Buffer => {
  const segment = (marker: number, body: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(body.length + 2, 2)
    return Buffer.concat([head, body])
  }
  const size = Buffer.from([8, 0, 0, 0, 0, 3])
  size.writeUInt16BE(height, 1)
  size.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.alloc(60_000, 0xff)),
    segment(0xc4, Buffer.alloc(20, 1)),
    Buffer.from([0xff]),
    segment(frame, size),
    Buffer.from([0xff, 0xd9]),
  ])
}

export const webp = (chunk: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer => {
  const body = Buffer.alloc(18)
  if (chunk === 'VP8 ') {
    body.write('\x9d\x01\x2a', 3, 'latin1')
    body.writeUInt16LE(width, 6)
    body.writeUInt16LE(height, 8)
  } else if (chunk === 'VP8L') {
    body[0] = 0x2f
    body.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1)
  } else {
    body.writeUIntLE(width - 1, 4, 3)
    body.writeUIntLE(height - 1, 7, 3)
  }
  return Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1'), body])
}
