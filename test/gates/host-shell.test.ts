import { expect, test } from 'vitest'
import { hostShell } from '../../src/gates/host-shell.ts'
import { hostShellCases } from './cases/simple-gates.ts'
import { runCases } from './run-cases.ts'

runCases('host-shell [G2]', hostShell, hostShellCases)

test('keeps the name of a shell it took away [G2] [S7]', () => {
  expect(hostShell.reasons['host-shell-closed'].reserves).toBe(true)
})
