import { finding, ToolgateError } from '../errors.ts'

export const lockFileDefault = 'toolgate.lock.json'

/** What `read` gives for a file that a person named. Throws a ToolgateError `config-not-found` or `config-unreadable`. */
export async function readableFile(file: string, read: (path: string) => Promise<string>): Promise<string> {
  try {
    return await read(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const missing = code === 'ENOENT'
    throw new ToolgateError(
      finding(
        missing ? 'config-not-found' : 'config-unreadable',
        'error',
        missing ? `there is no file ${file}` : `${file} cannot be read (${code ?? 'unknown error'})`,
        {
          subject: file,
          origin: { in: file },
        },
      ),
    )
  }
}
