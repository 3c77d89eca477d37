// A state folder on a disk that is full. The disk is a tmpfs of 1 MiB in a mount namespace of a child process, so
// nothing of it outlives the child. Where the system allows no such namespace, the child may write no file over a
// limit instead, and the error says so in its own word. The child is this file: full-disk.ts tmpfs|limit FOLDER.

import { execFile } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding } from '../../src/core/finding.ts'
import { listingStore, type StoredListing } from '../../src/sessions/listing/listing-store.ts'
import { type Told, toldBy } from './expected.ts'

interface Report {
  readonly findings: readonly Finding[]
  /** Misses: the state before is not whole, something is left over, or it does not recover. */
  readonly wrong: readonly string[]
}

const program = fileURLToPath(import.meta.url)

/** Saves state twice, the second time without room, and says what came of it. */
export async function fullDisk(
  folder: string,
): Promise<{ readonly errors: readonly Told[]; readonly wrong: readonly string[] }> {
  const node = [process.execPath, '--import', 'tsx', program]
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const mounted = ['sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"', folder]
  const isolated = ['unshare', ...user, '--mount', ...mounted, ...node, 'tmpfs', folder]
  const limited = ['sh', '-c', 'ulimit -f 256; exec "$@"', 'sh', ...node, 'limit', folder]
  const report = (await reportOf(isolated)) ?? withDiskWord(await reportOf(limited))
  if (report === undefined) return { errors: [], wrong: ['no disk could be filled on this system'] }
  return { errors: report.findings.map(toldBy), wrong: report.wrong }
}

/** Nothing when it could not be run to its end. */
const reportOf = ([command = '', ...args]: readonly string[]): Promise<Report | undefined> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd: import.meta.dirname, timeout: 20_000 }, (error, stdout) => {
      resolve(error === null ? (JSON.parse(stdout) as Report) : undefined)
    })
  })

/** A file over the limit is EFBIG; it stands for the full disk that could not be made. */
function withDiskWord(report: Report | undefined): Report | undefined {
  if (report === undefined) return undefined
  const findings = report.findings.map((found) => ({
    ...found,
    message: found.message.replace('EFBIG', 'EFBIG for ENOSPC'),
  }))
  return { ...report, findings }
}

// ── in the child ──

async function attempt(how: string, state: string): Promise<Report> {
  const store = listingStore(state)
  const wrong: string[] = []
  const first = listing('first', 10)
  if ((await store.write(first)).length > 0) wrong.push('the first state could not be saved')
  const filler = join(state, 'filler')
  if (how === 'tmpfs') fill(filler)
  const findings = await store.write(listing('second', 3000))

  const kept = await store.read(first.server, first.identity)
  if (JSON.stringify(kept.listing?.tools) !== JSON.stringify(first.tools)) wrong.push('the state before is not whole')
  const left = readdirSync(join(state, 'listings')).filter((name) => !name.endsWith('.json'))
  if (left.length > 0) wrong.push(`left over: ${left.join(', ')}`)
  rmSync(filler, { force: true })
  const third = listing('third', 20)
  const later = await store.write(third)
  const now = await store.read(third.server, third.identity)
  if (later.length > 0 || now.listing?.tools.length !== 20) wrong.push('it does not recover when there is room again')
  return { findings, wrong }
}

function listing(word: string, count: number): Omit<StoredListing, 'failedAt'> {
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `${word}_${index}`,
    description: 'x'.repeat(100),
  }))
  const known = {
    server: 'files',
    identity: 'a'.repeat(64),
    era: 'legacy',
    listedAt: '2026-01-01T00:00:00.000Z',
  } as const
  return { ...known, tools, whole: true, problems: [], gone: [] }
}

function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

const [, started, how = '', folder = ''] = process.argv
if (started === program) console.log(JSON.stringify(await attempt(how, folder)))
