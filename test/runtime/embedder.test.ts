// Meaning beside words in a configuration in service: an embedder of one's own, loaded as tools are.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listedTool } from '../sources/scripted.ts'
import { owner, project, textOf } from './a-project.ts'

const embedder = (use: string) => ({ tool_search: { enabled: true, embedder: use } })
const tools = [{ tools: [{ ...listedTool('drop'), description: 'Drops a stone.' }, listedTool('sing')] }]

/** Two words of different letters that mean the same to it: `zorble` and `drop`. */
const module = `
export const near = {
  id: 'test@1',
  dimensions: 2,
  embed: async (texts) => texts.map((text) => Float32Array.from(/zorble|drop/i.test(text) ? [1, 0] : [0, 1])),
}
export const torn = { id: 'test@2', dimensions: 2, embed: async () => { throw new Error('it broke') } }
`

/** What the search answers once it says the words, and what the model then has. */
async function answered(use: string, query: string, words: string) {
  const { write, open, folder } = project()
  write({ rocks: { pages: tools } }, embedder(use))
  writeFileSync(join(folder, 'own.mjs'), module)
  const told: string[] = []
  const toolbox = await open({ progress: (line) => told.push(line) })
  const calls = await toolbox.callsOf(owner)
  // The first search begins to make the vectors, in the background.
  const text = async () => textOf(await calls.call({ name: 'tool_search', args: { query } }))
  await expect.poll(text, { timeout: 5000 }).toContain(words)
  return { told, visible: await calls.visible() }
}

describe('an embedder that the configuration names', () => {
  it('finds what shares no word with the query, and only names it', async () => {
    const words = 'Further matches, by name only (load with select:NAME,NAME): rocks__drop'
    const { visible } = await answered('./own.mjs:near', 'zorble', words)
    expect(visible.tools.filter(({ outcome }) => outcome === 'deferred')).toEqual([])
  })

  it('leaves what words find where it was, with its definition', async () => {
    await answered('./own.mjs:near', 'sing', '"name":"rocks__sing"')
  })

  it.each(['./own.mjs:torn', './own.mjs:absent', './nowhere.mjs:x'])(
    'costs no search when it is of no use: %s',
    async (use) => {
      const { told } = await answered(use, 'drop', '"name":"rocks__drop"')
      await expect.poll(() => told.join('\n')).toMatch(/words alone|broke/)
    },
  )
})
