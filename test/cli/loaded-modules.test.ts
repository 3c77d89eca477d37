// What the command line loads. The agent framework and the SDKs beside it take most of a second to load, and a list of
// tools needs none of them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../e2e/run.ts'
import { type InventoryFolder, inventoryFolder } from './desk-inventory.ts'

const root = resolve(import.meta.dirname, '../..')
const hook = pathToFileURL(join(import.meta.dirname, 'note-loaded.mjs')).href
const main = join(root, 'src/cli/main.ts')
/** Packages that only a run of an agent needs. */
const heavy = /\/node_modules\/(?:langchain|@langchain|langsmith|@agentclientprotocol|ai|@ai-sdk)\//

let folder = ''
let inventory: InventoryFolder
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-loaded-'))
  writeFileSync(join(folder, 'toolgate.json'), '{"version":1,"agents":{"main":{}}}')
  inventory = await inventoryFolder()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  inventory.remove()
})

/** The modules that a program loads, as URLs. Rejects where it does not end well. */
async function loadedBy(name: string, words: readonly string[]): Promise<readonly string[]> {
  const list = join(folder, `${name}.txt`)
  const env = { TOOLGATE_LOADED_MODULES: list }
  const { code, stderr } = await runProgram(process.execPath, ['--import', 'tsx', '--import', hook, ...words], { env })
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`)
  return readFileSync(list, 'utf8').trim().split('\n')
}

describe('the command line', () => {
  it.each<[string, () => readonly string[]]>([
    ['tools of an inventory', () => ['tools', '--snapshot', inventory.snapshot]],
    ['tools of a configuration', () => ['tools', '--config', join(folder, 'toolgate.json')]],
    ['why', () => ['why', 'read_file', '--snapshot', inventory.snapshot]],
    ['help', () => ['help']],
  ])('loads nothing of an agent for `%s`', async (name, words) => {
    const urls = await loadedBy(name, [main, ...words()])
    expect(urls).toContain(pathToFileURL(main).href)
    expect(urls.filter((url) => heavy.test(url))).toEqual([])
    expect(urls.filter((url) => url.includes('/src/agent/'))).toEqual([])
  })

  it('would be seen if it did', async () => {
    const urls = await loadedBy('agent', [join(root, 'src/agent/index.ts')])
    expect(urls.filter((url) => heavy.test(url)).length).toBeGreaterThan(50)
  })
})
