import { writeFile } from 'node:fs/promises'
import { finding, ToolgateError } from '../errors.ts'

/** Writes a file that a person named with `--out`. Throws a ToolgateError `output-unwritable`. */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ToolgateError(
      finding('output-unwritable', 'error', `${file} cannot be written (${code ?? 'unknown error'})`, {
        subject: file,
        hint: 'name a file in a folder that is there and may be written with --out',
        origin: { in: 'command line', key: '--out' },
      }),
    )
  }
}
