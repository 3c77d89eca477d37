import type { Reporter, TestModule } from 'vitest/node'

/** Prints the one line that scripts read: `N passed, N failed`, and the skipped where there are any. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests += 1
        const { state } = test.result()
        if (state !== 'pending') counts[state] += 1
      }
      // A file that does not load has no tests, and is a failure all the same.
      if (tests === 0 && !module.ok()) counts.failed += 1
    }
    const skips = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skips}\n`)
  }
}
