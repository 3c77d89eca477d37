// Writes down every module that a program loads: `node --import ./note-loaded.mjs PROGRAM`. The file to write into is
// named by TOOLGATE_LOADED_MODULES.

import { appendFileSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export function load(url, context, next) {
  appendFileSync(process.env.TOOLGATE_LOADED_MODULES, `${url}\n`)
  return next(url, context)
}
