// The words of the reports themselves (heads, labels, fixed sentences). What gates say stands in the gates.

import type { Phrases } from './phrase-keys.ts'
import { english } from './phrases-en.ts'
import { chinese } from './phrases-zh.ts'
import type { Lang } from './words.ts'

export type { Phrases } from './phrase-keys.ts'

/** The interface texts of a language. */
export const phrases: { readonly [lang in Lang]: Phrases } = Object.freeze({ en: english, zh: chinese })
