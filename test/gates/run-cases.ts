// Runs a gate's table of cases: the code that comes out, and the place it rests on.

import { describe, expect, test } from 'vitest'
import type { Gate } from '../../src/core/gate.ts'
import { originText } from '../../src/core/origin.ts'
import { type GateCase, stepOf } from './gate-case.ts'

export function runCases(title: string, gate: Gate, cases: readonly GateCase[]): void {
  describe(title, () => {
    test.each(cases.map((row) => [row.name, row] as const))('%s', (_name, row) => {
      const step = stepOf(gate, row)
      expect(step.code).toBe(row.code)
      if (row.origin !== undefined) expect(originText(step.origin)).toBe(row.origin)
    })
  })
}
