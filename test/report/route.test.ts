import { describe, expect, it } from 'vitest'
import { route } from '../../src/report/route.ts'
import { routeText } from '../../src/report/route-text.ts'
import type { Run } from '../../src/report/run.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk } from './desk.ts'

const tool = (name: string, description: string, more = {}) =>
  aCandidate({ source: 'snapshot', name, definition: { description, inputSchema: { type: 'object' } }, ...more })

const shelf = aDesk({
  candidates: [
    tool('WebSearchTool', 'Looks things up on the internet.'),
    tool('theme', 'Changes the colours of the interface.'),
    tool('CronDeleteTool', 'Removes a scheduled job.'),
    tool('FileReadTool', 'Reads the contents of a file.'),
    tool('createPullRequest', 'Opens a pull request on the forge.'),
    tool('ApiKeyStep', 'Asks for a key.'),
    tool('read_pdf2text', 'Turns pages into plain text.'),
    tool('搜索邮件', '在邮箱中搜索邮件。'),
  ],
})
const names = (run: Run, prompt: string, options = {}) =>
  route(run, prompt, { lang: 'en', ...options }).matches.map(({ name }) => name)

describe('route [D1]', () => {
  it.each([
    ['search the web', 'WebSearchTool'],
    ['delete a scheduled job', 'CronDeleteTool'],
    ['open a pull request', 'createPullRequest'],
    ['what is in this file? read it', 'FileReadTool'],
    ['turn the pdf into text', 'read_pdf2text'],
    ['搜索我的邮件', '搜索邮件'],
    ['serach internet', 'WebSearchTool'],
  ])('finds for %j first %s', (prompt, expected) => {
    expect(names(shelf, prompt)[0]).toBe(expected)
  })

  it.each(['the', 'please', '', '   ', '!?'])('matches nothing for %j', (prompt) => {
    expect(names(shelf, prompt)).toEqual([])
  })

  it('puts a tool that the prompt names before all others', () => {
    const { matches } = route(shelf, 'read the file with read_pdf2text, then search the file', { lang: 'en' })
    expect(matches[0]).toMatchObject({ name: 'read_pdf2text', exact: true })
    expect(names(shelf, 'change the "THEME".')[0]).toBe('theme')
  })

  it('ranks only what is exposed', () => {
    const desk = aDesk()
    expect(names(desk, 'move or rename a file in a folder', { limit: 50 })).not.toContain('files__move_file')
    expect(names(desk, 'files__move_file', { limit: 50 })).not.toContain('files__move_file')
    expect(route(desk, 'move a file', { lang: 'en' }).hidden).toEqual([])
  })

  it('shows what would have matched but is excluded, apart and with the reason, when asked', () => {
    const { hidden, matches } = route(aDesk(), 'move or rename a file', { lang: 'en', hidden: true })
    expect(hidden[0]).toMatchObject({
      name: 'files__move_file',
      outcome: 'excluded',
      why: 'the agent does not ask for group "web"',
    })
    expect(matches.every(({ outcome }) => outcome !== 'excluded')).toBe(true)
  })

  it('says which words matched, and where', () => {
    const { matches, terms } = route(aDesk(), 'send the invoice', { lang: 'en' })
    expect(terms).toEqual(['send', 'invoice'])
    expect(matches[0]).toMatchObject({
      name: 'mail__send_invoice',
      matched: expect.arrayContaining([{ term: 'invoice', in: ['name', 'keywords', 'arguments', 'description'] }]),
    })
  })

  it('reads keywords in any language, and the names of arguments', () => {
    expect(names(aDesk(), '请开发票')[0]).toBe('mail__send_invoice')
    expect(names(aDesk(), 'path')[0]).toBe('read_file')
  })

  it('takes the order of sources where nothing else tells two tools apart, and priority before it', () => {
    const twins = (priority: number) =>
      aDesk({ candidates: [tool('one', 'Paints.'), tool('two', 'Paints.', { routing: { keywords: [], priority } })] })
    expect(names(twins(0), 'paints')).toEqual(['one', 'two'])
    expect(names(twins(3), 'paints')).toEqual(['two', 'one'])
  })

  it('counts all matches and shows as many as asked', () => {
    const { matches, total } = route(shelf, 'file text internet colours job', { lang: 'en', limit: 2 })
    expect([matches.length, total > 2]).toEqual([2, true])
    expect(names(shelf, 'file', { limit: 0 })).toEqual([])
    expect(names(shelf, 'file', { limit: -1 })).toEqual([])
  })

  it('stays quick whatever is asked of however many tools', () => {
    const many = aDesk({
      candidates: Array.from({ length: 2_000 }, (_, at) => tool(`tool_${at}`, 'file '.repeat(200))),
    })
    const started = performance.now()
    route(many, 'f'.repeat(100_000) + ' file'.repeat(100_000), { lang: 'en' })
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  it('reads so', () => {
    const found = route(aDesk(), 'send an invoice from bash', { lang: 'en', hidden: true })
    expect(routeText(found, { lang: 'en', width: 100 })).toMatchInlineSnapshot(`
      "NAME                SCORE  OUTCOME   SOURCE    MATCHED
      mail__send_invoice   5.12  deferred  mcp mail  send (name, description), invoice (name, keywords, a…
      showing 1 of 1

      would match, but not on this surface
      bash              builtin    permissions: rule "deny bash" names it
      bash              mcp files  permissions: rule "deny bash" names it
      files__move_file  mcp files  tool-groups: the agent does not ask for group "web""
    `)
    expect(routeText(route(aDesk(), 'zzz', { lang: 'zh' }), { lang: 'zh' })).toBe('当前工具面上没有匹配的工具')
  })
})
