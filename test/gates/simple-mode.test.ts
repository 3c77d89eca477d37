import { simpleMode } from '../../src/gates/simple-mode.ts'
import { simpleModeByName } from '../../src/gates/simple-mode-by-name.ts'
import { simpleModeByNameCases, simpleModeCases } from './cases/simple-gates.ts'
import { runCases } from './run-cases.ts'

runCases('simple-mode [G4]', simpleMode, simpleModeCases)
runCases('simple-mode of the preset claw [G4] [G15]', simpleModeByName, simpleModeByNameCases)
