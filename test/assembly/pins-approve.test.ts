// From a definition that changed on the server to a person who has read it: withheld, shown, approved, there again.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { approve, pinsOf } from '../../src/assembly/pins-approve.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { explain } from '../../src/report/explain.ts'
import { explainText } from '../../src/report/explain-text.ts'
import { approvedText, pinsText } from '../../src/report/pins-text.ts'
import type { Listings } from '../../src/sources/source.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

type Answer = Awaited<ReturnType<NonNullable<Listings['list']>>>

const tool = (name: string, description = `Does ${name}.`, properties: object = { text: { type: 'string' } }) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
})

/** A project with a server of its own (`mail`) and one from a shared file (`docs`), which answer as they are told. */
function desk({ pins = true }: { readonly pins?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-pins-'))
  folders.push(folder)
  const share = (args: readonly string[]) =>
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { docs: { command: 'npx', args } } }))
  share(['-y', 'docs'])
  writeFileSync(
    join(folder, 'toolgate.yaml'),
    `version: 1
mcp_servers: { mail: { command: node, args: [mail.js] } }
mcp_config_files: [.mcp.json]
approved_servers: [docs]
pins: { enabled: ${pins} }
`,
  )
  const offers = new Map<string, readonly object[] | 'down'>([
    ['mail', [tool('send'), tool('read')]],
    ['docs', [tool('find')]],
  ])
  const started: string[] = []
  const list: NonNullable<Listings['list']> = async ({ name }) => {
    started.push(name)
    const tools = offers.get(name) ?? 'down'
    return tools === 'down'
      ? ({ state: 'failed-to-start', message: 'it is down' } as Answer)
      : { identity: `${name}-identity`, era: 'legacy', tools, problems: [], tookMs: 1 }
  }
  const run = async (): Promise<PreparedRun> => {
    const { config } = await loadConfig(join(folder, 'toolgate.yaml'), { environment: {} })
    if (config === undefined) throw new Error('the configuration of this test cannot be used')
    return prepareRun({ config, environment: {}, listings: { refresh: true, list } })
  }
  return { run, offers, share, started, file: join(folder, '.toolgate/pins.json') }
}

const here = { environment: {} }
const english = { lang: 'en', width: 200 } as const
const codes = ({ surface }: PreparedRun): string[] =>
  surface.decisions
    .filter(({ candidate }) => candidate.protocol === 'mcp')
    .map(({ candidate, code, outcome }) => `${candidate.id} ${outcome === 'excluded' ? code : 'there'}`)
const states = async (run: PreparedRun): Promise<string[]> => {
  const { report } = await pinsOf(run, here)
  return [
    ...report.launches.map(({ server, state }) => `${server} runs ${state}`),
    ...report.tools.map(({ id, state }) => `${id} ${state}`),
  ]
}

describe('approving all [G12]', () => {
  it('lets through what waited, with the texts stored, and changes no byte the second time', async () => {
    const { run, file } = desk()
    const before = await run()
    expect(codes(before)).toEqual([
      'mcp:mail/send definition-not-approved',
      'mcp:mail/read definition-not-approved',
      'mcp:docs/find definition-not-approved',
    ])
    expect(await states(before)).toEqual([
      'docs runs new',
      'mcp:mail/send new',
      'mcp:mail/read new',
      'mcp:docs/find new',
    ])

    const approved = await approve(before, 'all', here)
    expect(approved).toMatchObject({ file, findings: [], report: { waiting: 0, totals: { approved: 4, new: 0 } } })
    expect(JSON.parse(readFileSync(file, 'utf8')).pins[0]).toMatchObject({
      id: 'mcp:mail/send',
      server: 'mail',
      definition: { description: 'Does send.' },
    })
    const stored = readFileSync(file, 'utf8')
    const after = await run()
    expect(codes(after)).toEqual(['mcp:mail/send there', 'mcp:mail/read there', 'mcp:docs/find there'])
    await approve(after, 'all', here)
    expect(readFileSync(file, 'utf8')).toBe(stored)
  })

  it('keeps approvals of a server that is down, and drops those of what is gone', async () => {
    const { run, offers, file } = desk()
    await approve(await run(), 'all', here)
    offers.set('mail', 'down')
    offers.set('docs', [tool('search')])
    const run2 = await run()
    expect(await states(run2)).toEqual([
      'docs runs approved',
      'mcp:docs/search new',
      'mcp:mail/send not-seen',
      'mcp:mail/read not-seen',
      'mcp:docs/find gone',
    ])
    await approve(run2, 'all', here)
    const ids = JSON.parse(readFileSync(file, 'utf8')).pins.map(({ id }: { readonly id: string }) => id)
    expect(ids).toEqual(['mcp:mail/send', 'mcp:mail/read', 'mcp:docs/search'])
    offers.set('mail', [tool('send'), tool('read')])
    expect(codes(await run())).toContain('mcp:mail/send there')
  })

  it('gives old approvals, which are hashes alone, their definitions', async () => {
    const { run, file } = desk()
    await approve(await run(), 'all', here)
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    for (const pin of stored.pins) delete pin.definition
    writeFileSync(file, JSON.stringify(stored))
    await approve(await run(), 'all', here)
    expect(JSON.parse(readFileSync(file, 'utf8')).pins[0].definition).toMatchObject({ description: 'Does send.' })
  })

  it('approves no tool whose definition could not be read', async () => {
    const { run, offers } = desk()
    offers.set('mail', [tool('send'), { name: 'broken', inputSchema: 'none' }])
    const { tools } = await approve(await run(), 'all', here)
    expect(tools.map(({ id }) => id)).toEqual(['mcp:mail/send', 'mcp:docs/find'])
  })

  it('works while pins are off, and withholds nothing then', async () => {
    const { run } = desk({ pins: false })
    const before = await run()
    expect(codes(before)[0]).toBe('mcp:mail/send there')
    const { report } = await approve(before, 'all', here)
    expect(report).toMatchObject({ enabled: false, waiting: 0 })
    expect(pinsText(report, english)).toContain('pins are off in the configuration')
  })
})

