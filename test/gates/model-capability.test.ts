import { modelCapability } from '../../src/gates/model-capability.ts'
import { modelCapabilityCases } from './cases/simple-gates.ts'
import { runCases } from './run-cases.ts'

runCases('model-capability [G3]', modelCapability, modelCapabilityCases)
