import type { StoreKind } from '../store-kind.ts'
import { sqlite } from './sqlite.ts'

/** The first kind that knows a scheme opens it. */
export const storeOrder: readonly StoreKind[] = [sqlite]
