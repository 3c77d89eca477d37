import { createInterface } from 'node:readline/promises'
import type { Interrupt } from './interrupt.ts'

/** One line that the person types, trimmed. Undefined: the input ended, or the program is interrupted. */
export async function askLine(question: string, stop: Interrupt): Promise<string | undefined> {
  const line = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new AbortController()
  // While it reads, the terminal sends the key and no signal.
  line.on('SIGINT', stop.now)
  line.on('close', () => ended.abort())
  try {
    return (await line.question(question, { signal: AbortSignal.any([stop.signal, ended.signal]) })).trim()
  } catch {
    process.stderr.write('\n')
    return undefined
  } finally {
    line.close()
  }
}
