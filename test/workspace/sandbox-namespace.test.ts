// Commands in real sandboxes: what they see, what they can do, and what they cannot.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aThread, isSkipped, type Thread, textOf } from './sandbox-world.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
afterEach(() => rmSync(thread.top, { recursive: true, force: true }))

const seen = async (command: string): Promise<string> => textOf(await thread.run(command))

describe.skipIf(isSkipped)('a command in a sandbox (Debian package bubblewrap) [W3]', () => {
  it('works in the workspace of its thread, and what it writes there stays', async () => {
    writeFileSync(join(thread.workspace.cwd, 'in.txt'), 'from the host\n')
    const result = await thread.run('pwd; cat in.txt; echo kept > /mnt/user-data/outputs/out.txt')
    expect(textOf(result)).toBe('/mnt/user-data/workspace\nfrom the host\n')
    expect(result.end).toEqual({ kind: 'exited', code: 0 })
    expect(readFileSync(join(thread.workspace.userData, 'outputs/out.txt'), 'utf8')).toBe('kept\n')
  })

  it('gives output and errors in the order in which they were written, also to files named by /dev', async () => {
    const command =
      'echo 1; echo 2 >&2; echo 3 > /dev/stderr; echo 4 | tee /dev/stderr > /dev/null; ls /nowhere; exit 7'
    const result = await thread.run(command)
    expect(textOf(result)).toMatch(/^1\n2\n3\n4\nls: .*No such file or directory\n$/)
    expect(result.end).toEqual({ kind: 'exited', code: 7 })
  })

  it('has no input, and does not wait for any', async () => {
    expect(await seen('cat; read -r line; echo "<$line>"')).toBe('<>\n')
  })

  it.each([
    '/mnt/user-data/servers/x',
    '/mnt/acp-workspace/x',
    '/mnt/skills/pdf/x',
    '/mnt/x',
    '/mnt/user-data/x',
    '/usr/x',
    '/etc/x',
    '/dev/x',
    '/x',
  ])('cannot write %s', async (path) => {
    expect(await seen(`[ -d ${path.slice(0, -2) || '/'} ] && echo x > ${path}`)).toMatch(
      /Read-only file system|Permission denied/,
    )
  })

  it('reads the skills', async () => {
    expect(await seen('cat /mnt/skills/pdf/SKILL.md')).toBe('a skill')
  })

  it('sees nothing of the host but programs and what they need [G2]', async () => {
    expect(
      (await seen('ls /')).split('\n').filter((name) => !/^(bin|sbin|lib\w*|usr|etc|dev|proc|tmp|var|mnt)$/.test(name)),
    ).toEqual([''])
    expect(
      await seen(`ls ${thread.top} 2>&1 | head -c 300; ls -A /tmp /root /home 2>/dev/null; cat /etc/shadow`),
    ).toMatch(/^ls: cannot access .*\n\/tmp:\ncat: \/etc\/shadow: No such file or directory\n$/)
    expect(await seen('cut -d: -f1 /etc/passwd; cat /proc/sys/kernel/hostname')).toBe('user\nnobody\nsandbox\n')
  })

  it('has a user without rights, and cannot make a namespace in which it had some', async () => {
    expect(await seen('id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status')).toBe(
      '1000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n',
    )
    expect(await seen('unshare -U true || echo refused')).toContain('refused')
  })

  it('has the variables that it needs, and its first process tells none of ours and no folder of the host', async () => {
    process.env.TOOLGATE_TEST_SECRET = 'CANARY'
    try {
      const names = (await seen('env')).split('\n').map((line) => line.split('=')[0])
      expect(names.sort()).toEqual(
        ['', 'HOME', 'LANG', 'PATH', 'PWD', 'SHELL', 'SHLVL', 'TERM', 'TMPDIR', 'USER', '_'].sort(),
      )
      const found = async (text: string): Promise<string> => {
        // A pattern that does not find itself.
        const pattern = text.replace(/.$/, '[$&]')
        const all = `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'`
        return (await seen(`${all} | grep -c '${pattern}'`)).trim()
      }
      expect(Number(await found('HOME=/mnt/user-data/workspace'))).toBeGreaterThan(0)
      expect(await found('CANARY')).toBe('0')
      expect(await found(thread.top)).toBe('0')
    } finally {
      delete process.env.TOOLGATE_TEST_SECRET
    }
  })

  it('runs no file of the workspace that a shell would read when it starts', async () => {
    for (const name of ['.bashrc', '.profile', '.bash_profile', '.bash_login'])
      writeFileSync(join(thread.workspace.cwd, name), 'echo read; touch was-read; ulimit -f unlimited\n')
    expect(await seen('echo only this')).toBe('only this\n')
    expect(existsSync(join(thread.workspace.cwd, 'was-read'))).toBe(false)
  })

  it.skipIf(!['x64', 'arm64'].includes(process.arch))(
    'reaches neither the machine around a virtual one, nor the keys of the kernel, by calls that no namespace holds (x64, arm64)',
    async () => {
      // 40 is AF_VSOCK, 17 AF_PACKET; the other numbers are those of the system calls.
      const [socket, keyctl] = process.arch === 'x64' ? [41, 250] : [198, 219]
      const calls = [40, 17, 1, 2, 10, 16].map((family) => [socket, family, family === 16 ? 3 : 2])
      const words = [...calls, [keyctl, 0, 0], [425, 0, 0]].map(
        ([call, first, second]) =>
          `$! = 0; syscall(${call}, ${first}, ${second}, 0); print "${first} " . ($! + 0) . "\\n";`,
      )
      writeFileSync(join(thread.workspace.cwd, 'calls.pl'), words.join('\n'))
      expect(await seen('perl calls.pl')).toBe('40 97\n17 97\n1 0\n2 0\n10 0\n16 0\n0 1\n0 1\n')
    },
  )

  it('sees its own processes alone', async () => {
    expect((await seen('ls -d /proc/[0-9]* | wc -l')).trim()).toMatch(/^[2-6]$/)
    expect(await seen(`kill -0 ${process.pid} || echo refused`)).toContain('refused')
  })

  it('keeps nothing from one command to the next but files', async () => {
    await thread.run('export A=1; cd /tmp; echo x > /tmp/x; echo y > /dev/shm/y')
    expect(await seen('echo "<$A>"; pwd; ls -A /tmp /dev/shm')).toBe(
      '<>\n/mnt/user-data/workspace\n/dev/shm:\n\n/tmp:\n',
    )
  })

  it('goes through no link that stands where a folder of the thread should be', async () => {
    const { cwd } = thread.workspace
    const elsewhere = join(thread.top, 'elsewhere')
    mkdirSync(elsewhere)
    renameSync(cwd, `${cwd}-before`)
    symlinkSync(elsewhere, cwd)
    await expect(thread.run('echo x > x')).rejects.toMatchObject({ finding: { code: 'symlink-escape' } })
    expect(existsSync(join(elsewhere, 'x'))).toBe(false)
  })

  it('makes no file on the host that a link of its own leads to', async () => {
    const outside = join(thread.top, 'outside.txt')
    await thread.run(`ln -s ${outside} l; echo x > l; mkdir -p ${outside} 2>/dev/null`)
    expect(existsSync(outside)).toBe(false)
  })
})

