// Kind `output-text`: a text as the result of a call, seen by the agent, on a terminal and in a document.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { redactor } from '../../src/config/redact.ts'
import { printable } from '../../src/core/printable.ts'
import { terminalText } from '../../src/report/call-text.ts'
import { composed } from '../../src/runtime/compose.ts'
import type { CallContext } from '../../src/runtime/middleware.ts'
import { paths } from '../../src/runtime/middlewares/paths.ts'
import { secrets } from '../../src/runtime/middlewares/secrets.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { canary, misses } from './expected.ts'
import { aCallOf } from './tool-calls.ts'
import { inWorld, type World } from './world.ts'

export const outputText: Kind = {
  kind: 'output-text',
  run: (one, dataDir) => inWorld((world) => fed(one, String(entryOf(one, dataDir).text), world)),
}

/** The configured secret that some texts hold. */
const secret = 'CANARY-TOKEN-abcdefghijklmnop'

async function fed(one: HostileCase, template: string, world: World): Promise<string[]> {
  const threadsFolder = join(world.state, 'threads')
  const open = (thread: string) => openWorkspace({ threadsFolder, owner: { user: 'u1', thread }, skillsFolders: [] })
  const workspace = await open('t1')
  const other = await open('t2')
  const outside = join(world.root, 'outside')
  mkdirSync(outside)
  const text = template
    .replaceAll('$ROOT', workspace.userData)
    .replaceAll('$OTHERROOT', other.userData)
    .replaceAll('$OUTSIDE', outside)

  const view = { workspace, openRoots: [], privateRoots: [threadsFolder, world.root] }
  const context = { viewOf: () => view, redacted: redactor([secret]) } as unknown as CallContext
  const call = aCallOf('read')
  const answer = async () => ({ kind: 'result' as const, content: [{ type: 'text', text }], isError: false })
  const outcome = await composed(answer, context, [secrets, paths])(call)
  if (outcome.kind !== 'result') return [`the call gave no result: ${outcome.message}`]
  const seen = String(outcome.content[0]?.text)
  const out = misses(one, {
    outcome: seen === text ? 'accept' : 'sanitize',
    errors: [],
    told: [],
    shown: [seen],
  })
  const { to, yields, invariants = [], outcome: wanted } = one.expect
  if (wanted === 'sanitize' && typeof to === 'string' && seen !== text && seen !== to)
    out.push(`it reads ${printable(seen, 200)}, not ${printable(to, 200)}`)
  // A path in an address of another machine is that machine's, whatever it looks like.
  const isAddress = yields?.unchanged_host !== undefined
  for (const host of isAddress ? [] : [workspace.userData, other.userData, outside])
    if (seen.includes(host)) out.push(`a folder of the host is shown: ${printable(seen, 200)}`)
  if (typeof yields?.unchanged_host === 'string' && !seen.startsWith(yields.unchanged_host))
    out.push(`the host of the address changed: ${printable(seen, 200)}`)
  return [...out, ...invariants.flatMap((invariant) => broken(invariant, seen, text))]
}

function broken(invariant: string, seen: string, text: string): string[] {
  switch (invariant) {
    case 'no-canary':
      return canary.test(seen) ? ['the secret is shown'] : []
    case 'no-canary-b64':
      return seen.includes(Buffer.from(secret).toString('base64').slice(0, 20)) ? ['the secret is shown in base64'] : []
    case 'single-line-error':
    case 'page-inert':
      // A page makes text nodes of it; a terminal is the one place where bytes command.
      return unprintable.test(terminalText(seen)) ? ['it commands the terminal'] : []
    case 'prompt-intact':
      // The agent gets the block whole: nothing of it is put into a prompt that we write.
      return seen === text ? [] : ['the block is not what the tool gave']
  }
  return [`the runner knows no invariant "${invariant}"`]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
