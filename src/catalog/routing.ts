// Requests go to tools by configured keywords, of a server or of one tool. A keyword is found as whole words, never
// inside of one; each result says by which keywords it came (C-141). Nothing is filtered and nothing is called.
//
//   keywords ── routing-words ──▶ a tree of words ─┐
//   message  ── routing-words ─────────────────────┴─▶ what it holds ─▶ by priority, score, own name

import { type RoutableTool, type RoutedTool, type RouteOptions, routingIndex } from './routing/routing-index.ts'

/**
 * The tools whose keywords a message holds: the highest priority first, then the highest score, at most `top`. For
 * many messages make a `routingIndex` once. Pure; the order of the tools makes no difference.
 */
export const routed = (message: string, tools: readonly RoutableTool[], { top }: RouteOptions): readonly RoutedTool[] =>
  routingIndex(tools).route(message, { top })
