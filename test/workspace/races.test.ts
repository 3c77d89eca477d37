import { expect, it } from 'vitest'
import { systemReach } from '../../src/workspace/held-folder.ts'
import { race } from './races.ts'

// The long form is `npm run verify:races`.
it.runIf(systemReach === 'descriptors')(
  'nothing leads out of a thread while another thread swaps its folders, files and links [W2, T16]',
  async () => {
    const { reads, writes, searches, swaps, leaked } = await race({
      reads: 2000,
      writes: 500,
      searches: 20,
      compared: 0,
    })
    for (const tally of [reads, writes, searches]) expect(tally).toMatchObject({ escapes: 0, faults: [] })
    expect(leaked).toBe(0)
    // Something was swapped, and not everything was refused for it.
    expect(swaps).toBeGreaterThan(10)
    expect(reads.done).toBeGreaterThan(0)
    expect(writes.done).toBeGreaterThan(0)
  },
)
