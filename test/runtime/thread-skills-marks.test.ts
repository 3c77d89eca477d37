import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf, fencedSkill } from '../../src/runtime/skill-text.ts'

describe('the marks around the text of a skill', () => {
  const pieces = fc.constantFrom(
    ...[
      '<',
      '</',
      '< / ',
      '＜',
      '﹤/',
      '〈',
      '‹',
      '<\u200b',
      '<\u00ad/',
      '>',
      '/>',
      ' ',
      '\n',
      '\t',
      '\r\n',
      '|',
      '[',
      '［',
      ']',
      '/',
      '=',
    ],
    ...[
      'skill',
      'SKILL',
      'ｓｋｉｌｌ',
      'skills',
      'system',
      'system-reminder',
      'available-deferred-tools',
      'tool-routing-hints',
    ],
    ...['user', 'Human', 'tool_call', 'INST', 'im_start', 'name="x"', 'antml:', 'a < b', '\u{e0001}', 'é', '😀', '字'],
  )
  const bodies = fc.array(fc.oneof({ weight: 5, arbitrary: pieces }, fc.string({ unit: 'binary', maxLength: 5 })), {
    maxLength: 40,
  })

  it('cannot be written by any text, and neither can other parts of a prompt', () => {
    fc.assert(
      fc.property(bodies, (parts) => {
        const body = bodyOf(`---\nname: x\n---\n${parts.join('')}`)
        if ('fault' in body) throw new Error(body.fault)
        const seen = fencedSkill('x', '/mnt/skills/x/SKILL.md', body).normalize('NFKC')
        expect(seen.match(/<[\s/]{0,20}skills?(?![\w-])/gi)).toEqual(['<skill', '</skill'])
        expect(seen.startsWith('<skill name="x" path="/mnt/skills/x/SKILL.md">\n')).toBe(true)
        expect(seen.endsWith('\n</skill>')).toBe(true)
        expect(seen).not.toMatch(
          /<\/?(?:system|system-reminder|human|available-deferred-tools|tool-routing-hints|tool_call)[\s>/=]/i,
        )
        expect(seen).not.toMatch(/<\|[\w /]+\||<\/user>|\[\/?INST\]/i)
      }),
      { numRuns: 4000 },
    )
  })

  it.each([
    '<div class="x">',
    'a < b && c > d',
    'cat <<EOF > x',
    '<w:ins w:id="1">',
    '[TODO] [x](y)',
    '<skill-name>/SKILL.md',
    '<system32>',
  ])('leave other markup as it is: %s', (text) => expect(bodyOf(`---\n---\n${text}`)).toEqual({ text }))
})
