import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDeferredNames } from '../../src/catalog/prompt/deferred-names.ts'
import { promptParts, promptTools } from '../../src/catalog/prompt/prompt-parts.ts'
import { assemble } from '../../src/core/assemble.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { tokenCosts, toolTokens } from '../../src/report/tokens.ts'
import { aCandidate, aSearchTool, sha256, someFacts } from '../../src/testing/world.ts'
import { aDesk } from './desk.ts'

describe('token costs [D7]', () => {
  const { surface } = aDesk()

  it('estimate a tool from the characters of its definition, at 4.24 each', () => {
    const run = aDesk({ candidates: [aCandidate({ name: 'one', definitionChars: 425 })] })
    const [decision] = run.surface.decisions
    expect(decision && toolTokens(decision)).toBe(101)
  })

  it('count the very text that a model is sent when a counter is handed in', () => {
    const seen: string[] = []
    const decision = surface.find('read_file')
    if (decision === undefined) throw new Error('no read_file')
    const tokens = toolTokens(decision, (text) => {
      seen.push(text)
      return 7
    })
    expect(tokens).toBe(7)
    const { description, inputSchema } = decision.definition
    expect(seen).toEqual([JSON.stringify({ name: 'read_file', description, input_schema: inputSchema })])
  })

  it('charge deferred tools with the block of names as the prompt lists it', () => {
    const costs = tokenCosts(surface, (text) => text.length)
    const block = promptParts(promptTools(surface)).names
    expect(costs.deferredNames).toBe(block.length)
    expect(block).toContain('mail__send_invoice\n')
    expect(costs.byServer.mail?.tokens).toBe('mail__send_invoice\nmail__search_mail\n'.length)
  })

  it('charge nothing for a name that the prompt has no room to list', () => {
    const many = Array.from({ length: 4000 }, (_, at) => aCandidate({ server: 'mail', originalName: `tool_${at}` }))
    const whole = aDesk({ candidates: [aSearchTool(), ...many] }).surface
    const listed = readDeferredNames(promptParts(promptTools(whole)).names)?.length ?? 0
    const { byServer } = tokenCosts(whole, () => 1)
    expect(listed).toBeGreaterThan(100)
    expect(byServer.mail).toMatchObject({ tools: 4000, tokens: listed })
  })

  it('are net: the search tool is on the side of what deferral costs', () => {
    const costs = tokenCosts(surface, (text) => text.length)
    const search = surface.find('tool_search')
    if (search === undefined) throw new Error('no tool_search')
    expect(costs.searchTool).toBe(toolTokens(search, (text) => text.length))
    const exposed = surface.decisions.filter(({ outcome }) => outcome !== 'excluded')
    const all = exposed.reduce((sum, decision) => sum + toolTokens(decision, (text) => text.length), 0)
    expect(costs.ifAllEager).toBe(all - costs.searchTool)
    expect(costs.savedByDeferral).toBe(costs.ifAllEager - costs.eager - costs.deferredNames)
  })

  it('fall below nothing saved where deferral costs more than it saves', () => {
    const tiny = aCandidate({ server: 'mail', originalName: 'go', definitionChars: 20 })
    const costs = tokenCosts(aDesk({ candidates: [aSearchTool({ definitionChars: 700 }), tiny] }).surface)
    expect(costs).toMatchObject({ ifAllEager: 5, searchTool: 166 })
    expect(costs.savedByDeferral).toBeLessThan(-160)
    expect(costs.savedShare).toBeLessThan(-30)
  })

  it('count the search tool as any other where nothing is deferred', () => {
    const off = aDesk({ candidates: [aSearchTool({ definitionChars: 700 })] })
    expect(tokenCosts(off.surface)).toMatchObject({
      eager: 166,
      searchTool: 0,
      deferredNames: 0,
      ifAllEager: 166,
      savedByDeferral: 0,
      savedShare: 0,
    })
  })

  it('give shares rounded down, so that all is never said to be saved', () => {
    const dear = aCandidate({ server: 'mail', originalName: 'dear', definitionChars: 4_240_000 })
    expect(tokenCosts(aDesk({ candidates: [dear] }).surface).byServer.mail?.savedShare).toBe(0.9999)
  })

  it('are the same sum by tool and by source, and by server for those that have one', () => {
    const { eager, deferredNames, ifAllEager, bySource, byServer } = tokenCosts(surface)
    const sum = (shares: typeof bySource, of: 'tokens' | 'ifAllEager'): number =>
      Object.values(shares).reduce((all, share) => all + share[of], 0)
    expect(sum(bySource, 'tokens')).toBe(eager + deferredNames)
    expect(sum(bySource, 'ifAllEager')).toBe(ifAllEager)
    expect(sum(byServer, 'tokens')).toBe(bySource.mcp?.tokens)
  })

  it('add up on any surface, with or without a search tool', () => {
    const tool = fc.record({ kind: fc.constantFrom('mcp', 'config', 'search'), chars: fc.nat(2000) })
    fc.assert(
      fc.property(fc.array(tool, { maxLength: 10 }), fc.constantFrom('on', 'auto', 'off'), (tools, mode) => {
        const candidates = tools.map(({ kind, chars }, at) => {
          const given = { originalName: `t${at}`, definitionChars: chars }
          if (kind === 'search') return aSearchTool(given)
          return aCandidate({ ...given, ...(kind === 'mcp' ? { server: `s${at % 2}` } : {}) })
        })
        const facts = someFacts({ deferral: { mode, budgetTokens: 300 } })
        const costs = tokenCosts(assemble(facts, candidates, gateOrder.default, { sha256 }))
        const sum = (of: 'tokens' | 'ifAllEager'): number =>
          Object.values(costs.bySource).reduce((all, share) => all + share[of], 0)
        expect(sum('tokens')).toBe(costs.eager + costs.deferredNames)
        expect(sum('ifAllEager')).toBe(costs.ifAllEager)
        expect(costs.eager + costs.deferredNames + costs.savedByDeferral).toBe(costs.ifAllEager)
        if (costs.deferredNames === 0) expect(costs).toMatchObject({ savedByDeferral: 0, savedShare: 0, searchTool: 0 })
      }),
    )
  })

  it('hold nothing of excluded tools', () => {
    expect(Object.keys(tokenCosts(surface).byServer)).toEqual(['mail'])
  })

  it('survive a definition whose size is no number', () => {
    const run = aDesk({ candidates: [aCandidate({ name: 'one', definitionChars: Number.NaN })] })
    expect(tokenCosts(run.surface).eager).toBe(0)
  })
})
