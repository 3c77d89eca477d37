// Listing twelve stdio servers: from what is stored, and by starting them; next to the bare client SDK that starts and
// lists the same servers side by side. Each measure is a process of its own, from its first line to the list in hand
// with nothing of the servers running any more.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { builtFile } from './built.ts'
import { median, milliseconds, printRatios } from './ratios.ts'

const rounds = 7
const servers = 12
const packages = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol')
const kinds = [
  { name: 'files', args: [join(packages, 'server-filesystem/dist/index.js'), '.'] },
  { name: 'memory', args: [join(packages, 'server-memory/dist/index.js')] },
  { name: 'demo', args: [join(packages, 'server-everything/dist/index.js'), 'stdio'] },
] as const

builtFile('index.mjs')
const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'))
try {
  const list = Array.from({ length: servers }, (_, at) => {
    const kind = kinds[at % kinds.length] ?? kinds[0]
    return { name: `${kind.name}_${at}`, command: process.execPath, args: [...kind.args] }
  })
  const config = join(folder, 'toolgate.yaml')
  const entries = Object.fromEntries(list.map(({ name, command, args }) => [name, { command, args }]))
  writeFileSync(config, JSON.stringify({ version: 1, mcp_servers: entries }))
  writeFileSync(join(folder, 'servers.json'), JSON.stringify(list))

  const cold: number[] = []
  const bare: number[] = []
  const warm: number[] = []
  const started = new Set<number>()
  const measured = (what: 'cold' | 'warm' | 'bare') => {
    const { ms, tools, starts } = child(what)
    started.add(what === 'warm' ? starts : -1)
    return { ms, tools }
  }
  measured('cold')
  measured('bare')
  let tools = 0
  for (let round = 0; round < rounds; round += 1) {
    bare.push(measured('bare').ms)
    cold.push(measured('cold').ms)
    const last = measured('warm')
    warm.push(last.ms)
    tools = last.tools
  }
  started.delete(-1)
  if ([...started].some((starts) => starts > 0)) throw new Error('a listing from what is stored started a server')
  printRatios({
    title: 'listing',
    about: [
      `${servers} stdio servers (filesystem, memory, everything), ${tools} tools; medians of ${rounds} rounds in turn`,
      'each a process of its own, from its first line until the list is there and no server runs',
    ],
    ratios: [
      {
        what: 'from what is stored',
        value: median(warm),
        peer: 'starting and listing them',
        peerValue: median(cold),
        most: 0.1,
      },
      {
        what: 'starting and listing them',
        value: median(cold),
        peer: 'the bare SDK',
        peerValue: median(bare),
        most: 1.1,
      },
    ],
    figure: milliseconds,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

interface Measure {
  readonly ms: number
  readonly tools: number
  readonly starts: number
}

function child(what: string): Measure {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [resolve(import.meta.dirname, 'listing-child.mjs'), what, folder, builtFile('index.mjs')],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the ${what} measure ended with ${status}: ${stderr.slice(-400)}`)
  return JSON.parse(stdout) as Measure
}
