import { expect, test } from 'vitest'
import { exactForms, speller } from '../../src/gates/exact-forms.ts'
import { aCandidate, aStandIn } from '../../src/testing/index.ts'

test('gives every exact spelling of a tool of a server', () => {
  expect(exactForms(aCandidate({ server: 'files', originalName: 'move_file' }))).toEqual([
    'files__move_file',
    'mcp:files/move_file',
    'files/move_file',
    'mcp__files__move_file',
  ])
})

test('gives neither the label of a configured tool nor a server it does not have', () => {
  expect(exactForms(aCandidate({ originalName: 'run_query', declaredName: 'query' }))).toEqual([
    'run_query',
    'config:run_query',
  ])
})

test('gives the mcp__ form only to what came over MCP', () => {
  const forms = exactForms(aCandidate({ source: 'acp', server: 'helper', originalName: 'ask' }))
  expect(forms).toContain('helper/ask')
  expect(forms).not.toContain('mcp__helper__ask')
})

test('gives none to a stand-in, so that no star in a list can mean one', () => {
  expect(exactForms(aStandIn('files'))).toEqual([])
  expect(speller(['*', 'files__*', 'mcp:files/*', 'files/*'])(aStandIn('files'))).toBeUndefined()
})
