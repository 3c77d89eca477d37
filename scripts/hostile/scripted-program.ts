// The scripted server as a program that any supported Node can run: the oldest of them runs no TypeScript.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const folder = mkdtempSync(join(tmpdir(), 'toolgate-scripted-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Path of the program, made when this file is loaded: a case must not wait for a compiler. */
export const scriptedProgram = (() => {
  const source = readFileSync(resolve(import.meta.dirname, '../../src/testing/scripted-server.ts'), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  const path = join(folder, 'scripted-server.mjs')
  writeFileSync(path, outputText)
  return path
})()
