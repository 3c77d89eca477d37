// A worker thread that changes what names mean, as fast as it can, until it is told to stop. Each round leaves
// everything as it was. `workerData`: {swaps, shared}; shared[0] is 1 when it is to stop, shared[1] counts swaps.
//
//   away      a folder or file goes away, and a link to `to` takes its place
//   relink    a link goes from one target to the other, in one step
//   hardlink  a second name of the file `to` takes the place of a file, in one step

import { linkSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const { swaps, shared } = workerData

const clear = (at) => {
  try {
    unlinkSync(at)
  } catch (error) {
    if (error.code !== 'ENOENT') rmSync(at, { recursive: true, force: true })
  }
}

/** Whoever writes meanwhile may make a file or folder of that name at any moment, so this is tried until it is done. */
const put = (make, at) => {
  for (;;) {
    try {
      clear(at)
      return make()
    } catch (error) {
      if (!['EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR'].includes(error.code)) throw error
    }
  }
}

const rounds = {
  away: ({ at, to }) => {
    renameSync(at, `${at}.away`)
    put(() => symlinkSync(to, at), at)
    put(() => renameSync(`${at}.away`, at), at)
  },
  relink: ({ at, to, back }) => {
    symlinkSync(to, `${at}.next`)
    renameSync(`${at}.next`, at)
    symlinkSync(back, `${at}.next`)
    renameSync(`${at}.next`, at)
  },
  hardlink: ({ at, to }) => {
    linkSync(to, `${at}.next`)
    renameSync(`${at}.next`, at)
    writeFileSync(`${at}.next`, 'inside')
    renameSync(`${at}.next`, at)
  },
}

parentPort.postMessage('ready')
while (Atomics.load(shared, 0) === 0) {
  for (const swap of swaps) {
    rounds[swap.kind](swap)
    Atomics.add(shared, 1, 1)
  }
}
parentPort.postMessage('ended')
