import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentView } from '../../src/acp/agent-view.ts'
import { hostArguments } from '../../src/workspace/mapping/map-arguments.ts'
import { virtualText } from '../../src/workspace/mapping/rewrite-result.ts'
import { scripted, withFiles } from './acp-world.ts'

describe('paths between the model and an external agent [M3, W1]', () => {
  it('in a prompt: its own folder by its name on the host, files of the thread by no other than their own', async () => {
    const { workspace, folder } = await scripted([])
    const view = agentView({ workspace, privateRoots: [], openRoots: [] })
    const mapped = (prompt: string) => hostArguments({ prompt }, view).prompt
    expect(mapped('Read /mnt/acp-workspace/plan.md first.')).toBe(`Read ${folder}/plan.md first.`)
    expect(mapped('See /mnt/user-data/workspace/a.md')).toBe('See /mnt/user-data/workspace/a.md')
  })

  it('in what it says: virtual where they are of the thread, nothing of the host else', async () => {
    const { workspace, folder } = await scripted([])
    withFiles(folder, { 'shot.png': '' })
    const threads = join(workspace.userData, '../../..')
    const view = agentView({ workspace, privateRoots: [threads], openRoots: [] })
    const said = `Wrote ${folder}/a/b.md and [it](./shot.png), read ${workspace.cwd}/n.md and ${threads}/eve/x`
    expect(virtualText(said, view)).toBe(
      'Wrote /mnt/acp-workspace/a/b.md and [it](/mnt/acp-workspace/shot.png), read /mnt/user-data/workspace/n.md and [path outside the workspace]',
    )
  })
})
