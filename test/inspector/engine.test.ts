import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { explain } from '../../src/report/explain.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { someCandidates, someFacts } from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolgate-page-'))
let script = ''

beforeAll(async () => {
  await build({
    config: false,
    entry: { engine: resolve(import.meta.dirname, '../../inspector/src/engine.ts') },
    outDir: folder,
    format: 'iife',
    globalName: 'engine',
    platform: 'browser',
    noExternal: [/./],
    dts: false,
    logLevel: 'silent',
  })
  const file = readdirSync(folder).find((name) => name.endsWith('.js')) ?? ''
  script = readFileSync(join(folder, file), 'utf8')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the part that runs in a page [D1]', () => {
  it('decides and explains without anything of Node as the command line does', () => {
    const facts = someFacts()
    const candidates = someCandidates()
    const page = { facts: JSON.stringify(facts), candidates: JSON.stringify(candidates), sha256, Intl, answer: '' }
    const use = `
      const facts = JSON.parse(globalThis.facts), candidates = JSON.parse(globalThis.candidates)
      const gates = engine.gateOrder.default
      const surface = engine.assemble(facts, candidates, gates, { sha256: globalThis.sha256 })
      const run = { surface, gates, preset: 'default', servers: [], findings: [] }
      const words = surface.decisions.map((decision) => engine.explain(run, decision.candidate.id, { lang: 'zh' }))
      globalThis.answer = JSON.stringify({ hash: surface.hash, words })`
    runInNewContext(`${script};{${use}}`, Object.assign(page, { globalThis: page }))

    const gates = gateOrder.default
    const surface = assemble(facts, candidates, gates, { sha256 })
    const run = { surface, gates, preset: 'default', servers: [], findings: [] }
    const words = surface.decisions.map((decision) => explain(run, decision.candidate.id, { lang: 'zh' }))
    expect(surface.decisions.length).toBeGreaterThan(3)
    expect(JSON.parse(page.answer)).toEqual(JSON.parse(JSON.stringify({ hash: surface.hash, words })))
  })
})
