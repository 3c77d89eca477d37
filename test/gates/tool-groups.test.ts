import { expect, test } from 'vitest'
import { toolGroups } from '../../src/gates/tool-groups.ts'
import { toolGroupsOfConfig } from '../../src/gates/tool-groups-of-config.ts'
import { aSearchTool } from '../../src/testing/index.ts'
import { toolGroupCases, toolGroupOfConfigCases, toolGroupOnlyCases } from './cases/tool-groups.ts'
import { runCases } from './run-cases.ts'

runCases('tool-groups [G1]', toolGroups, [...toolGroupCases, ...toolGroupOnlyCases])
runCases('tool-groups of the preset deerflow [G1] [G15]', toolGroupsOfConfig, [
  ...toolGroupCases,
  ...toolGroupOfConfigCases,
])

test('says what it means for the rest when tool_search was not asked for [G1]', () => {
  const say = toolGroups.reasons['tool-not-asked'].say.en({ asked: ['files/*'] }, aSearchTool())
  expect(say).toBe(
    'it is not among the tools the agent asks for: "files/*", so no schema can be fetched on request and nothing is deferred',
  )
})
