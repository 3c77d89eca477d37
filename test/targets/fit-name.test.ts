import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldName } from '../../src/core/json.ts'
import { fitNames, type NameRules, type WantedName } from '../../src/targets/fit-name.ts'
import { targetNamed, targetNames } from '../../src/targets/targets.ts'

const common: NameRules = { nameMax: 64, nameCharset: 'word-dash', nameStartsWithLetter: false }

const rulesOf = (name: string): NameRules => {
  const target = targetNamed(name)
  if (target === undefined) throw new Error(`no target ${name}`)
  return target
}

/** Name after name: what each becomes. Identities are `server/name`. */
function named(names: readonly string[], rules: NameRules = common, reserved: readonly string[] = []): string[] {
  const wanted = names.map((name, at) => ({ id: `mcp:s${at}/${name}`, name }))
  const fitted = fitNames(wanted, rules, reserved)
  return wanted.map(({ id, name }) => fitted.get(id)?.name ?? (fitted.has(id) ? '(none)' : name))
}

const hashed = /_[0-9a-f]{8}$/

describe('names for a target [G10]', () => {
  it.each([
    ['C-023: a dot', 'repo.search', 'repo_search'],
    ['C-024: a slash', 'files/list', 'files_list'],
    ['C-024: a space', 'find customer', 'find_customer'],
    ['C-026: three underscores stay', 'pre___post', 'pre___post'],
    ['C-037: a prefix of its own stays', 'mcp__crm__find', 'mcp__crm__find'],
    ['a digit in front is allowed', '3d_render', '3d_render'],
    ['64 characters', 'n'.repeat(64), 'n'.repeat(64)],
    ['not one letter', '读文件', '___'],
    ['a surrogate pair is one character', 'a\u{1f6e0}b', 'a_b'],
    ['half a pair', 'a\ud800b', 'a_b'],
  ])('%s', (_case, from, to) => {
    expect(named([from])).toEqual([to])
  })

  it('C-042: puts _ before a digit where the target wants a letter, and only there', () => {
    expect(named(['3d_render'], rulesOf('gemini'))).toEqual(['_3d_render'])
    expect(named(['3d_render'], rulesOf('openai'))).toEqual(['3d_render'])
    expect(named(['-x'], rulesOf('gemini'))).toEqual(['_-x'])
  })

  it('C-021: shortens the one long name, keeps its two ends readable, and leaves the others', () => {
    const long = 'company-browser-automation-tools__browser_take_element_screenshot_now'
    const [alias = '', ...others] = named([long, 'a', 'b'])
    expect(others).toEqual(['a', 'b'])
    expect(alias).toHaveLength(64)
    expect(alias).toMatch(/^company-browser-automation-_take_element_screenshot_now_[0-9a-f]{8}$/)
  })

  it("keeps the tool's own name whole where there is room, so that names which differ in a verb stay apart", () => {
    const names = ['ListAvailablePhoneNumberCountries', 'FetchAvailablePhoneNumberCountries']
    const wanted = names.map((own) => ({ id: `mcp:s/${own}`, name: `a-server-with-a-rather-long-name__${own}`, own }))
    const fitted = fitNames(wanted, common)
    const [list, fetch] = wanted.map(({ id }) => fitted.get(id)?.name)
    expect(list).toMatch(/^a-server-with-a-rathe_ListAvailablePhoneNumberCountries_[0-9a-f]{8}$/)
    expect(fetch).toMatch(/^a-server-with-a-rath_FetchAvailablePhoneNumberCountries_[0-9a-f]{8}$/)
    const long = 'get_'.repeat(20)
    expect(fitNames([{ id: 'x', name: `server__${long}`, own: long }], common).get('x')?.name).toMatch(
      /^get_.*_[0-9a-f]{8}$/,
    )
  })

  it('C-022: knows the shorter limit of a client that puts its own text in front', () => {
    const name = 'files__read_multiple_documents_from_the_archive_folder'
    expect(named([name], rulesOf('cursor'))[0]).toHaveLength(52)
    expect(named([name], rulesOf('openai'))).toEqual([name])
  })

  it('C-029: two servers whose prefixed names are the same both get a name', () => {
    const wanted = [
      { id: 'mcp:a/b__c', name: 'a__b__c' },
      { id: 'mcp:a__b/c', name: 'a__b__c' },
    ]
    const fitted = fitNames(wanted, common)
    expect(fitted.has('mcp:a/b__c')).toBe(false)
    expect(fitted.get('mcp:a__b/c')).toMatchObject({
      name: expect.stringMatching(/^a__b__c_[0-9a-f]{8}$/),
      why: ['taken'],
    })
  })

  it('C-030, C-031: of names that fold to one, the one that needs no change keeps it', () => {
    expect(named(['foo.bar', 'foo_bar'])).toEqual([expect.stringMatching(/^foo_bar_[0-9a-f]{8}$/), 'foo_bar'])
    expect(named(['list-items', 'list_items'])).toEqual(['list-items', 'list_items'])
    const [first, second] = named(['list-items', 'list_items'], rulesOf('cursor'))
    expect([first, second]).toEqual([expect.stringMatching(hashed), 'list_items'])
  })

  it('gives every one of several that would get the same alias a hash, whatever their order', () => {
    const wanted = ['a.b', 'a/b', 'a b'].map((name) => ({ id: `mcp:s/${name}`, name }))
    const forward = fitNames(wanted, common)
    expect([...forward.values()].every(({ name }) => hashed.test(name ?? ''))).toBe(true)
    expect(new Set([...forward.values()].map(({ name }) => name)).size).toBe(3)
    const backward = fitNames(wanted.toReversed(), common)
    for (const { id } of wanted) expect(backward.get(id)).toEqual(forward.get(id))
  })

  it('takes letter case into account: an alias is no case twin of another name', () => {
    expect(named(['Read.File', 'read_file'])).toEqual([expect.stringMatching(/^Read_File_[0-9a-f]{8}$/), 'read_file'])
  })

  it('does not give an alias to a name that somebody else keeps', () => {
    expect(named(['write.file'], common, ['Write_File'])).toEqual([expect.stringMatching(/^write_file_[0-9a-f]{8}$/)])
    expect(named(['write_file'], common, ['write_file'])).toEqual(['write_file'])
  })

  it('says why a name could not stay', () => {
    const why = (name: string, rules: NameRules): unknown => fitNames([{ id: 'x', name }], rules).get('x')?.why
    expect(why('a.b', common)).toEqual(['characters'])
    expect(why('n'.repeat(65), common)).toEqual(['length'])
    expect(why('1a', rulesOf('gemini'))).toEqual(['first-character'])
    expect(why(`1${'n'.repeat(63)}`, rulesOf('gemini'))).toEqual(['first-character', 'length'])
    expect(why('', common)).toEqual(['characters'])
  })

  it('gives up where the target leaves no room, instead of giving two tools one name', () => {
    expect(named(['abcdefghij', 'abcdefghik', 'ab'], { ...common, nameMax: 8 })).toEqual(['(none)', '(none)', 'ab'])
    expect(named(['abcdefghij'], { ...common, nameMax: 9 })).toEqual([expect.stringMatching(/^_[0-9a-f]{8}$/)])
  })

  it('survives somebody who has taken the hashed name on purpose', () => {
    const [alias = ''] = named(['a.b', 'a_b'])
    const wanted = [
      { id: 'mcp:s0/a.b', name: 'a.b' },
      { id: 'mcp:s1/a_b', name: 'a_b' },
      { id: 'mcp:evil/x', name: alias },
    ]
    const fitted = fitNames(wanted, common)
    expect(fitted.has('mcp:evil/x')).toBe(false)
    expect(fitted.get('mcp:s0/a.b')?.name).toMatch(/^a_b_[0-9a-f]{8}$/)
    expect(fitted.get('mcp:s0/a.b')?.name).not.toBe(alias)
  })

  it('is done with a name of a million characters at once', () => {
    expect(named(['x.'.repeat(500_000)])[0]).toMatch(hashed)
  })
})

