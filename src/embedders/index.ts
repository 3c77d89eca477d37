// The subpath `toolgate/embedders`: what a configuration names as `toolgate/embedders:useLite`, and what authors of
// embedders import. Named exports, nothing else.

export type { Embedder } from '../catalog/embedding/embedder.ts'
export { useLite, useLiteFrom } from './use-lite.ts'
