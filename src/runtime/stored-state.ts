// The stored state of a configuration in service: opened when something is first asked of it, and closed with the
// program. Counts of calls are kept back and written together: they decide nothing while this program runs.

import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { stateFolderOf } from '../assembly/prepare-run.ts'
import type { Config } from '../config/config.ts'
import { openState } from '../state/open-state.ts'
import type { StateStore, ToolUse } from '../state/state-store.ts'

export interface StoredState {
  /** Rejects with a ToolgateError when it cannot be opened; the next call tries again. */
  readonly store: () => Promise<StateStore>
  /** Notes a call of a tool, by identity. */
  readonly count: (agent: string, id: string) => void
  /** What an agent called most in earlier programs: the same answer as long as this one runs. `[]`: nothing is known. */
  readonly mostUsed: (agent: string) => Promise<readonly ToolUse[]>
  /** Writes what was counted, and closes. Safe to call again. */
  readonly close: () => Promise<void>
}

export interface StoredStateInput {
  readonly config: Config
  /** Absolute; where the state is, when that is not where the configuration says. */
  readonly stateFolder: string
  /** One line about what went wrong. */
  readonly tell: (line: string) => void
}

/** Tools of one agent whose use is looked at. */
const usedMax = 500
const writeEveryMs = 30_000

export function storedState({ config, stateFolder, tell }: StoredStateInput): StoredState {
  const url = stateUrlIn(config, stateFolder)
  const counts = new Map<string, Map<string, number>>()
  const used = new Map<string, Promise<readonly ToolUse[]>>()
  let opened: Promise<StateStore> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const store = (): Promise<StateStore> => {
    opened ??= openState(url, { folder: config.folder }).then(
      (state) => {
        for (const { message, hint } of state.findings) tell(hint === undefined ? message : `${message}; ${hint}`)
        return state
      },
      (error: unknown) => {
        opened = undefined
        throw error
      },
    )
    return opened
  }
  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const due = [...counts].flatMap(([agent, ids]) => [...ids].map(([id, calls]) => ({ agent, id, calls })))
    counts.clear()
    if (due.length === 0) return
    try {
      const { use } = await store()
      for (const { agent, id, calls } of due) for (let call = 0; call < calls; call += 1) await use.count(agent, id)
    } catch (error) {
      tell(`how often tools were called was not kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return {
    store,
    count: (agent, id) => {
      if (isClosed) return
      const ids = counts.get(agent) ?? new Map<string, number>()
      counts.set(agent, ids.set(id, (ids.get(id) ?? 0) + 1))
      timer ??= setTimeout(() => void write(), writeEveryMs).unref()
    },
    mostUsed: (agent) => {
      const known = used.get(agent)
      if (known !== undefined) return known
      const asked = usedIn(url, config.folder, store, agent).catch((error: unknown) => {
        tell(`how often tools were called is not known: ${error instanceof Error ? error.message : String(error)}`)
        return []
      })
      used.set(agent, asked)
      return asked
    },
    close: async () => {
      isClosed = true
      await write()
      const state = await opened?.catch(() => undefined)
      await state?.close()
    },
  }
}

/** Where nothing was ever stored, nothing is opened. */
async function usedIn(
  url: string,
  folder: string,
  store: () => Promise<StateStore>,
  agent: string,
): Promise<readonly ToolUse[]> {
  const path = fileIn(url)
  if (path !== undefined && !existsSync(isAbsolute(path) ? path : join(folder, path))) return []
  return (await store()).use.most(agent, usedMax)
}

const fileIn = (url: string): string | undefined => /^sqlite:([^:].*)$/s.exec(url)?.[1]

/** The address in another folder of state, where a caller has one of its own. */
function stateUrlIn(config: Config, stateFolder: string): string {
  const path = fileIn(config.state.url)
  if (path === undefined || stateFolder === stateFolderOf(config)) return config.state.url
  return `sqlite:${join(stateFolder, basename(path) || basename(dirname(path)))}`
}
