import { describe, expect, it } from 'vitest'
import { finding, ToolgateError } from '../../src/errors.ts'
import { systemError } from '../../src/workspace/path-error.ts'

const said = (code: string) =>
  systemError(Object.assign(new Error(`${code}: open '/host/secret'`), { code }), '/mnt/x', 'written').finding

describe('what the system says of a file [W2]', () => {
  it.each([
    ['ENOSPC', 'file-io', '/mnt/x cannot be written: there is no space left on the disk (ENOSPC)'],
    ['EACCES', 'file-io', '/mnt/x cannot be written: there is no permission (EACCES)'],
    ['EWEIRD', 'file-io', '/mnt/x cannot be written: the system refused it (EWEIRD)'],
    ['ENOENT', 'path-not-found', '/mnt/x is not there'],
    ['ENOTDIR', 'not-a-folder', '/mnt/x is a file and no folder'],
    ['EISDIR', 'is-a-folder', '/mnt/x is a folder'],
    ['ELOOP', 'symlink-escape', '/mnt/x is a link; links are not followed'],
    ['ENXIO', 'special-file', '/mnt/x is a pipe, socket or device'],
    ['EEXIST', 'path-exists', '/mnt/x is there already'],
    ['ENAMETOOLONG', 'path-too-long', '/mnt/x is too long for the system'],
  ])('%s is %s', (code, ours, message) => {
    expect(said(code)).toMatchObject({ code: ours, message, subject: '/mnt/x' })
  })

  it('is told without the path of the host, whatever was thrown', () => {
    for (const error of [new Error('/host/secret'), '/host/secret', undefined])
      expect(JSON.stringify(systemError(error, '/mnt/x', 'read').finding)).not.toContain('/host')
  })

  it('leaves an error of ours as it is', () => {
    const own = new ToolgateError(finding('hardlink', 'error', 'x'))
    expect(systemError(own, '/mnt/x', 'read')).toBe(own)
  })
})
