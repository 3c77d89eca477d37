// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the forms of variables under test

import { describe, expect, it } from 'vitest'
import { commandFault } from '../../src/config/command-fault.ts'
import { envFault } from '../../src/config/env-fault.ts'
import { urlFault } from '../../src/config/url-fault.ts'

describe('urlFault', () => {
  it.each([
    'https://tools.example/mcp',
    'https://tools.example:8443/mcp?a=b#c',
    'http://localhost:3000/mcp',
    'http://app.localhost/mcp',
    'http://127.0.0.1:1/',
    'http://127.9.9.9/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]/',
    'https://[2001:db8::1]/mcp',
    'https://169.253.1.1/',
    'https://metadata.example/',
    'https://例え.jp/',
  ])('takes %s', (url) => {
    expect(urlFault(url, false)).toBeUndefined()
  })

  it.each([
    ['javascript:fetch(1)', 'only http'],
    ['file:///etc/passwd', 'only http'],
    ['ftp://a.example/', 'only http'],
    ['user:pass@a.example', 'only http'],
    ['tools.example/mcp', 'cannot be read'],
    ['', 'cannot be read'],
    ['https://', 'cannot be read'],
    ['https://a.example/ b', 'blank'],
    ['https://a.example/\nHost: b', 'control'],
    ['https://user:pass@tools.example/', 'user or password'],
    ['https://token@tools.example/', 'user or password'],
    ['http://tools.example/mcp', 'plain http'],
    ['http://0.0.0.0/', 'plain http'],
    ['http://localhost.example/', 'plain http'],
    ['http://127.0.0.1.example/', 'plain http'],
  ])('refuses %s', (url, words) => {
    expect(urlFault(url, false)).toContain(words)
  })

  it.each([
    'http://169.254.169.254/latest',
    'https://169.254.0.1/',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[febf::1]/',
    'http://[fd00:ec2::254]/',
    'http://[FD00:0EC2:0:0::254]/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://instance-data.ec2.internal/',
    'http://１６９.254.169.254/',
  ])('knows %s for an address of link or cloud, however it is written, and however plain http is meant', (url) => {
    expect(urlFault(url, false)).toContain('metadata')
    expect(urlFault(url, true)).toContain('metadata')
  })

  it('takes plain http to another machine when the operator says so', () => {
    expect(urlFault('http://tools.example/mcp', true)).toBeUndefined()
  })

  it('never repeats the URL', () => {
    for (const url of [
      'https://u:hunter22@a.example',
      'hunter22:x',
      'http://hunter22.example',
      'https://a.example/hunter22 x',
    ]) {
      expect(urlFault(url, false)).not.toContain('hunter22')
    }
  })
})

describe('envFault', () => {
  it.each([
    'LD_PRELOAD',
    'LD_AUDIT',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'DYLD_ANYTHING',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONSTARTUP',
    'PYTHONPATH',
    'PYTHONHOME',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'BASH_ENV',
    'BASH_FUNC_ls%%',
    'DOTNET_STARTUP_HOOKS',
    'npm_config_node_options',
    'node_options',
    'Ld_Preload',
  ])('refuses %s with a reason', (name) => {
    expect(envFault(name)).toMatch(/^[^\n]{10,}$/)
  })

  it.each([
    'PATH',
    'HOME',
    'TOKEN',
    'NODE_ENV',
    'LD',
    'ENV',
    'ENVIRONMENT',
    'MY_LD_PRELOAD',
    'constructor',
    '__proto__',
    'PYTHONUNBUFFERED',
  ])('takes %s', (name) => {
    expect(envFault(name)).toBeUndefined()
  })
})

describe('commandFault', () => {
  const files = new Set(['C:\\Program Files\\node\\node.exe', '/opt/my tools/run', './R&D/server'])
  const isFile = (path: string) => files.has(path)

  it.each(['node', 'npx', '/usr/bin/env', './server.sh', 'C:\\node\\node.exe', 'python3.12', 'my-server', ...files])(
    'takes %s',
    (command) => {
      expect(commandFault(command, isFile)).toBeUndefined()
    },
  )

  it.each([
    'node -e 1; touch pwned',
    'npx -y @scope/pkg',
    'a|b',
    'a&&b',
    'a>b',
    '$(touch pwned)',
    '`touch pwned`',
    'a;b',
    '"node"',
    'node\n-e',
    'node\u0000',
    '',
    '  ',
    'sh -c "x"',
    '/opt/no such/file',
    'a\u2028b',
    '*',
    '${HOME}/x',
  ])('refuses %j', (command) => {
    expect(commandFault(command, isFile)).toMatch(/^[^\n]{10,}$/)
  })
})
