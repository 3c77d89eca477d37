// What of Toolgate runs in a page: the very functions that decide and explain on the command line. Only rooms that
// know nothing of Node are named here; a test bundles this file for a page and compares its surface with ours.

export { assemble } from '../../src/core/assemble.ts'
export { gateOrder, presetNames } from '../../src/gates/order.ts'
export { diffSurfaces } from '../../src/report/diff.ts'
export { explain } from '../../src/report/explain.ts'
export { toolsReport } from '../../src/report/tools-report.ts'
export { whatIf } from '../../src/report/what-if.ts'
