import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { providerFit } from '../../src/gates/provider-fit.ts'
import { aliasTable } from '../../src/targets/alias-table.ts'
import { aCandidate, sha256, someFacts } from '../../src/testing/world.ts'

const long = 'x-'.repeat(50)

describe('the way back from a name [G10, P20]', () => {
  const candidates = [
    aCandidate({ originalName: 'read_file' }),
    aCandidate({ server: 'repo', originalName: 'admin.tools.list' }),
    aCandidate({ server: 'repo', originalName: 'pre___post' }),
    aCandidate({ server: 'repo', originalName: long }),
    aCandidate({
      server: 'repo',
      originalName: 'bad',
      definition: { description: '', inputSchema: { type: 'array' } },
    }),
  ]
  const surface = assemble(someFacts(), candidates, [providerFit], { sha256 })
  const table = aliasTable(surface)

  it('C-025, C-026: leads from every exposed name to the owner and its own name for the tool, with no decoding', () => {
    expect(table.size).toBe(4)
    for (const { candidate, name, outcome } of surface.decisions) {
      if (outcome === 'excluded') continue
      expect(table.get(name)).toMatchObject({ id: candidate.id, originalName: candidate.originalName })
      expect(surface.find(name)?.candidate).toBe(candidate)
    }
  })

  it('tells aliases from names that stayed', () => {
    expect(table.get('read_file')).toEqual({
      name: 'read_file',
      id: 'config:read_file',
      originalName: 'read_file',
      aliased: false,
    })
    expect(table.get('repo__admin_tools_list')).toMatchObject({
      server: 'repo',
      originalName: 'admin.tools.list',
      aliased: true,
    })
    expect(table.get('repo__pre___post')).toMatchObject({ aliased: false })
    expect([...table.values()].find(({ originalName }) => originalName === long)?.name).toHaveLength(64)
  })

  it('holds nothing that is not exposed', () => {
    expect(table.get('repo__bad')).toBeUndefined()
    expect(table.get('repo__admin.tools.list')).toBeUndefined()
    expect(table.get('constructor')).toBeUndefined()
  })
})
