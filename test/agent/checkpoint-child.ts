// A process that is killed in the middle of a step: checkpoint-child.ts FOLDER LOG. It kills itself when two of three
// nodes are done, and what they gave is written.

import { checkpointSaver } from '../../src/agent/langchain/checkpoint-saver.ts'
import { openState } from '../../src/state/open-state.ts'
import { at, owner, threeSteps } from './checkpoint-steps.ts'

const [, , folder = '', log = ''] = process.argv
const state = openState('sqlite:state.db', { folder })
const saver = checkpointSaver(() => state, { owner })

const secondIsKept = new Promise<void>((resolve) => {
  const putWrites = saver.putWrites.bind(saver)
  saver.putWrites = async (config, writes, taskId, taskPath) => {
    await putWrites(config, writes, taskId, taskPath)
    if (writes.some(([, value]) => JSON.stringify(value) === '["second"]')) resolve()
  }
})
const graph = threeSteps(saver, log, async () => {
  await secondIsKept
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
})
await graph.invoke({ done: ['input'] }, at)
