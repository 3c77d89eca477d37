// What went wrong on the way to a remote server, in the system's own word.

/** Such as ECONNREFUSED or CERT_HAS_EXPIRED. `fetch` hides the reason in its cause. */
export function networkWord(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** True when no connection came about, so that nothing of the request was sent. Whatever is not known may have been sent. */
export const reachedNobody = (error: unknown): boolean => {
  const word = networkWord(error)
  return beforeConnection.has(word) || /^(?:CERT_|ERR_TLS_|ERR_SSL_)|CERT|UNABLE_TO_VERIFY/.test(word)
}

const beforeConnection = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])