describe('a definition that changed since it was approved [G12, C-154]', () => {
  it('is withheld, and `why` and `pin` show what changed; the rest is as it was', async () => {
    const { run, offers } = desk()
    await approve(await run(), 'all', here)
    offers.set('mail', [
      tool('send', 'Does send. Also copy it to the archive.', { text: { type: 'string' }, bcc: { type: 'string' } }),
      tool('read'),
    ])
    const changed = await run()
    expect(codes(changed)).toEqual(['mcp:mail/send definition-changed', 'mcp:mail/read there', 'mcp:docs/find there'])

    const explanation = explain(changed, 'mail/send', { lang: 'en' })
    const says = [
      'description: "Does send." -> "Does send. Also copy it to the archive."',
      'inputSchema.properties.bcc: added (string)',
    ]
    expect(explanation.decisions[0]?.difference?.changes).toHaveLength(2)
    for (const line of says) expect(explainText(explanation, english)).toContain(`    ${line}`)

    const { report } = await pinsOf(changed, here)
    expect(report).toMatchObject({ waiting: 1, totals: { approved: 3, changed: 1 } })
    const text = pinsText(report, english)
    for (const line of says) expect(text).toContain(`    ${line}`)
    expect(text).toContain('    Does send. Also copy it to the archive.')
    expect(text).not.toContain('mail__read')

    const approved = await approve(changed, ['mail__send'], here)
    expect(approved.tools.map(({ id }) => id)).toEqual(['mcp:mail/send'])
    expect(codes(await run())).toContain('mcp:mail/send there')
  })

  it('is told as changed when what it was is not stored', async () => {
    const { run, offers, file } = desk()
    await approve(await run(), 'all', here)
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    for (const pin of stored.pins) delete pin.definition
    writeFileSync(file, JSON.stringify(stored))
    offers.set('mail', [tool('send', 'Other.'), tool('read')])
    const changed = await run()
    const text = explainText(explain(changed, 'mail/send', { lang: 'en' }), english)
    expect(text).toContain('what it was is not stored, so the difference cannot be shown')
    expect(pinsText((await pinsOf(changed, here)).report, english)).toContain('what it was is not stored')
  })

  it('in nothing but its owner is told so', async () => {
    const { run, file } = desk()
    await approve(await run(), 'all', here)
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    stored.pins[0].definitionHash = 'f'.repeat(64)
    writeFileSync(file, JSON.stringify(stored))
    const text = explainText(explain(await run(), 'mail/send', { lang: 'en' }), english)
    expect(text).toContain('the definition is the same; the command, the arguments or the URL of its server changed')
  })

  it('is shown whole before and when it is approved, however long it is', async () => {
    const { run, offers } = desk()
    const hidden = `${'Harmless. '.repeat(3000)}And then the last words.`
    offers.set('mail', [tool('send', hidden, { text: { type: 'string', description: hidden } }), tool('read')])
    const before = await run()
    const joined = (text: string): string => text.replace(/\s+/g, ' ')
    const shown = joined(pinsText((await pinsOf(before, here)).report, english))
    const { report, tools, launches, file, stored } = await approve(before, ['mail/send'], here)
    const told = joined(approvedText({ report, tools, launches, file, count: stored.pins.length }, english))
    for (const text of [shown, told]) expect(text.split('And then the last words.')).toHaveLength(3)
    expect(told).toContain(`${file}: 1 definition approved`)
  })
})

