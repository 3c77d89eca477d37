// Bounds of the HTTP endpoint. Whatever a stranger can make grow has one.

export interface HttpLimits {
  /** Longest body of a request. */
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Levels of arrays and objects in a body. */
  readonly depth: number
  /** Values in a body, counted from outside: one for each comma, bracket and brace. */
  readonly elements: number
  /** Requests of one client that run at the same time, streams that it holds open included. */
  readonly inFlight: number
  /** Requests of one client in a second, on average; as many may come at once after a quiet second. */
  readonly perSecond: number
  readonly connections: number
  /** Time for the headers and time for the body of a request. */
  readonly receiveMs: number
  /** Sessions of the 2025 revisions, of all clients together. */
  readonly sessions: number
  /** A session of which nothing runs and that holds no stream open ends after this time. */
  readonly sessionIdleMs: number
  /** What is kept of one stream for a client that comes back to it. */
  readonly replayEvents: number
  readonly replayBytes: number
  /** Requests of 2026-07-28 that wait for their client to come again, of all clients together, and how long they do. */
  readonly parked: number
  readonly parkedMs: number
  /** URIs in one `subscriptions/listen`. */
  readonly subscriptions: number
  /** Between two signs of life on a stream that is open. */
  readonly keepAliveMs: number
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 4 * 1024 * 1024,
  headerBytes: 16 * 1024,
  depth: 100,
  elements: 100_000,
  inFlight: 64,
  perSecond: 2000,
  connections: 1024,
  receiveMs: 15_000,
  sessions: 1000,
  sessionIdleMs: 30 * 60_000,
  replayEvents: 256,
  replayBytes: 1024 * 1024,
  parked: 1000,
  parkedMs: 10 * 60_000,
  subscriptions: 1000,
  keepAliveMs: 15_000,
}
