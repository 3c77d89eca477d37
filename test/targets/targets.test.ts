import { describe, expect, it } from 'vitest'
import { profileNamed } from '../../src/targets/schema/profiles.ts'
import type { Figure } from '../../src/targets/target.ts'
import { commonTarget, targetNamed, targetNames, targets } from '../../src/targets/targets.ts'
import { targetsPage } from './targets-page.ts'

describe('the table of targets [G10]', () => {
  it('has the names that configurations use', () => {
    expect(targetNames).toEqual([
      'common',
      'openai',
      'openai-strict',
      'anthropic',
      'gemini',
      'bedrock',
      'mistral',
      'ollama',
      'cursor',
      'vscode',
      'windsurf',
      'zed',
      'claude-code',
      'claude-desktop',
      'codex',
      'gemini-cli',
    ])
  })

  it('gives the facts of a target by name, and nothing for a name that is not in it', () => {
    expect(targetNamed('openai')).toEqual({
      name: 'openai',
      nameMax: 64,
      nameCharset: 'word-dash',
      nameStartsWithLetter: false,
      toolsMax: 128,
      descriptionMax: 1024,
      descriptionRequired: false,
      schemaProfile: 'openai',
    })
    for (const name of ['OpenAI', '', 'constructor', '__proto__']) expect(targetNamed(name)).toBeUndefined()
  })

  it('takes as common what nearly every receiver takes, without a cap', () => {
    expect(commonTarget).toEqual({
      name: 'common',
      nameMax: 64,
      nameCharset: 'word-dash',
      nameStartsWithLetter: false,
      descriptionRequired: true,
      schemaProfile: 'common',
    })
  })

  it.each(targets)(
    '$name: names a profile that exists, and a source for every figure that is confirmed',
    ({ figures }) => {
      expect(profileNamed(figures.schemaProfile[0])).toBeDefined()
      for (const [name, figure] of Object.entries(figures)) {
        const [, certainty, source] = figure as Figure<unknown>
        expect(certainty === 'U' || source.length > 3, name).toBe(true)
      }
    },
  )

  it('never gives a client a longer name than the common one', () => {
    for (const { name, kind, figures } of targets) {
      if (kind === 'client') expect(figures.nameMax[0], name).toBeLessThanOrEqual(commonTarget.nameMax)
    }
  })

  it('is what docs/targets.md shows', async () => {
    await expect(targetsPage()).toMatchFileSnapshot('../../docs/targets.md')
  })
})
