import { createHash } from 'node:crypto'
import type { Sha256 } from '../core/json.ts'

/** SHA-256 of a UTF-8 text as 64 hex digits: the one implementation that is handed to `core`. */
export const sha256: Sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')
