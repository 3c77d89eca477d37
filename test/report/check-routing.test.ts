import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { routingFindings } from '../../src/report/check-routing.ts'
import { aCandidate, sha256, someFacts } from '../../src/testing/world.ts'

describe('keywords in a check [D5] [C6]', () => {
  it('are told once for the place where they stand when they route nothing', () => {
    const origin = { in: 'toolgate.yaml', key: 'mcp_servers.crm', line: 4 }
    const routing = { keywords: ['x', 'customer', '…'], priority: 0 }
    const candidates = ['find', 'list'].map((name) =>
      aCandidate({ source: 'mcp', server: 'crm', name: `crm__${name}`, originalName: name, routing, origin }),
    )
    const surface = assemble(someFacts(), candidates, gateOrder.default, { sha256 })
    const run = { surface, gates: gateOrder.default, preset: 'default', servers: [], findings: [] }
    expect(routingFindings(run)).toEqual([
      expect.objectContaining({ code: 'keyword-not-used', subject: 'x', severity: 'warning', origin }),
      expect.objectContaining({ code: 'keyword-not-used', subject: '…', severity: 'warning', origin }),
    ])
  })
})
