// What is measured, in the order of the tables. A system is one file beside this one and one line here.

import type { SearchSystem } from '../system.ts'
import { bm25Plain } from './bm25-plain.ts'
import { claw } from './claw.ts'
import { deerflow } from './deerflow.ts'
import { minisearchTuned } from './minisearch-tuned.ts'
import { toolgate } from './toolgate.ts'

/** Ours; the others are baselines. */
export const ours = toolgate.id

export const systemOrder: readonly SearchSystem[] = [toolgate, bm25Plain, minisearchTuned, deerflow, claw]
