// One measure of listing.ts: `node listing-child.mjs cold|warm|bare FOLDER DIST`, the answer as JSON.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const begin = performance.now()
const [what, folder, dist] = process.argv.slice(2)
const { tools, starts } = what === 'bare' ? await bareSdk() : await ours(what === 'cold')
console.log(JSON.stringify({ ms: performance.now() - begin, tools, starts }))

async function ours(refresh) {
  const { loadConfig, prepareRun } = await import(pathToFileURL(dist).href)
  const { config } = await loadConfig(join(folder, 'toolgate.yaml'), { environment: process.env })
  let starts = 0
  const progress = (line) => {
    if (line.endsWith(': starting')) starts += 1
  }
  const run = await prepareRun({ config, progress, ...(refresh ? { listings: { refresh: true } } : {}) })
  const missing = run.servers.filter(({ state }) => state !== 'available')
  if (missing.length > 0) throw new Error(`not available: ${JSON.stringify(missing)}`)
  return { tools: run.servers.reduce((sum, server) => sum + server.tools, 0), starts }
}

async function bareSdk() {
  const { Client } = await import('@modelcontextprotocol/client')
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const servers = JSON.parse(readFileSync(join(folder, 'servers.json'), 'utf8'))
  const counts = await Promise.all(
    servers.map(async ({ command, args }) => {
      const client = new Client({ name: 'bench', version: '1' })
      await client.connect(new StdioClientTransport({ command, args, cwd: folder, stderr: 'ignore' }))
      const { tools } = await client.listTools()
      await client.close()
      return tools.length
    }),
  )
  return { tools: counts.reduce((sum, count) => sum + count, 0), starts: servers.length }
}
