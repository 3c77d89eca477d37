// The gateway whole: real clients over HTTP, a configuration in service, real server processes behind it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/gateway/endpoint/serve-http.ts'
import { openGateway } from '../../src/gateway/open-gateway.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { page, pidsOf, project } from '../runtime/a-project.ts'
import { isAlive } from '../sources/scripted.ts'
import { httpClient, type KindOfClient, type SdkClient } from './endpoint-sdk-clients.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const echo = { text: 'the blue cup', structured: { n: 42 } }

async function served(servers: { readonly [name: string]: ServerPlan }, more: object = {}) {
  const { write, load, folder } = project()
  const records = Object.fromEntries(Object.keys(servers).map((name) => [name, join(folder, `${name}.record`)]))
  const plans = Object.entries(servers).map(([name, plan]) => [name, { record: records[name], ...plan }])
  write(Object.fromEntries(plans), more)
  const { config } = await load()
  if (config === undefined) throw new Error('no configuration')
  const gateway = await openGateway({ config, version: '0', reload: load })
  ends.push(gateway.close)
  const auth = { kind: 'none', view: config.gateway.views[0]?.name ?? 'default', user: 'ada' } as const
  const endpoint = await serveHttp({ service: gateway.service, auth, port: 0 })
  ends.push(endpoint.close)
  const connect = async (kind: KindOfClient, path = ''): Promise<SdkClient> => {
    const client = await httpClient(kind, `${endpoint.url}${path}`)
    ends.push(client.close)
    return client
  }
  const made = (name: string): number =>
    readFileSync(records[name] ?? '', 'utf8')
      .split('\n')
      .filter((line) => line.includes('"tools/call"')).length
  return { gateway, connect, made, folder, endpoint }
}

const namesIn = (result: object): readonly string[] =>
  (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name)
const notes: ServerPlan = { pages: page('find', 'drop', 'tell'), calls: { '*': echo } }
const textOf = (result: object): string =>
  (result as { readonly content: readonly { readonly text: string }[] }).content.map(({ text }) => text).join('\n')

describe.each(['sdk 1', 'sdk 2 legacy', 'sdk 2 pinned'] as const)('the gateway for %s [V1]', (kind) => {
  it('lists the surface, in its order, and what is listed can be called', async () => {
    const { gateway, connect, made } = await served({ notes })
    const client = await connect(kind)
    const listed = namesIn(await client.ask('tools/list', {}))
    expect(listed).toContain('notes__find')
    expect(listed).not.toContain('ask_clarification')
    expect(await client.ask('tools/call', { name: 'notes__find', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'the blue cup' }],
    })
    expect(made('notes')).toBe(1)
    const of = gateway.toolbox.current().run.surface
    const own = of.decisions.filter(({ outcome }) => outcome === 'eager').map(({ name }) => name)
    expect(listed).toEqual(own.filter((name) => listed.includes(name)))
  })

  it('refuses what is denied with the code that `why` gives, and what there is not with the nearest name [R3] [D8]', async () => {
    const { gateway, connect, made } = await served({ notes }, { permissions: { deny: ['notes/drop'] } })
    const client = await connect(kind)
    expect(namesIn(await client.ask('tools/list', {}))).not.toContain('notes__drop')
    const refused = await client.ask('tools/call', { name: 'notes__drop', arguments: {} })
    const code = gateway.toolbox.current().run.surface.named('notes__drop')[0]?.code
    expect(refused).toMatchObject({ isError: true, _meta: { 'toolgate/refusal': { code } } })
    await expect(client.ask('tools/call', { name: 'notes__fimd', arguments: {} })).rejects.toThrow(/notes__find/)
    expect(made('notes')).toBe(0)
  })

  it('finds deferred tools and lets them be called, each revision in its way [V3] [C5]', async () => {
    const { connect, made } = await served({ notes }, { tool_search: { enabled: true } })
    const client = await connect(kind)
    const before = namesIn(await client.ask('tools/list', {}))
    expect(before).toEqual(expect.arrayContaining(['tool_search', 'call_tool']))
    expect(before).not.toContain('notes__find')
    const early = await client.ask('tools/call', { name: 'call_tool', arguments: { name: 'notes__find' } })
    expect(textOf(early)).toContain('not-promoted')
    const found = await client.ask('tools/call', { name: 'tool_search', arguments: { query: 'select:notes__find' } })
    expect(textOf(found)).toContain('notes__find')
    const called = await client.ask('tools/call', {
      name: 'call_tool',
      arguments: { name: 'notes__find', arguments: {} },
    })
    expect(textOf(called)).toBe('the blue cup')
    expect(made('notes')).toBe(1)
    const after = namesIn(await client.ask('tools/list', {}))
    expect(after.includes('notes__find')).toBe(kind !== 'sdk 2 pinned')
  })

  it('passes prompts, resources and completions through, under names that say whose they are [V4]', async () => {
    const { connect } = await served({
      notes: {
        ...notes,
        capabilities: { prompts: {}, resources: {}, completions: {} },
        requests: {
          'prompts/list': { result: { prompts: [{ name: 'greet', title: 'Greet', 'x-own': 1 }] } },
          'prompts/get': { result: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] } },
          'resources/list': { result: { resources: [{ uri: 'notes://a', name: 'a', icons: [] }] } },
          'resources/templates/list': { result: { resourceTemplates: [] } },
          'resources/read': { result: { contents: [{ uri: 'notes://a', text: 'A' }] } },
          'completion/complete': { result: { completion: { values: ['Oslo'] } } },
        },
      } as ServerPlan,
    })
    const client = await connect(kind)
    expect(await client.ask('prompts/list', {})).toMatchObject({ prompts: [{ name: 'notes__greet', title: 'Greet' }] })
    expect(await client.ask('prompts/get', { name: 'notes__greet' })).toMatchObject({
      messages: [{ content: { text: 'Hello' } }],
    })
    expect(await client.ask('resources/list', {})).toMatchObject({ resources: [{ uri: 'notes://a' }] })
    expect(await client.ask('resources/read', { uri: 'notes://a' })).toMatchObject({ contents: [{ text: 'A' }] })
    const ref = { type: 'ref/prompt', name: 'notes__greet' }
    const argument = { name: 'city', value: 'O' }
    expect(await client.ask('completion/complete', { ref, argument })).toMatchObject({
      completion: { values: ['Oslo'] },
    })
    await expect(client.ask('prompts/get', { name: 'greet' })).rejects.toThrow(/no prompt "greet"/)
  })
})

