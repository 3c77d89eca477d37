import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const plain = aCandidate()
const dotted = aCandidate({ server: 'admin', originalName: 'tools.list' })
const bare = aCandidate({ definition: { description: '', inputSchema: { type: 'object', properties: {} } } })
const dottedAndBare = aCandidate({ server: 'admin', originalName: 'tools.list', definition: bare.definition })
const endless = aCandidate({ definition: { description: 'x', inputSchema: { $ref: '#' } } })
const origin = { in: 'toolgate.yaml', key: 'models[0].target', line: 6 }
const described = { target: { descriptionRequired: true, origin } }

/** One case for each code; what the targets take is tested beside the targets. */
export const providerFitCases: readonly GateCase[] = [
  { name: 'abstains on what fits', candidate: plain, code: 'fits' },
  { name: 'has nothing to fit for a stand-in', candidate: aStandIn('files'), code: 'stands-for-a-server' },
  {
    name: 'gives an alias',
    facts: { target: { origin } },
    candidate: dotted,
    code: 'aliased',
    origin: 'toolgate.yaml:6 models[0].target',
  },
  { name: 'fills in a description', facts: described, candidate: bare, code: 'adapted' },
  { name: 'does both', facts: described, candidate: dottedAndBare, code: 'aliased-and-adapted' },
  { name: 'refuses a schema that leads to itself', candidate: endless, code: 'schema-refused' },
  {
    name: 'has no name left in a target that takes none',
    facts: { target: { nameMax: 0 } },
    candidate: dotted,
    code: 'name-unfittable',
  },
  {
    name: 'keeps to the number of tools',
    facts: { target: { toolsMax: 1 }, deferral: { mode: 'off' } },
    candidate: dotted,
    ahead: [plain],
    code: 'over-target-cap',
  },
]
