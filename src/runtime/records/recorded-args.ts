import { canonicalJson, isJsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import type { RecordedArgs } from '../../report/call-record.ts'
import { plainCopy } from '../../sources/bounded-json.ts'
import { sha256 } from '../../sources/sha256.ts'

/** Values in arguments that are worth hashing; a model writes some hundred. */
const valuesMax = 1_000_000
const keysMax = 50

/** What a record says of arguments, whoever wrote them. Absent arguments are none. */
export function recordedArgs(args: unknown, redacted: (text: string) => string): RecordedArgs {
  const copy = args === undefined || args === null ? {} : isJsonObject(args) ? plainCopy(args, valuesMax) : undefined
  if (!isJsonObject(copy)) return { keys: [] }
  const keys = Object.keys(copy).slice(0, keysMax)
  return { sha256: sha256(canonicalJson(copy)), keys: keys.map((key) => printable(redacted(key), 64)) }
}
