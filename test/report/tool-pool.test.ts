import { describe, expect, it } from 'vitest'
import { toolPool, toolPoolMarkdown } from '../../src/report/tool-pool.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk } from './desk.ts'

const many = Array.from({ length: 20 }, (_, at) =>
  aCandidate({ source: 'snapshot', name: `Tool${at}`, meta: { source_hint: `tools/Tool${at}.ts` } }),
)

describe('the tool pool [D7]', () => {
  it('is Markdown with flags, count and the first fifteen, and says how many more there are', () => {
    expect(toolPoolMarkdown(toolPool(aDesk({ candidates: many })))).toMatchInlineSnapshot(`
      "# Tool Pool

      Simple mode: False
      Include MCP: True
      Tool count: 20

      - Tool0 — tools/Tool0.ts
      - Tool1 — tools/Tool1.ts
      - Tool2 — tools/Tool2.ts
      - Tool3 — tools/Tool3.ts
      - Tool4 — tools/Tool4.ts
      - Tool5 — tools/Tool5.ts
      - Tool6 — tools/Tool6.ts
      - Tool7 — tools/Tool7.ts
      - Tool8 — tools/Tool8.ts
      - Tool9 — tools/Tool9.ts
      - Tool10 — tools/Tool10.ts
      - Tool11 — tools/Tool11.ts
      - Tool12 — tools/Tool12.ts
      - Tool13 — tools/Tool13.ts
      - Tool14 — tools/Tool14.ts
      - … and 5 more"
    `)
  })

  it('says what was left out by whom, and shows the switches of the run', () => {
    const pool = toolPool(aDesk({ facts: { mcp: { on: false }, simpleMode: { on: true } } }))
    const text = toolPoolMarkdown(pool)
    expect(text).toContain('Simple mode: True\nInclude MCP: False\nTool count: 4\nDeferred: 2\n')
    expect(text).toContain('Left out: 5 (permissions 2, tool-groups 2, availability 1)')
    expect(text).toContain('- read_file — config, toolgate.yaml:8')
  })

  it('lists as many as asked', () => {
    const pool = toolPool(aDesk({ candidates: many }))
    expect(toolPoolMarkdown(pool, { limit: 3 })).toContain('- … and 17 more')
    expect(toolPoolMarkdown(pool, { all: true })).not.toContain('more')
  })

  it('counts what is exposed, and lists all of it as data', () => {
    const pool = toolPool(aDesk())
    expect(pool).toMatchObject({
      schema: 'toolgate.tool-pool/1',
      count: 4,
      deferred: 2,
      excluded: 5,
      simpleMode: false,
    })
    expect(pool.tools.map(({ name }) => name)).toEqual([
      'read_file',
      'tool_search',
      'mail__send_invoice',
      'mail__search_mail',
    ])
  })

  it('lets no name become markup', () => {
    const pool = toolPool(aDesk({ candidates: [aCandidate({ name: '[x](http://evil) <b>`*' })] }))
    expect(toolPoolMarkdown(pool)).toContain('- \\[x\\](http://evil) \\<b\\>\\`\\* — ')
  })
})