describe('the gateway', () => {
  it('gives each view its own agent and rules, by path [V2]', async () => {
    const { connect } = await served(
      { notes },
      {
        agents: { main: {}, reader: { tools: ['notes/find', 'notes/tell'] } },
        gateway: { views: { work: { agent: 'main' }, quiet: { agent: 'reader', deny_tools: ['notes/tell'] } } },
      },
    )
    const ofNotes = (names: readonly string[]) => names.filter((name) => name.startsWith('notes__'))
    const work = await connect('sdk 2 legacy', '/work')
    expect(ofNotes(namesIn(await work.ask('tools/list', {})))).toEqual(['notes__find', 'notes__drop', 'notes__tell'])
    const quiet = await connect('sdk 2 legacy', '/quiet')
    expect(ofNotes(namesIn(await quiet.ask('tools/list', {})))).toEqual(['notes__find'])
    expect(await quiet.ask('tools/call', { name: 'notes__tell', arguments: {} })).toMatchObject({ isError: true })
  })

  it.each(['sdk 1', 'sdk 2 pinned'] as const)(
    'asks the person through the client before a call, %s [R4]',
    async (kind) => {
      const { connect, made } = await served({ notes }, { permissions: { ask: ['notes/drop'] } })
      const client = await connect(kind)
      // The client of these tests accepts, and says nothing of the decision: that is no yes.
      const refused = await client.ask('tools/call', { name: 'notes__drop', arguments: {} })
      expect(textOf(refused)).toContain('call-denied')
      expect(made('notes')).toBe(0)
    },
  )

  it('leaves no process when it ends, whatever clients are there [Q4]', async () => {
    const { gateway, connect, folder, endpoint } = await served({ notes })
    const client = await connect('sdk 2 legacy')
    await client.ask('tools/call', { name: 'notes__find', arguments: {} })
    const pids = pidsOf(folder, 'notes')
    expect(pids.length).toBeGreaterThan(0)
    await endpoint.close()
    await gateway.close()
    expect(pids.filter(isAlive)).toEqual([])
  })
})
