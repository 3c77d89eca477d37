// A real agent over the real protocol: the Gemini command line with `--acp`, and a stand-in for its model service. It is
// no dependency of this package, for it is larger than all of them together: it runs where TOOLGATE_GEMINI_CLI names it,
// as the folder of the package @google/gemini-cli or as its program.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { AcpQuestion } from '../../src/acp/permission-answer.ts'
import { runAcpAgent } from '../../src/acp/run-acp-agent.ts'
import { freshFolder } from '../sources/scripted.ts'
import { agentConfig, scripted, turnOf } from './acp-world.ts'
import { type FakeGemini, fakeGemini, type ModelTurn } from './fake-gemini.ts'

const named = process.env.TOOLGATE_GEMINI_CLI
const isSkipped = named === undefined && process.env.TOOLGATE_NO_SKIP !== '1'

const opened: FakeGemini[] = []
afterEach(async () => {
  for (const fake of opened.splice(0)) await fake.close()
})

function programOf(path: string | undefined): string {
  if (path === undefined) throw new Error('set TOOLGATE_GEMINI_CLI to the folder of the package @google/gemini-cli')
  if (!statSync(path).isDirectory()) return path
  const { bin } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return join(path, typeof bin === 'string' ? bin : bin.gemini)
}

/** The agent in a thread, with a home of its own and a model that says these turns. */
async function gemini(turns: readonly ModelTurn[]) {
  const fake = await fakeGemini(turns)
  opened.push(fake)
  const home = freshFolder()
  mkdirSync(join(home, '.gemini'))
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
  }
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings))
  const { workspace, folder } = await scripted([])
  const agent = agentConfig({
    name: 'gemini',
    args: [programOf(named), '--acp'],
    env: { HOME: home, USERPROFILE: home, GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: fake.url },
    startTimeoutMs: 120_000,
    turnTimeoutMs: 120_000,
  })
  return { agent, workspace, folder, fake }
}

describe.skipIf(isSkipped)('the agent @google/gemini-cli (TOOLGATE_GEMINI_CLI)', () => {
  it('answers a prompt in pieces, in order [S5]', async () => {
    const { agent, workspace, fake } = await gemini([{ texts: ['Two and ', 'two ', 'is four.'] }])
    const turn = turnOf(await runAcpAgent({ agent, prompt: 'What is two and two?', workspace }))
    expect(turn.structure, JSON.stringify(fake.asked.paths)).toMatchObject({
      status: 'answered',
      stopReason: 'end_turn',
    })
    expect(turn.text).toBe('Two and two is four.')
    expect(fake.asked.bodies[0]).toContain('What is two and two?')
  }, 300_000)

  it.each([
    [true, 'Written.'],
    [false, 'I may not.'],
  ])(
    'asks before it writes a file of its folder, and holds to what the person says: %s [S5, W1]',
    async (allowed, last) => {
      const { agent, workspace, folder, fake } = await gemini([
        { texts: ['I write it.'], call: { name: 'write_file', args: { file_path: 'notes.md', content: 'four\n' } } },
        { texts: [last] },
      ])
      const asked: AcpQuestion[] = []
      const ask = async (question: AcpQuestion): Promise<boolean> => {
        asked.push(question)
        return allowed
      }
      const turn = turnOf(await runAcpAgent({ agent, prompt: 'Write it down.', workspace, ask }))
      expect(turn.structure, JSON.stringify([turn, fake.asked.paths])).toMatchObject({
        status: 'answered',
        text: `I write it.\n\n${last}`,
        denied: allowed ? [] : ['Writing to notes.md'],
      })
      expect(asked).toMatchObject([{ agent: 'gemini', title: 'Writing to notes.md', kind: 'edit' }])
      const file = join(folder, 'notes.md')
      expect(existsSync(file) ? readFileSync(file, 'utf8') : 'none').toBe(allowed ? 'four\n' : 'none')
    },
    300_000,
  )
})