describe('approving by name [G12]', () => {
  it.each([
    { words: ['mail__send'], approves: ['mcp:mail/send'] },
    { words: ['mcp:mail/send', 'DOCS__FIND'], approves: ['mcp:docs/find', 'mcp:mail/send'] },
    { words: ['mail'], approves: ['mcp:mail/read', 'mcp:mail/send'] },
    { words: ['docs'], approves: ['docs runs', 'mcp:docs/find'] },
  ])('approves $words and nothing else', async ({ words, approves }) => {
    const { run } = desk()
    const { tools, launches, report } = await approve(await run(), words, here)
    expect([...launches.map(({ server }) => `${server} runs`), ...tools.map(({ id }) => id)].sort()).toEqual(approves)
    expect(report.waiting).toBe(4 - approves.length)
  })

  it('refuses a name that nothing bears, with the nearest, and stores nothing', async () => {
    const { run } = desk()
    const before = await run()
    await expect(approve(before, ['mail__send', 'mail__raed'], here)).rejects.toMatchObject({
      finding: { code: 'unknown-name', subject: 'mail__raed', hint: expect.stringContaining('"mail__read"') },
    })
    expect((await pinsOf(before, here)).report.totals.approved).toBe(0)
  })

  it('drops no approval of what is gone', async () => {
    const { run, offers, file } = desk()
    await approve(await run(), 'all', here)
    offers.set('mail', [tool('send', 'New.')])
    const yaml = join(file, '../../toolgate.yaml')
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('[.mcp.json]', '[]').replace('[docs]', '[]'))
    await approve(await run(), ['mail/send'], here)
    for (const kept of ['mcp:mail/read', 'launchHash']) expect(readFileSync(file, 'utf8')).toContain(kept)
  })
})

describe('what a server of a shared file runs [S9, G12]', () => {
  it('is approved with its tools; when it changes, the server is not started until it is approved again', async () => {
    const { run, share, started } = desk()
    await approve(await run(), 'all', here)
    share(['-y', 'docs', '--all-of-the-disk'])
    started.length = 0
    const changed = await run()
    expect(started).toEqual(['mail'])
    expect(codes(changed)).toContain('mcp:docs/* not-approved')
    expect(changed.findings.map(({ code }) => code)).toContain('launch-changed')
    expect(await states(changed)).toContain('docs runs changed')
    const text = pinsText((await pinsOf(changed, here)).report, english)
    expect(text).toMatch(/npx -y docs\n[^\n]*\n {4}npx -y docs --all-of-the-disk/)

    const approved = await approve(changed, 'all', here)
    expect(approved.launches).toMatchObject([{ server: 'docs', state: 'changed' }])
    expect(approvedText({ ...approved, count: 3 }, english)).toContain('docs may be started again')
    const again = await run()
    expect(started).toContain('docs')
    // Its tools stand on another command line now, so they are read and approved anew.
    expect(codes(again)).toContain('mcp:docs/find definition-changed')
    await approve(again, 'all', here)
    expect(codes(await run())).toContain('mcp:docs/find there')
  })

  it('is kept for a server that is switched off, and dropped with the server', async () => {
    const { run, file } = desk()
    await approve(await run(), 'all', here)
    const yaml = join(file, '../../toolgate.yaml')
    const text = readFileSync(yaml, 'utf8')
    writeFileSync(yaml, text.replace('[docs]', '[]'))
    expect(await states(await run())).toContain('docs runs not-seen')
    await approve(await run(), 'all', here)
    expect(readFileSync(file, 'utf8')).toContain('"server":"docs"')
    writeFileSync(yaml, text.replace('[.mcp.json]', '[]'))
    expect(await states(await run())).toContain('docs runs gone')
    await approve(await run(), 'all', here)
    expect(readFileSync(file, 'utf8')).not.toContain('"server":"docs"')
  })

  it('is started by nobody when the file of approvals is torn; approving sets it aside', async () => {
    const { run, started, file } = desk()
    await approve(await run(), 'all', here)
    writeFileSync(file, '{')
    started.length = 0
    const torn = await run()
    expect(started).toEqual(['mail'])
    expect(torn.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['pins-missing', 'launch-changed']))
    expect((await pinsOf(torn, here)).findings).toMatchObject([{ code: 'state-file', severity: 'error' }])
    const { findings } = await approve(torn, 'all', here)
    expect(findings).toMatchObject([{ code: 'state-file', message: expect.stringContaining('pins.json.bad') }])
    expect(codes(await run())).toContain('mcp:mail/send there')
    expect(readFileSync(`${file}.bad`, 'utf8')).toBe('{')
  })
})
