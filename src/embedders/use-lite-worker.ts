// The model in a thread of its own: it computes 10 to 30 ms for each text, and a search must not hold up the process.
// The thread runs a text and no file, so that it is found in whatever form this package is built or bundled. The model's
// packages are CommonJS and are named by path, since a text has no place from which a bare name could be looked up.

/** What the thread is started with: absolute paths of the two packages' files. */
export interface WorkerData {
  readonly embeddings: string
  readonly model: string
}

/** No texts: answer when the model is loaded. */
export interface WorkerRequest {
  readonly turn: number
  readonly texts: readonly string[]
}

export type WorkerAnswer =
  | { readonly turn: number; readonly vectors: readonly Float32Array[] }
  | { readonly turn: number; readonly failed: string }

export const workerSource = `
const { parentPort, workerData } = require('node:worker_threads')
const loading = (async () => {
  const { initModel } = require(workerData.embeddings)
  const { modelSource } = require(workerData.model)
  return initModel(modelSource)
})()
loading.catch(() => {})
parentPort.on('message', async ({ turn, texts }) => {
  try {
    const model = await loading
    const numbers = texts.length === 0 ? [] : await model.embed(texts)
    parentPort.postMessage({ turn, vectors: numbers.map((vector) => Float32Array.from(vector)) })
  } catch (error) {
    parentPort.postMessage({ turn, failed: String((error && error.message) || error).slice(0, 500) })
  }
})
`
