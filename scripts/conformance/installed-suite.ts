// The suite, and a Node that loads it, in a folder of their own: neither is a dependency of the project.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SuiteVersion, suitePackage } from './runs.ts'

const installMs = 300_000

/** The words that start the suite. Installs what the cache lacks. */
export function installedSuite({ version, nodeMajor }: SuiteVersion, cache: string): readonly string[] {
  const folder = join(cache, `suite-${version}`)
  install(folder, `${suitePackage}@${version}`, join(suitePackage, 'dist/index.js'))
  return [nodeFor(nodeMajor, cache), join(folder, 'node_modules', suitePackage, 'dist/index.js')]
}

/** This Node, or one of the registry's, where each platform has a package that holds nothing but the program. */
function nodeFor(major: number, cache: string): string {
  const ours = Number(process.versions.node.split('.')[0])
  if (ours >= major) return process.execPath
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const program = join(name, 'bin', windows ? 'node.exe' : 'node')
  const folder = join(cache, `node-${major}`)
  install(folder, `${name}@${major}`, program)
  return join(folder, 'node_modules', program)
}

function install(folder: string, wanted: string, holds: string): void {
  if (existsSync(join(folder, 'node_modules', holds))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  console.log(`installing ${wanted}`)
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error', wanted]
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: installMs })
}
