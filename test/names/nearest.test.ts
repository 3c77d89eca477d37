import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/names/nearest.ts'

describe('nearest', () => {
  it.each([
    ['Bahs', ['bash', 'grep', 'ls'], ['bash']],
    ['wbe', ['web', 'file', 'shell'], ['web']],
    ['mian', ['main', 'reader'], ['main']],
    ['read-file', ['read_file', 'write_file'], ['read_file', 'write_file']],
    ['deny_tool', ['deny_tools', 'deny_prefixes'], ['deny_tools']],
    ['Find', ['mcp__crm__find', 'delete'], ['mcp__crm__find']],
    ['', ['a'], []],
    ['anything', [], []],
    ['zzzzzzzz', ['bash', 'grep'], []],
  ])('offers for %j out of %j: %j', (word, known, offered) => {
    expect(nearest(word, known)).toEqual(offered)
  })

  it('offers each name once, at most as many as asked for, nearest first', () => {
    expect(nearest('read_fil', ['read_file', 'read_files', 'read_file', 'head_file'], 2)).toEqual([
      'read_file',
      'read_files',
    ])
  })
})
