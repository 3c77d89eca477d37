// The scenarios in the order in which they run. A new one is one file and one line.

import { clockJumps } from './clock-jumps.ts'
import { flappingServer } from './flapping-server.ts'
import { fullPool } from './full-pool.ts'
import { garbageOnStdout } from './garbage-on-stdout.ts'
import { hugeResult } from './huge-result.ts'
import { limitsOfTheSystem } from './limits-of-the-system.ts'
import { listChangedStorm } from './list-changed-storm.ts'
import { manyAskers } from './many-askers.ts'
import { manyTools } from './many-tools.ts'
import type { Scenario } from './scenario.ts'
import { slowReader } from './slow-reader.ts'
import { startHangs } from './start-hangs.ts'
import { threadsEnd } from './threads-end.ts'
import { upstreamHangs } from './upstream-hangs.ts'
import { upstreamKilled } from './upstream-killed.ts'
import { wrongAnswers } from './wrong-answers.ts'

export const scenarios: readonly Scenario[] = [
  upstreamKilled,
  upstreamHangs,
  startHangs,
  garbageOnStdout,
  hugeResult,
  manyTools,
  flappingServer,
  listChangedStorm,
  clockJumps,
  limitsOfTheSystem,
  slowReader,
  fullPool,
  manyAskers,
  threadsEnd,
  wrongAnswers,
]
