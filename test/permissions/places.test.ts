import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allows, denies, open } from './a-rule.ts'

describe('paths', () => {
  it.each([
    ['read_file(path:/etc/**)', '/etc/passwd', true],
    ['read_file(path:/etc/**)', '/etc', true],
    ['read_file(path:/etc/**)', '//etc/./x/../passwd', true],
    ['read_file(path:/etc/**)', '../../../etc/passwd', true],
    ['read_file(path:/etc/**)', '/mnt/user-data/workspace/../../../../etc/passwd', true],
    ['read_file(path:/etc/**)', '\\etc\\passwd', true],
    ['read_file(path:/etc/**)', 'file:///etc/passwd', true],
    ['read_file(path:/etc/**)', 'file://localhost/%65tc/passwd', true],
    ['read_file(path:/etc/**)', '/etcetera', false],
    ['read_file(path:/etc/**)', '/srv/etc/passwd', false],
    ['read_file(path:/etc/)', '/etc/passwd', true],
    ['read_file(path:/etc/*.conf)', '/etc/a.conf', true],
    ['read_file(path:/etc/*.conf)', '/etc/a/b.conf', false],
    ['read_file(path:/etc/**/*.conf)', '/etc/a/b.conf', true],
    ['read_file(path:/etc/**/*.conf)', '/etc/b.conf', true],
    ['read_file(path:/k?y)', '/key', true],
    ['read_file(/etc:*)', '/etc/passwd', true],
    ['read_file(/etc:*)', '/etcetera', false],
    ['read_file(secrets/**)', 'secrets/a', true],
    ['read_file(secrets/**)', '/mnt/user-data/workspace/secrets/a', true],
    ['read_file(secrets/**)', '/elsewhere/deep/secrets/a', true],
    ['read_file(./secrets/**)', 'x/../secrets/a', true],
    ['read_file(./secrets/**)', 'secretsX/a', false],
    ['read_file(*.pem)', 'deep/down/key.pem', true],
    ['read_file(path:/ETC/**)', '/etc/passwd', false],
  ])('deny %s on %s: %s', (rule, path, expected) => {
    expect(denies(rule, { path })).toBe(expected)
  })

  it.each([
    ['w(path:/mnt/user-data/**)', '/mnt/user-data/a/b', true],
    ['w(path:/mnt/user-data/**)', 'a.txt', true],
    ['w(path:/mnt/user-data/**)', '/mnt/user-data/../x', false],
    ['w(path:/mnt/user-data/**)', '/mnt/user-data-2/x', false],
    ['w(path:/mnt/user-data/**)', '/mnt/user-data/a\\..\\..\\..\\x', false],
    ['w(path:/mnt/user-data/**)', 'file:///etc/passwd', false],
    ['w(path:/mnt/user-data)', '/mnt/user-data/a', false],
    ['w(path:out/*)', 'out/a', true],
    ['w(path:out/*)', '/mnt/user-data/workspace/out/a', true],
    ['w(path:out/*)', '/elsewhere/out/a', false],
    ['w(path:out/*)', 'out/../../x', false],
    ['w(path:**)', '../../../etc/passwd', true],
    ['w(path:./**)', '../../../etc/passwd', false],
  ])('allow %s on %s: %s', (rule, path, expected) => {
    expect(allows(rule, { path })).toBe(expected)
  })

  it('stands relative paths in the folder that is given', () => {
    expect(allows('w(path:out/*)', { path: '/srv/out/a' }, { ...open, base: '/srv' })).toBe(true)
  })

  it('judges every item of a list', () => {
    expect(denies('r(paths:/etc/**)', { paths: ['/a', '/etc/x'] })).toBe(true)
    expect(allows('r(paths:/a/**)', { paths: ['/a/x', '/etc/x'] })).toBe(false)
    expect(allows('r(paths:/a/**)', { paths: [] })).toBe(false)
    expect(denies('r(paths:/etc/**)', { paths: [{ path: '/etc/x' }] })).toBe(true)
    expect(allows('r(paths:/a/**)', { paths: [{ path: '/a/x' }] })).toBe(false)
  })

  it('never takes a path out of a folder for one in it', () => {
    const piece = fc.constantFrom('a', 'b', '..', '.', '', '...', '..a', '\\', '..\\', 'mnt', 'user-data')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), fc.boolean(), (pieces, absolute) => {
        const path = `${absolute ? '/' : ''}${pieces.join('/')}`
        const [place, other] = [path, path.replaceAll('\\', '/')].map((reading) =>
          posix.resolve('/mnt/user-data/workspace', reading),
        )
        const inside = (one = '') => one === '/mnt/user-data' || one.startsWith('/mnt/user-data/')
        if (!inside(place) || !inside(other)) expect(allows('w(path:/mnt/user-data/**)', { path })).toBe(false)
        if (inside(place) || inside(other)) expect(denies('w(path:/mnt/user-data/**)', { path })).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('addresses', () => {
  it.each([
    ['f(domain:evil.com)', 'https://evil.com', true],
    ['f(domain:evil.com)', 'evil.com/x', true],
    ['f(domain:evil.com)', '//evil.com/x', true],
    ['f(domain:evil.com)', 'https:/evil.com', true],
    ['f(domain:evil.com)', 'https:\\\\evil.com\\x', true],
    ['f(domain:evil.com)', 'http://evil.com.:8080/', true],
    ['f(domain:evil.com)', 'https://good.org@evil.com/', true],
    ['f(domain:evil.com)', ' https://EVIL.com', true],
    ['f(domain:evil.com)', 'https://ev\u00adil.com/', true],
    ['f(domain:evil.com)', 'http://[', true],
    ['f(domain:evil.com)', 'https://good.org/?u=evil.com', false],
    ['f(domain:evil.com)', 'https://www.evil.com/', false],
    ['f(domain:evil.com)', 'https://evil.com.good.org/', false],
    ['f(domain:*.evil.com)', 'https://a.b.evil.com/', true],
    ['f(domain:*.evil.com)', 'https://notevil.com/', false],
    ['f(domain:api.*.com)', 'https://api.x.com/', true],
    ['f(domain:api.*.com)', 'https://api.x.y.com/', false],
    ['f(domain:127.0.0.1)', 'http://2130706433/', true],
    ['f(url:https://evil.com)', 'https://evil.com/any?x', true],
    ['f(url:https://evil.com/a*)', 'https://evil.com/b/../abc', true],
    ['f(url:*evil*)', 'https://x.org/?evil', true],
    ['f(url:http://evil.com)', 'https://evil.com/', false],
    ['f(url:evil.com)', 'ftp://evil.com/', true],
    ['f(https://evil.com/:*)', 'https://evil.com/', true],
  ])('deny %s on %s: %s', (rule, url, expected) => {
    expect(denies(rule, { url })).toBe(expected)
  })

  it.each([
    ['f(domain:good.org)', 'https://good.org/x', true],
    ['f(domain:good.org)', 'https://good.org:8443/x', false],
    ['f(domain:good.org:8443)', 'https://good.org:8443/x', true],
    ['f(domain:good.org)', 'https://good.org@evil.com/x', false],
    ['f(domain:good.org)', 'not an address', false],
    ['f(url:https://good.org/*)', 'https://good.org/a/b?c', true],
    ['f(url:https://good.org/*)', 'http://good.org/a', false],
    ['f(url:https://good.org)', 'https://good.org/', true],
    ['f(url:https://good.org)', 'https://good.org/a', false],
    ['f(url:https://*.good.org/*)', 'https://evil.com/x.good.org/', false],
    ['f(url:good.org/*)', 'https://good.org/a', true],
    ['f(url:good.org/*)', 'http://good.org/a', false],
    ['f(https://good.org:*)', 'https://good.org/a', true],
    ['f(https://good.org:*)', 'https://good.org.evil.com/', false],
    ['f(https://good.org/api:*)', 'https://good.org/api/x', true],
    ['f(https://good.org/api:*)', 'https://good.org/apix', false],
  ])('allow %s on %s: %s', (rule, url, expected) => {
    expect(allows(rule, { url })).toBe(expected)
  })
})
