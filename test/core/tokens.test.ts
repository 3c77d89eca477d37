import { expect, test } from 'vitest'
import { estimateTokens } from '../../src/core/tokens.ts'

test.each([
  [0, 0],
  [1, 1],
  [4, 1],
  [5, 2],
  [424, 100],
  [-1, 0],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 0],
])('estimates %d characters as %d tokens', (chars, tokens) => expect(estimateTokens(chars)).toBe(tokens))
