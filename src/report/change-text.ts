// A change in words, for any path: what a person or a page shows beside the gate's own hint.

import type { Change } from '../core/gate.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Lang } from './words.ts'

/** One sentence: what is set, added or removed, and where. No final period. */
export function changeText({ on, op, path, value }: Change, lang: Lang): string {
  const place = printable(path.join('.'), 120)
  const what = valueText(value, lang)
  if (lang === 'zh') {
    const where = on === 'facts' ? `本次运行的 ${place}` : `该工具的 ${place}`
    switch (op) {
      case 'set':
        return `将${where} 设为 ${what}`
      case 'unset':
        return `去掉${where}`
      case 'add':
        return `在${where} 中加入 ${what}`
      case 'remove':
        return `从${where} 中移除 ${what}`
    }
  }
  const where = on === 'facts' ? `${place} of the run` : `${place} of the tool`
  switch (op) {
    case 'set':
      return `set ${where} to ${what}`
    case 'unset':
      return `drop ${where}`
    case 'add':
      return `add ${what} to ${where}`
    case 'remove':
      return `remove ${what} from ${where}`
  }
}

/** A rule as it is written, anything else as JSON. */
function valueText(value: Json | undefined, lang: Lang): string {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const { effect, text } = value as { readonly effect?: Json; readonly text?: Json }
    if (typeof effect === 'string' && typeof text === 'string')
      return printable(`${lang === 'zh' ? '规则' : 'the rule'} "${effect} ${text}"`, 160)
  }
  return printable(canonicalJson(value), 160)
}
