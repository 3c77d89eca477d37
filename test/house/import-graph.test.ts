import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { arrows, packageHomes, pureRooms } from './rooms.ts'

const src = resolve(import.meta.dirname, '../../src')

interface Import {
  readonly from: string
  readonly room: string
  readonly specifier: string
}

/** Every import of every file, type-only and dynamic ones included. */
function allImports(): Import[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return files.flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(src, file), 'utf8'), true, true)
    return importedFiles.map(({ fileName }) => ({
      from: file.split(sep).join('/'),
      room: roomOf(file),
      specifier: fileName,
    }))
  })
}

/** `gates/order.ts` → gates; `errors.ts` → errors. */
const roomOf = (file: string): string => (file.split(/[\\/]/)[0] ?? '').replace(/\.ts$/, '')

const isRelative = (specifier: string): boolean => specifier.startsWith('.')

describe('the import graph', () => {
  const imports = allImports()

  it('reads a graph of some size, so that an empty one cannot pass', () => {
    expect(imports.length).toBeGreaterThan(100)
  })

  it('has no room that the list of arrows does not know', () => {
    const rooms = new Set(imports.map((entry) => entry.room))
    expect([...rooms].filter((room) => !Object.hasOwn(arrows, room))).toEqual([])
  })

  it('goes one way between rooms', () => {
    const wrong = imports
      .filter(({ specifier }) => isRelative(specifier))
      .flatMap(({ from, room, specifier }) => {
        const target = roomOf(relative(src, resolve(src, dirname(from), specifier)))
        return target === room || arrows[room]?.includes(target) === true ? [] : [`${from} → ${specifier}`]
      })
    expect(wrong).toEqual([])
  })

  it('keeps `node:` out of the rooms that a page runs', () => {
    const pure = new Set<string>(pureRooms)
    expect(imports.filter(({ room, specifier }) => pure.has(room) && specifier.startsWith('node:'))).toEqual([])
  })

  it('lets core import nothing but itself', () => {
    expect(imports.filter(({ room, specifier }) => room === 'core' && !specifier.startsWith('./'))).toEqual([])
  })

  it('gives each heavy package one address', () => {
    const wrong = imports.filter(({ room, specifier }) => {
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
      const homes = Object.hasOwn(packageHomes, name) ? packageHomes[name] : undefined
      return homes !== undefined && !homes.includes(room)
    })
    expect(wrong).toEqual([])
  })
})
