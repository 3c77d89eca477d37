import type { ReportOptions } from '../report/tools-report.ts'
import type { Flags } from './flags.ts'

/**
 * Language and token counter of a report. The tokenizer (o200k, that of current OpenAI models; others differ by a
 * few per cent) takes most of a second to load, so it is loaded for `--exact` alone.
 */
export async function reportOptions({ lang, exact }: Pick<Flags['output'], 'lang' | 'exact'>): Promise<ReportOptions> {
  if (!exact) return { lang }
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Foreign text may hold what looks like a control token; it is counted as plain text.
  return { lang, count: (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() }) }
}
