// The file of approvals, which is the word of a person: what is read of it, and that it is never lost.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readApprovals } from '../../src/assembly/pins-approvals.ts'
import { pinsFile, readPinsFile, writePinsFile } from '../../src/assembly/pins-file.ts'
import type { StoredLaunch, StoredPin } from '../../src/report/pins.ts'

const root = mkdtempSync(join(tmpdir(), 'toolgate-pins-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder = ''
let count = 0
beforeEach(() => {
  count += 1
  folder = join(root, String(count))
})
const path = (): string => join(folder, pinsFile)
const put = (text: string): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path(), text)
}

const pin: StoredPin = {
  id: 'mcp:files/read',
  server: 'files',
  definitionHash: 'f'.repeat(64),
  approvedAt: '2026-01-01T00:00:00Z',
  definition: { description: 'Reads.', inputSchema: { type: 'object' } },
}
const launch: StoredLaunch = {
  server: 'docs',
  launchHash: 'e'.repeat(64),
  shown: 'npx docs',
  approvedAt: '2026-01-01T00:00:00Z',
}
const both = { pins: [pin], launches: [launch] }

describe('the file of approvals [G12]', () => {
  it('gives back what was written, one entry a line, readable by its owner alone', async () => {
    expect(await writePinsFile(folder, both)).toEqual([])
    expect(await readPinsFile(folder)).toEqual({ kind: 'read', ...both })
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    const text = readFileSync(path(), 'utf8')
    expect(JSON.parse(text)).toEqual({ schema: 'toolgate.pins/1', ...both })
    expect(text.split('\n').filter((line) => line.includes('approvedAt'))).toHaveLength(2)
    expect(readdirSync(folder)).toEqual([pinsFile])
  })

  it('is written empty as well, and is not there before', async () => {
    expect(await readPinsFile(folder)).toEqual({ kind: 'absent' })
    await writePinsFile(folder, { pins: [], launches: [] })
    expect(await readPinsFile(folder)).toEqual({ kind: 'read', pins: [], launches: [] })
  })

  it('of an earlier version, with hashes alone, is read', async () => {
    const { id, definitionHash, approvedAt } = pin
    put(JSON.stringify({ schema: 'toolgate.pins/1', pins: [{ id, definitionHash, approvedAt }] }))
    expect(await readPinsFile(folder)).toEqual({
      kind: 'read',
      pins: [{ id, definitionHash, approvedAt }],
      launches: [],
    })
  })

  it('keeps the hash of a definition that is too big to be shown, and not the definition', async () => {
    const definition = { description: 'd'.repeat(100_000), inputSchema: { type: 'object' } }
    await writePinsFile(folder, { ...both, pins: [{ ...pin, definition }] })
    const { definition: _, ...rest } = pin
    expect(await readPinsFile(folder)).toMatchObject({ pins: [rest] })
    expect((await readApprovals(folder)).definitions.size).toBe(0)
  })

  it.each<{ readonly what: string; readonly definition: string }>([
    { what: 'no object', definition: '"Reads."' },
    { what: 'without a description', definition: '{"inputSchema":{}}' },
    { what: 'whose schema is a list', definition: '{"description":"","inputSchema":[]}' },
    {
      what: 'of bottomless depth',
      definition: `{"description":"","inputSchema":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    },
  ])('does not show a definition that is none: $what', async ({ definition }) => {
    put(
      JSON.stringify({ schema: 'toolgate.pins/1', pins: [{ ...pin, definition: '$' }] }).replace(
        '"$"',
        () => definition,
      ),
    )
    const { definition: _, ...rest } = pin
    expect(await readPinsFile(folder)).toEqual({ kind: 'read', pins: [rest], launches: [] })
  })

  it('approves nothing by an entry that is none', async () => {
    put(JSON.stringify({ schema: 'toolgate.pins/1', pins: [null, 7, { ...pin, definitionHash: true }, pin] }))
    expect(await readPinsFile(folder)).toMatchObject({ kind: 'read', pins: [pin] })
  })
})

const unusable: readonly { readonly what: string; readonly make: () => void }[] = [
  { what: 'is torn', make: () => put('{"schema": "toolgate.pins/1", "pins": [') },
  { what: 'is empty', make: () => put('') },
  { what: 'is of a later version', make: () => put('{"schema":"toolgate.pins/9","pins":[]}') },
  { what: 'is of another program', make: () => put('[1, 2]') },
  {
    what: 'holds a launch that is none',
    make: () => put('{"schema":"toolgate.pins/1","pins":[],"launches":[{"server":"docs"}]}'),
  },
  { what: 'holds launches that are no list', make: () => put('{"schema":"toolgate.pins/1","pins":[],"launches":{}}') },
  {
    what: 'is a link',
    make: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'elsewhere'), JSON.stringify({ schema: 'toolgate.pins/1', pins: [pin] }))
      symlinkSync(join(folder, 'elsewhere'), path())
    },
  },
  { what: 'is a folder', make: () => mkdirSync(path(), { recursive: true }) },
]

describe('a file of approvals that cannot be used [G12, C-168]', () => {
  it.each(unusable)('approves nothing when it $what', async ({ make }) => {
    make()
    expect(await readPinsFile(folder)).toMatchObject({
      kind: 'unreadable',
      why: expect.stringMatching(/^the file of approvals /),
    })
    expect(await readApprovals(folder)).toEqual({ definitions: new Map(), launches: 'unreadable' })
  })

  it.each(unusable)('is set aside, and named, before another is written, when it $what', async ({ make }) => {
    make()
    const [found, ...more] = await writePinsFile(folder, both)
    expect(more).toEqual([])
    expect(found).toMatchObject({
      code: 'state-file',
      severity: 'warning',
      message: expect.stringContaining('pins.json.bad'),
    })
    expect(existsSync(`${path()}.bad`)).toBe(true)
    expect(await readPinsFile(folder)).toEqual({ kind: 'read', ...both })
  })

  it('is set aside under a name of its own, however often', async () => {
    for (const text of ['one', 'two', 'three']) {
      put(text)
      await writePinsFile(folder, both)
    }
    expect(['.bad', '.bad-2', '.bad-3'].map((end) => readFileSync(path() + end, 'utf8'))).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it('is not replaced when it cannot be set aside', async () => {
    put('torn')
    for (let number = 1; number <= 100; number += 1)
      writeFileSync(`${path()}.bad${number === 1 ? '' : `-${number}`}`, '')
    await expect(writePinsFile(folder, both)).rejects.toMatchObject({
      finding: { code: 'state-file', severity: 'error' },
    })
    expect(readFileSync(path(), 'utf8')).toBe('torn')
  })

  it('is told when the folder cannot be made', async () => {
    writeFileSync(folder, 'a file in the way')
    await expect(writePinsFile(folder, both)).rejects.toMatchObject({ finding: { code: 'state-file' } })
  })
})