const strange = fc.constantFrom(
  'a',
  'A',
  'a_b',
  'a.b',
  'a-b',
  'a b',
  'toString',
  '__proto__',
  'ａ',
  '',
  '9',
  'x'.repeat(70),
  'x'.repeat(71),
)
const wantedNames = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('s', 't', 'u'), fc.oneof(strange, fc.string({ unit: 'binary', maxLength: 70 }))),
    {
      maxLength: 12,
      selector: ([server, name]) => `${server}/${name}`,
    },
  )
  .map((pairs): WantedName[] =>
    pairs.map(([server, own], at) => {
      // Some bear the name of their server before their own, long enough for both to be shortened.
      const name = at % 3 === 0 ? `${server.repeat(30)}__${own}` : own
      return { id: `mcp:${server}/${own}`, name, own }
    }),
  )

const forms = {
  word: /^[A-Za-z0-9_]+$/,
  'word-dash': /^[A-Za-z0-9_-]+$/,
  'word-dash-dot-colon': /^[A-Za-z0-9_.:-]+$/,
}

describe('names for any set of tools [G10, P20]', () => {
  const rules = fc.constantFrom(common, ...targetNames.map(rulesOf), {
    nameMax: 12,
    nameCharset: 'word-dash-dot-colon',
    nameStartsWithLetter: true,
  } as const)
  const nameOf = (fitted: ReturnType<typeof fitNames>, { id, name }: WantedName): string | undefined =>
    fitted.has(id) ? fitted.get(id)?.name : name

  it('are of the form of the target and mean one tool each, letter case aside', () => {
    fc.assert(
      fc.property(wantedNames, rules, fc.array(strange, { maxLength: 3 }), (wanted, target, reserved) => {
        const fitted = fitNames(wanted, target, reserved)
        const names = wanted.map((entry) => nameOf(fitted, entry))
        for (const name of names) {
          expect(name).toMatch(forms[target.nameCharset])
          expect(name?.length).toBeLessThanOrEqual(target.nameMax)
          if (target.nameStartsWithLetter) expect(name).toMatch(/^[A-Za-z_]/)
        }
        expect(new Set(names.map((name) => foldName(name ?? ''))).size).toBe(wanted.length)
        const held = new Set(reserved.map(foldName))
        for (const { name } of fitted.values()) expect(held.has(foldName(name ?? ''))).toBe(false)
      }),
      { numRuns: 10_000 },
    )
  })

  it('stay as they are when they fit already: fitting twice is fitting once', () => {
    fc.assert(
      fc.property(wantedNames, rules, (wanted, target) => {
        const fitted = fitNames(wanted, target)
        const again = wanted.map((entry) => ({ id: entry.id, name: nameOf(fitted, entry) ?? '' }))
        expect(fitNames(again, target).size).toBe(0)
      }),
      { numRuns: 3_000 },
    )
  })

  it('do not depend on the order of tools, bare names that are case twins aside', () => {
    fc.assert(
      fc.property(wantedNames, rules, fc.infiniteStream(fc.nat()), (wanted, target, keys) => {
        fc.pre(new Set(wanted.map(({ name }) => foldName(name))).size === wanted.length)
        const shuffled = wanted.map((entry) => ({ entry, key: keys.next().value ?? 0 })).sort((a, b) => a.key - b.key)
        const one = fitNames(wanted, target)
        const other = fitNames(
          shuffled.map(({ entry }) => entry),
          target,
        )
        for (const { id } of wanted) expect(other.get(id)).toEqual(one.get(id))
      }),
      { numRuns: 3_000 },
    )
  })

  it('do not change when a tool is added whose own name or alias they do not bear', () => {
    fc.assert(
      fc.property(wantedNames, rules, strange, (wanted, target, name) => {
        const added = { id: 'mcp:new/tool', name }
        fc.pre(!wanted.some((other) => foldName(other.name) === foldName(name)))
        const before = fitNames(wanted, target)
        const after = fitNames([...wanted, added], target)
        const alone = nameOf(fitNames([added], target), added) ?? ''
        for (const entry of wanted) {
          const was = nameOf(before, entry) ?? ''
          const is = nameOf(after, entry) ?? ''
          if (is !== was) expect(foldName(was)).toBe(foldName(alone))
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
