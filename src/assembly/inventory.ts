// A stored inventory as the input of a run. Its facts come from a file that anybody may have touched: they are facts
// as a whole, or the inventory cannot be used; a part that is missing would decide as if nobody had restricted it.

import type { Json } from '../core/json.ts'
import type { RunFacts } from '../core/run-facts.ts'
import { finding, ToolgateError } from '../errors.ts'
import { presetNames } from '../gates/order.ts'
import { readSnapshot } from '../sources/snapshot.ts'
import type { Inventory } from './run-input.ts'

/** Reads an inventory file. Throws a ToolgateError `snapshot-format` when it or its facts cannot be used. */
export async function readInventory(path: string): Promise<Inventory> {
  const read = await readSnapshot(path)
  const { candidates, servers, findings, facts } = read
  const preset = presetNames.find((name) => name === read.preset) ?? (read.form === 'claw-code' ? 'claw' : 'default')
  return {
    candidates,
    servers,
    findings,
    preset,
    ...(facts === undefined ? {} : { facts: storedFacts(facts as unknown as Json, path) }),
  }
}

function storedFacts(facts: Json, path: string): RunFacts {
  const wrong = firstMisfit(facts, factsShape, 'facts')
  if (wrong === undefined) return facts as unknown as RunFacts
  throw new ToolgateError(
    finding('snapshot-format', 'error', `${wrong} is not as it should be`, {
      subject: wrong,
      hint: 'take the snapshot again',
      origin: { in: path, key: wrong },
    }),
  )
}

type Shape = 'text' | 'number' | 'boolean' | 'texts' | 'rules' | 'skills' | readonly string[] | ShapeObject
interface ShapeObject {
  /** A key that ends in `?` may be absent. */
  readonly [key: string]: Shape
}

const factsShape: ShapeObject = {
  agent: { name: 'text', 'groups?': 'texts', 'servers?': 'texts', 'tools?': 'texts', origins: {} },
  model: { name: 'text', can: 'texts', 'contextTokens?': 'number' },
  target: {
    name: 'text',
    nameMax: 'number',
    nameCharset: ['word', 'word-dash', 'word-dash-dot-colon'],
    nameStartsWithLetter: 'boolean',
    'toolsMax?': 'number',
    'descriptionMax?': 'number',
    descriptionRequired: 'boolean',
    schemaProfile: 'text',
  },
  skills: { mode: ['active', 'enabled'], list: 'skills', alwaysReachable: 'texts' },
  permissions: { rules: 'rules', otherwise: ['allow', 'ask', 'deny'] },
  sandbox: { kind: ['none', 'namespace'], allowHostBash: 'boolean' },
  delegation: {
    enabled: 'boolean',
    depth: 'number',
    depthMax: 'number',
    'parent?': { agent: 'text', tools: 'texts' },
    'allow?': 'texts',
    'deny?': 'texts',
  },
  deferral: { mode: ['off', 'on', 'auto'], budgetTokens: 'number', always: 'texts' },
  simpleMode: { on: 'boolean' },
  mcp: { on: 'boolean' },
  attended: { on: 'boolean' },
}
const ruleShape: ShapeObject = { effect: ['deny', 'ask', 'allow'], text: 'text', scope: 'text', origin: { in: 'text' } }
const skillShape: ShapeObject = {
  name: 'text',
  enabled: 'boolean',
  active: 'boolean',
  'allowedTools?': 'texts',
  'malformed?': 'text',
  origin: { in: 'text' },
}

/** Path of the first value that does not fit; undefined when all do. */
function firstMisfit(value: unknown, shape: Shape, path: string): string | undefined {
  switch (shape) {
    case 'text':
      return typeof value === 'string' ? undefined : path
    case 'number':
      return typeof value === 'number' ? undefined : path
    case 'boolean':
      return typeof value === 'boolean' ? undefined : path
    case 'texts':
      return inList(value, 'text', path)
    case 'rules':
      return inList(value, ruleShape, path)
    case 'skills':
      return inList(value, skillShape, path)
  }
  if (Array.isArray(shape)) return shape.includes(value as string) ? undefined : path
  return inObject(value, shape as ShapeObject, path)
}

function inList(value: unknown, shape: Shape, path: string): string | undefined {
  if (!Array.isArray(value)) return path
  for (const [index, item] of value.entries()) {
    const wrong = firstMisfit(item, shape, `${path}[${index}]`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function inObject(value: unknown, shape: ShapeObject, path: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return path
  const object = value as { readonly [key: string]: unknown }
  for (const [key, inner] of Object.entries(shape)) {
    const name = key.replace(/\?$/, '')
    if (object[name] === undefined && name !== key) continue
    const wrong = firstMisfit(object[name], inner, `${path}.${name}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
