import { describe, expect, it } from 'vitest'
import { abstains, defineGate } from '../../src/core/gate.ts'
import { show } from '../../src/report/show.ts'
import { showText } from '../../src/report/show-text.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk, deskGates } from './desk.ts'

const run = aDesk()

const shortener = defineGate({
  id: 'shortener',
  asks: { en: 'Is it short enough?', zh: '够短吗？' },
  reasons: { shortened: abstains({ say: { en: () => 'it was made short', zh: () => '已缩短' } }) },
  open: (_facts, _standing, because) => (candidate) =>
    because(
      'shortened',
      {},
      { amends: { definition: { ...candidate.definition, description: 'Short.' }, definitionChars: 40 } },
    ),
})

describe('show', () => {
  it('gives one tool whole, with the rules that are checked on each call', () => {
    const shown = show(run, 'mail__send_invoice', { lang: 'en' })
    expect(shown).toMatchObject({ schema: 'toolgate.show/1', kind: 'exposed' })
    expect(shown.tools[0]).toMatchObject({
      id: 'mcp:mail/send_invoice',
      protocol: 'mcp',
      form: 'executes',
      effects: ['write', 'network'],
      effectsBy: 'assumed',
      routing: { keywords: ['bill', '发票'], priority: 2 },
      rules: [{ effect: 'deny', text: 'mail/send_invoice(to:*@example.org)', origin: { line: 44 } }],
    })
    expect(shown.tools[0]).not.toHaveProperty('original')
  })

  it('gives the definition as the model gets it, and the original beside it where they differ', () => {
    const adapted = show(aDesk({ gates: [...deskGates, shortener] }), 'read_file', { lang: 'en' })
    expect(adapted.tools[0]?.definition.description).toBe('Short.')
    expect(adapted.tools[0]?.original?.description).toBe('Reads a text file of the workspace.')
    expect(showText(adapted, { lang: 'en' })).toContain(
      'adapted to what the target accepts; --json has the original beside it',
    )
  })

  it('reads so at 100 columns', () => {
    expect(
      showText(show(run, 'mail__send_invoice', { lang: 'en' }), { lang: 'en', width: 100 }),
    ).toMatchInlineSnapshot(`
      "mail__send_invoice   deferred
        deferral: the schemas of servers cost more than 50 tokens
        identity  mcp:mail/send_invoice
        names     mail__send_invoice (to the model), send_invoice (to its owner)
        source    mcp mail, toolgate.yaml:22 mcp_servers.mail
        kind      executes, mcp, group mail
        effects   write, network (nobody said, so all are assumed)
        approval  a person is asked before each call
        rules     deny mail/send_invoice(to:*@example.org)  toolgate.yaml:44
                  agents.main.permissions.deny[0]
        tokens    61 (257 characters)
        hash      efb9f762ac67636fef2d21988281698319d3fcbb71ee5a53242760a3492d4363

      description
        Sends an invoice by e-mail to a customer.
      arguments
        to       string  required  The to.
        invoice  string            The invoice."
    `)
  })

  it('names the others that the word may mean', () => {
    const text = showText(show(run, 'read_file', { lang: 'en' }), { lang: 'en' })
    expect(text).toContain('others that the word may mean\n')
    expect(text).toContain('mcp files')
  })

  it('offers the nearest names for an unknown word', () => {
    expect(showText(show(run, 'reed_file', { lang: 'zh' }), { lang: 'zh' })).toBe(
      '没有名为 "reed_file" 的工具\n  相近的名称：read_file',
    )
  })

  it('names types, choices and what is neither, and stops after sixty arguments', () => {
    const properties = {
      mode: { enum: ['fast', 'slow'] },
      size: { type: ['integer', 'null'] },
      any: { anyOf: [{ type: 'string' }] },
      odd: true,
      ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x${at}`, { type: 'string' }])),
    }
    const candidate = aCandidate({
      name: 'many',
      definition: { description: 'Many.', inputSchema: { type: 'object', properties } },
    })
    const text = showText(show(aDesk({ candidates: [candidate] }), 'many', { lang: 'en' }), { lang: 'en' })
    expect(text).toContain('  mode  "fast" | "slow"')
    expect(text).toContain('  size  integer | null')
    expect(text).toContain('  any   anyOf')
    expect(text).toContain('… and 4 more')
  })
})
