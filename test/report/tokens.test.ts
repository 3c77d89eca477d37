import { describe, expect, it } from 'vitest'
import { tokenCosts, toolTokens } from '../../src/report/tokens.ts'
import { aCandidate } from '../../src/testing/world.ts'
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

  it('charge a deferred tool with its name, and say what that saves', () => {
    const costs = tokenCosts(surface, (text) => text.length)
    const deferred = surface.withOutcome('deferred')
    expect(costs.deferredNames).toBe(deferred.reduce((sum, { name }) => sum + name.length + 1, 0))
    expect(costs.savedByDeferral).toBe(costs.ifAllEager - costs.eager - costs.deferredNames)
    expect(costs.savedByDeferral).toBeGreaterThan(0)
  })

  it('are the same sum by tool and by source, and by server for those that have one', () => {
    const { eager, deferredNames, bySource, byServer } = tokenCosts(surface)
    const sum = (shares: typeof bySource): number => Object.values(shares).reduce((all, { tokens }) => all + tokens, 0)
    expect(sum(bySource)).toBe(eager + deferredNames)
    expect(sum(byServer)).toBe(bySource.mcp?.tokens)
  })

  it('hold nothing of excluded tools', () => {
    expect(Object.keys(tokenCosts(surface).byServer)).toEqual(['mail'])
  })

  it('survive a definition whose size is no number', () => {
    const run = aDesk({ candidates: [aCandidate({ name: 'one', definitionChars: Number.NaN })] })
    expect(tokenCosts(run.surface).eager).toBe(0)
  })
})
