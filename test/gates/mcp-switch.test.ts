import { mcpSwitch } from '../../src/gates/mcp-switch.ts'
import { mcpSwitchBySubstring } from '../../src/gates/mcp-switch-by-substring.ts'
import { mcpSwitchBySubstringCases, mcpSwitchCases } from './cases/simple-gates.ts'
import { runCases } from './run-cases.ts'

runCases('mcp-switch [G5] [S8]', mcpSwitch, mcpSwitchCases)
runCases('mcp-switch of the preset claw [G5] [G15]', mcpSwitchBySubstring, mcpSwitchBySubstringCases)
