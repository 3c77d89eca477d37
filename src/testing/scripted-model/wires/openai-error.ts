import type { JsonObject } from '../../../core/json.ts'

/** An error in the form of OpenAI's interfaces. */
export const openaiError = (status: number, message: string): JsonObject => ({
  error: { message, type: typeOf(status), param: null, code: codeOf.get(status) ?? null },
})

const typeOf = (status: number): string =>
  status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'

const codeOf: ReadonlyMap<number, string> = new Map([
  [401, 'invalid_api_key'],
  [404, 'model_not_found'],
  [429, 'rate_limit_exceeded'],
])
