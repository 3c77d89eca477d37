import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Many tests wait for processes: on a small machine two files at a time take half as long.
    ...(availableParallelism() <= 2 ? { maxWorkers: 2 } : {}),
    reporters: ['default', './test/house/closing-line.ts'],
  },
})
