// Every command, in the order of the help page. One file each, loaded when it is called.

import type { Command } from '../command.ts'

export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['tools', async () => (await import('./tools.ts')).tools],
  ['why', async () => (await import('./why.ts')).why],
  ['show', async () => (await import('./show.ts')).show],
  ['search', async () => (await import('./search.ts')).search],
  ['route', async () => (await import('./route.ts')).route],
  ['diff', async () => (await import('./diff.ts')).diff],
  ['check', async () => (await import('./check.ts')).check],
  ['tool-pool', async () => (await import('./tool-pool.ts')).toolPool],
  ['bootstrap', async () => (await import('./bootstrap.ts')).bootstrap],
  ['servers', async () => (await import('./servers.ts')).servers],
  ['call', async () => (await import('./call.ts')).call],
  ['run', async () => (await import('./run.ts')).run],
  ['threads', async () => (await import('./threads.ts')).threads],
  ['serve', async () => (await import('./serve.ts')).serve],
  ['login', async () => (await import('./login.ts')).login],
  ['pin', async () => (await import('./pin.ts')).pin],
  ['lock', async () => (await import('./lock.ts')).lock],
  ['snapshot', async () => (await import('./snapshot.ts')).snapshot],
  ['replay', async () => (await import('./replay.ts')).replay],
])
