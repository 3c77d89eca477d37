// The filter of system calls, run by a few lines that read it as the kernel does.

import { describe, expect, it } from 'vitest'
import { systemCallFilter } from '../../src/workspace/sandbox/system-call-filter.ts'

const audits = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 } as const

/** What the filter answers to a call: the value that it returns. */
function answer(
  filter: Buffer,
  call: { readonly audit: number; readonly number: number; readonly first?: number },
): number {
  const words = new Map([
    [0, call.number],
    [4, call.audit],
    [16, call.first ?? 0],
  ])
  let loaded = 0
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const [ifTrue = 0, ifFalse = 0] = [filter[at * 8 + 2], filter[at * 8 + 3]]
    const value = filter.readUInt32LE(at * 8 + 4)
    switch (filter.readUInt16LE(at * 8)) {
      case 0x20:
        loaded = words.get(value) ?? Number.NaN
        break
      case 0x15:
        at += loaded === value ? ifTrue : ifFalse
        break
      case 0x35:
        at += loaded >= value ? ifTrue : ifFalse
        break
      case 0x06:
        return value
      default:
        throw new Error('no such instruction')
    }
  }
  throw new Error('it ended without an answer')
}

const [allowed, notPermitted, noSuchFamily] = [0x7fff0000, 0x00050001, 0x00050061]
const numbers = {
  x64: {
    socket: 41,
    others: { read: 0, write: 1, mmap: 9, clone: 56, execve: 59, ptrace: 101 },
    refused: [248, 249, 250, 298, 321, 323],
  },
  arm64: {
    socket: 198,
    others: { read: 63, write: 64, mmap: 222, clone: 220, execve: 221, ptrace: 117 },
    refused: [217, 218, 219, 241, 280, 282],
  },
} as const

describe.each(['x64', 'arm64'] as const)('the filter of system calls on %s', (machine) => {
  const filter = systemCallFilter(machine) ?? Buffer.alloc(0)
  const asked = (number: number, first = 0) => answer(filter, { audit: audits[machine], number, first })
  const { socket, others, refused } = numbers[machine]

  it('lets through what commands do', () => {
    for (const number of Object.values(others)) expect(asked(number)).toBe(allowed)
  })

  it('refuses keys, rings and other large interfaces, and nothing else of all that there are', () => {
    const all = Array.from({ length: 600 }, (_, number) => number).filter((number) => number !== socket)
    expect(all.filter((number) => asked(number) !== allowed)).toEqual([...refused, 425, 426, 427])
    expect(asked(425)).toBe(notPermitted)
  })

  it('lets sockets of four families through', () => {
    const families = Array.from({ length: 50 }, (_, family) => family)
    expect(families.filter((family) => asked(socket, family) === allowed)).toEqual([1, 2, 10, 16])
    expect(asked(socket, 40)).toBe(noSuchFamily)
    expect(asked(socket, 0xffffffff)).toBe(noSuchFamily)
  })

  it('refuses calls of another machine and by other numbers, whatever they are', () => {
    expect(answer(filter, { audit: audits.i386, number: others.read })).toBe(notPermitted)
    expect(asked(0x40000000 + others.read)).toBe(notPermitted)
  })
})

describe('a machine whose numbers are not known', () => {
  it('has no filter', () => expect(systemCallFilter('riscv64')).toBeUndefined())
})
