import { createInterface } from 'node:readline'
import type { Interrupt } from './interrupt.ts'

export interface AskLine<T> {
  readonly stop: Interrupt
  /** What a line means, trimmed. Undefined: nothing, and it is asked again. */
  readonly read: (line: string) => T | undefined
}

/** What the person types, once it means something. Undefined: the input ended, or the program is interrupted. */
export function askLine<T>(question: string, { stop, read }: AskLine<T>): Promise<T | undefined> {
  // One for all tries: what is typed ahead of a question would be lost with its reader.
  const input = createInterface({ input: process.stdin, output: process.stderr, prompt: question })
  return new Promise((resolve) => {
    let isOver = false
    const end = (found: T | undefined): void => {
      if (isOver) return
      isOver = true
      stop.signal.removeEventListener('abort', leave)
      input.close()
      resolve(found)
    }
    const leave = (): void => {
      if (!isOver) process.stderr.write('\n')
      end(undefined)
    }
    // While it reads, the terminal sends the key and no signal.
    input.on('SIGINT', stop.now)
    input.on('close', leave)
    input.on('line', (line) => {
      if (isOver) return
      const found = read(line.trim())
      if (found === undefined) input.prompt()
      else end(found)
    })
    stop.signal.addEventListener('abort', leave)
    if (stop.signal.aborted) leave()
    else input.prompt()
  })
}
