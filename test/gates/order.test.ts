import { describe, expect, test } from 'vitest'
import { abstains, defineGate } from '../../src/core/gate.ts'
import { gateOrder, gatesById, insertBefore, orderConstraints, presetNames, startGates } from '../../src/gates/order.ts'

const ids = (gates: readonly { readonly id: string }[]): string[] => gates.map(({ id }) => id)

describe('the order of each preset [G14] [G15]', () => {
  test('default', () => {
    expect(ids(gateOrder.default)).toEqual([
      'availability',
      'definition',
      'tool-groups',
      'host-shell',
      'model-capability',
      'simple-mode',
      'mcp-switch',
      'permissions',
      'skill-tools',
      'delegation',
      'unique-name',
      'provider-fit',
      'deferral',
    ])
  })

  test('deerflow', () => {
    expect(ids(gateOrder.deerflow)).toEqual([
      'availability',
      'definition',
      'tool-groups',
      'host-shell',
      'model-capability',
      'mcp-switch',
      'unique-name',
      'skill-tools',
      'simple-mode',
      'permissions',
      'delegation',
      'provider-fit',
      'deferral',
    ])
  })

  test('claw', () => {
    expect(ids(gateOrder.claw)).toEqual(['availability', 'definition', 'simple-mode', 'mcp-switch', 'permissions'])
  })

  test('keeps the six gates of the first seed in its order', () => {
    const seed = ['tool-groups', 'host-shell', 'model-capability', 'unique-name', 'skill-tools', 'deferral']
    expect(ids(gateOrder.deerflow).filter((id) => seed.includes(id))).toEqual(seed)
  })

  test('keeps the three filters of the second seed in its order', () => {
    const seed = ['simple-mode', 'mcp-switch', 'permissions']
    expect(ids(gateOrder.claw).filter((id) => seed.includes(id))).toEqual(seed)
  })
})

describe('order constraints [G14]', () => {
  const known = new Set(presetNames.flatMap((preset) => ids(gateOrder[preset])))

  test.each(
    orderConstraints.map((constraint) => [`${constraint.before} before ${constraint.after}`, constraint] as const),
  )('%s', (_name, { before, after, because, presets = presetNames }) => {
    expect([known.has(before), known.has(after), because.length > 20]).toEqual([true, true, true])
    const held = presets
      .map((preset) => ids(gateOrder[preset]))
      .filter((order) => order.includes(before) && order.includes(after))
    expect(held.length).toBeGreaterThan(0)
    for (const order of held) expect(order.indexOf(before)).toBeLessThan(order.indexOf(after))
  })

  test('give every gate of every preset its place', () => {
    const placed = new Set(orderConstraints.flatMap(({ before, after }) => [before, after]))
    expect([...known].filter((id) => !placed.has(id))).toEqual([])
  })
})

describe('an order of one’s own [G14]', () => {
  const words = { en: () => 'so it is', zh: () => '如此' }
  const mine = defineGate({
    id: 'office-hours',
    asks: { en: 'Is the office open?', zh: '现在是办公时间吗？' },
    reasons: { open: abstains({ say: words }) },
    open: (_facts, _standing, because) => () => because('open', {}),
  })

  test('takes one more gate before another, and leaves the preset as it was', () => {
    const before = ids(gateOrder.claw)
    expect(ids(insertBefore(gateOrder.claw, 'permissions', mine))).toEqual([
      ...before.slice(0, -1),
      'office-hours',
      'permissions',
    ])
    expect(ids(gateOrder.claw)).toEqual(before)
  })

  test('refuses a place that is not there, and names the nearest', () => {
    expect(() => insertBefore(gateOrder.default, 'permission', mine)).toThrow(
      'no gate "permission" in this order: did you mean "permissions"',
    )
    expect(() => insertBefore(gateOrder.claw, 'xyz', mine)).toThrow('availability, definition, simple-mode')
  })

  test('refuses a gate whose id is taken', () => {
    const order = insertBefore(gateOrder.default, 'deferral', mine)
    expect(() => insertBefore(order, 'deferral', mine)).toThrow('a gate "office-hours" is in this order already')
  })

  test('finds gates by id', () => {
    expect(gatesById(gateOrder.claw).get('mcp-switch')).toBe(gateOrder.claw[3])
    expect(gatesById(gateOrder.claw).get('toString')).toBeUndefined()
  })
})

test('servers are started or not by four gates, in the order of the preset [S9]', () => {
  expect(presetNames.map((preset) => ids(startGates(gateOrder[preset])))).toEqual([
    ['tool-groups', 'simple-mode', 'mcp-switch', 'permissions'],
    ['tool-groups', 'mcp-switch', 'simple-mode', 'permissions'],
    ['simple-mode', 'mcp-switch', 'permissions'],
  ])
})
