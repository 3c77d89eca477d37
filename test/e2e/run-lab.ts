// A small project for `toolgate run`: a server of three tools (one denied, one that asks a person), and a script in the
// place of its model.

import { existsSync } from 'node:fs'
import type { Script } from '../../src/testing/scripted-model/index.ts'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import { listed, type Project, project, scripted } from './project.ts'

export const shelf: ServerPlan = {
  pages: [{ tools: [listed('find'), listed('burn'), listed('lend')] }],
  calls: { find: { text: 'on the third shelf' }, lend: { text: 'lent' } },
}

export const configOf = (plan: ServerPlan, model = ''): string => `version: 1
models: [{ name: main, can: [tools]${model} }]
mcp_servers: { shelf: ${scripted(plan)} }
permissions: { deny: [shelf/burn], ask: [shelf/lend] }
agents: { clerk: { description: lends books } }
`

/** A project with a server of three tools, and a script for its model. */
export function lab(script?: Script, plan: ServerPlan = shelf): Project {
  const made = project()
  made.write('toolgate.yaml', configOf({ record: made.path('record.jsonl'), ...plan }))
  if (script !== undefined) made.write('script.json', JSON.stringify(script))
  return made
}

export const scriptFlag = ['--model', 'script:script.json']
export const calledOn = (made: Project): readonly unknown[] =>
  (existsSync(made.path('record.jsonl')) ? made.read('record.jsonl').trim().split('\n') : [])
    .map((line) => JSON.parse(line) as ReceivedMessage)
    .filter(({ method }) => method === 'tools/call')
    .map(({ params }) => (params as { readonly name?: unknown }).name)

export const lending: Script = {
  turns: [
    {
      user: 'Lend me the book',
      steps: [
        { say: 'I lend it.', call: [{ tool: 'shelf__lend', args: { text: 'Moby Dick' } }] },
        { say: 'That is done.' },
      ],
    },
    { user: 'And again', steps: [{ call: [{ tool: 'shelf__lend', args: { text: 'Emma' } }] }, { say: 'Done again.' }] },
  ],
}
export const lend = ['run', 'Lend me the book', '--thread', 't', ...scriptFlag]