describe.skipIf(isSkipped)('the network of a sandbox (Debian package bubblewrap)', () => {
  const fetching = async (network: boolean): Promise<{ readonly text: string; readonly reached: number }> => {
    let reached = 0
    const server = createServer((_request, response) => response.end('here'))
    server.on('connection', () => {
      reached += 1
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const command = `exec 5<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&5 && cat <&5`
      return { text: textOf(await thread.shell({ network }).run({ command, timeoutMs: 10_000 })), reached }
    } finally {
      server.close()
    }
  }

  it('is none, unless it is allowed', async () => {
    const closed = await fetching(false)
    expect(closed.text).toContain('Connection refused')
    const open = await fetching(true)
    expect(open.text).toContain('here')
    expect([closed.reached, open.reached]).toEqual([0, 1])
  })

  it('brings certificates, and never the keys that lie beside them', async () => {
    const listed = async (network: boolean): Promise<string> =>
      textOf(await thread.shell({ network }).run({ command: 'ls /etc/ssl', timeoutMs: 10_000 }))
    expect(await listed(false)).toContain('No such file')
    expect(await listed(true)).not.toContain('private')
    if (existsSync('/etc/ssl/certs')) expect(await listed(true)).toContain('certs')
  })
})

describe.skipIf(isSkipped)('programs that the operator names (Debian package bubblewrap)', () => {
  it('are found first, and cannot be changed', async () => {
    const programs = join(thread.top, 'own')
    mkdirSync(join(programs, 'bin'), { recursive: true })
    writeFileSync(join(programs, 'bin/ls'), '#!/bin/sh\necho another ls\n', { mode: 0o755 })
    const command = `ls; echo x > ${programs}/bin/x`
    const named = await thread.shell({ programs: [programs] }).run({ command, timeoutMs: 10_000 })
    expect(textOf(named)).toMatch(/^another ls\n.*Read-only file system/)
    expect(await seen(`${programs}/bin/ls`)).toContain('No such file')
  })

  it('that are not there fail the command before it begins', async () => {
    const shell = thread.shell({ programs: [join(thread.top, 'missing')] })
    await expect(shell.run({ command: 'echo x > x', timeoutMs: 10_000 })).rejects.toMatchObject({
      finding: { code: 'sandbox-failed', message: expect.stringContaining('missing') },
    })
    expect(existsSync(join(thread.workspace.cwd, 'x'))).toBe(false)
  })
})

describe('what is no command', () => {
  it.each([
    ['a zero byte', 'echo \0', /zero byte/],
    ['more than the system takes', `echo ${'é'.repeat(70_000)}`, /over 131071 bytes/],
  ])('is refused before anything starts: %s', async (_what, command, words) => {
    await expect(thread.run(command)).rejects.toMatchObject({
      finding: { code: 'arguments-invalid', message: expect.stringMatching(words) },
    })
  })

  it('says what is missing where there is no bubblewrap', async () => {
    const path = process.env.PATH
    process.env.PATH = '/nowhere'
    try {
      await expect(thread.run('true')).rejects.toMatchObject({
        finding: { code: 'sandbox-failed', message: expect.stringContaining('bwrap') },
      })
    } finally {
      process.env.PATH = path
    }
    expect(statSync(thread.workspace.cwd).isDirectory()).toBe(true)
  })
})
