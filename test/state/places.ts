// Where tests of stores keep their files.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore } from '../../src/state/state-store.ts'

/** An empty folder that is gone after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The store in `state.db` of a folder, closed after the test. */
export async function aStore(folder: string): Promise<StateStore> {
  const store = await openState('sqlite:state.db', { folder })
  onTestFinished(() => store.close())
  return store
}
