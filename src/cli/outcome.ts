import type { PreparedRun } from '../assembly/run-input.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** A run without one of its required servers is no run, whatever was asked of it. */
export function exitOf(run: PreparedRun): ExitCode {
  return run.servers.some((server) => server.required && server.state !== 'available')
    ? exitCodes.required
    : exitCodes.ok
}
