/** What runs or waits for one file, by its host path. */
const waiting = new Map<string, Promise<unknown>>()

/**
 * Runs the work on one file after all work that asked before for the same file: an edit reads and then writes, and
 * two at once would lose one of them. Processes of their own are not kept apart.
 */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(file) ?? Promise.resolve()
  const own = before.then(work, work)
  const settled = own.catch(() => {})
  waiting.set(file, settled)
  try {
    return await own
  } finally {
    if (waiting.get(file) === settled) waiting.delete(file)
  }
}
