import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/core/decision.ts'
import { defineGate, excludes, type Gate } from '../../src/core/gate.ts'
import { settlingStep, stepChanges, stepWords } from '../../src/report/words.ts'
import { aDesk, deskGates } from './desk.ts'

const run = aDesk()
const decision = run.surface.named('files__move_file')[0]
if (decision === undefined) throw new Error('the desk has no move_file')
const step = (code: string, evidence: Step['evidence'], gate = 'tool-groups'): Step => ({
  gate,
  code,
  effect: 'exclude',
  evidence,
})

describe('stepWords [U5]', () => {
  it('gives sentence and hint in English', () => {
    expect(stepWords(step('group-not-asked', { group: 'web' }), decision, deskGates, 'en')).toEqual({
      say: 'the agent does not ask for group "web"',
      hint: 'add "web" to the agent\'s groups',
    })
  })

  it('gives sentence and hint in Chinese', () => {
    expect(stepWords(step('group-not-asked', { group: 'web' }), decision, deskGates, 'zh')).toEqual({
      say: '智能体未申请分组 "web"',
      hint: '将 "web" 加入该智能体的 groups',
    })
  })

  it('leaves the hint out where nothing was taken away', () => {
    expect(stepWords(step('group-asked', { group: 'web' }), decision, deskGates, 'en')).toEqual({
      say: 'the agent asks for group "web"',
    })
  })

  it.each(['en', 'zh'] as const)('knows the words of a gate that failed, whichever gate it was (%s)', (lang) => {
    const words = stepWords(step('gate-failed', { error: 'boom' }, 'a-gate-of-yours'), decision, [], lang)
    expect(words.say).toContain('boom')
    expect(words.hint).toBeDefined()
  })

  it.each([
    ['a code that the gate does not have', step('no-such-code', {})],
    ['a gate that is not at hand', step('group-asked', { group: 'web' }, 'other')],
    ['a key of the prototype', step('constructor', {})],
  ])('says the code itself for %s', (_case, unknown) => {
    expect(stepWords(unknown, decision, deskGates, 'en')).toEqual({ say: unknown.code })
  })

  it('says the code where the words fail on the evidence', () => {
    const brittle: Gate = defineGate({
      id: 'brittle',
      asks: { en: 'Well?', zh: '如何？' },
      reasons: {
        listed: excludes<{ readonly names: readonly string[] }>({
          say: { en: (e) => e.names.join(), zh: (e) => e.names.join() },
          hint: { en: () => 'mend it', zh: () => '修复' },
        }),
      },
      open: (_facts, _standing, because) => () => because('listed', { names: [] }),
    })
    expect(stepWords(step('listed', {}, 'brittle'), decision, [brittle], 'en')).toEqual({ say: 'listed' })
  })

  it('lets no control character of a stranger through', () => {
    const { say } = stepWords(step('group-asked', { group: 'a\u001b[31m\nb' }), decision, deskGates, 'en')
    expect(say).toBe('the agent asks for group "a\\u001b[31m\\u000ab"')
  })
})

describe('settlingStep', () => {
  it('is the excluding step of an excluded tool', () => {
    expect(settlingStep(decision)).toBe(decision.steps.at(-1))
  })

  it('is the deferring step of a deferred tool, though others come after or before', () => {
    const deferred = run.surface.find('mail__search_mail')
    expect(deferred && settlingStep(deferred)?.gate).toBe('deferral')
  })
})

describe('stepChanges', () => {
  it('is empty for a code that has none', () => {
    expect(stepChanges(step('group-asked', { group: 'web' }), decision, deskGates, run.surface.facts)).toEqual([])
  })
})
