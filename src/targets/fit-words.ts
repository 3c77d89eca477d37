// What fitting did, in words: for the gate provider-fit and for reports. English and Chinese, no period at the end.

import type { NameFault } from './fit-name.ts'
import type { OverCapCause } from './over-cap.ts'
import type { NoteWhat, RefusalWhy } from './schema/schema-rule.ts'

/** A name that was changed. `from` is printable. */
export type AliasFact = {
  readonly from: string
  readonly to: string
  readonly why: readonly NameFault[]
}

/** One change of a definition. Path and keyword are printable; the path '' is the tool itself. */
export type NoteFact = {
  readonly path: string
  readonly keyword: string
  readonly what: NoteWhat | 'filled'
}

type Pair = { readonly en: string; readonly zh: string }
type Lang = keyof Pair

const notesSaid = 3

const faults: { readonly [fault in NameFault]: Pair } = {
  characters: { en: 'it holds characters that are not taken', zh: '含有不被接受的字符' },
  'first-character': { en: 'it must begin with a letter or _', zh: '须以字母或 _ 开头' },
  length: { en: 'it is too long', zh: '过长' },
  taken: { en: 'another tool would bear the same name', zh: '会与另一工具重名' },
}

const whats: { readonly [what in NoteFact['what']]: Pair } = {
  added: { en: 'added', zh: '已补充' },
  dropped: { en: 'dropped', zh: '已去除' },
  described: { en: 'moved into the description', zh: '已移入描述' },
  rewritten: { en: 'rewritten', zh: '已改写' },
  inlined: { en: 'written out', zh: '已展开' },
  cut: { en: 'cut short', zh: '已截短' },
  filled: { en: 'filled in', zh: '已填写' },
}

const refusals: { readonly [why in RefusalWhy]: Pair } = {
  'not-an-object': { en: 'arguments must be an object', zh: '参数必须是对象' },
  'remote-reference': { en: 'a reference leads out of the schema', zh: '引用指向 schema 之外' },
  'dangling-reference': { en: 'a reference leads to nothing', zh: '引用指向不存在的位置' },
  'endless-reference': { en: 'references lead in a circle', zh: '引用形成死循环' },
  'open-object': { en: 'strict mode has no objects with free names', zh: '严格模式不支持可任意命名的对象' },
  'too-deep': { en: 'it is nested too deep', zh: '嵌套过深' },
  'too-big': { en: 'it is too big', zh: '体积过大' },
}

const capHints: { readonly [cause in OverCapCause]: Pair } = {
  'deferral-off': {
    en: 'set `tool_search.enabled: true`, so that what does not fit is found on request, or list the tool under `tool_search.always`',
    zh: '设置 `tool_search.enabled: true`，使放不下的工具可按需查找，或将该工具列入 `tool_search.always`',
  },
  'no-tool-search': {
    en: 'let the agent have tool_search, list the tool under `tool_search.always`, or leave other tools out',
    zh: '让智能体拥有 tool_search，将该工具列入 `tool_search.always`，或排除其他工具',
  },
  'must-stay-eager': {
    en: 'leave other tools out, shorten `tool_search.always`, or use a target that takes more tools',
    zh: '排除其他工具，缩短 `tool_search.always`，或改用可接受更多工具的目标',
  },
}

/** `offered as "b": it is too long`; for a sentence that begins with the name. */
export function aliasWords({ to, why }: AliasFact, lang: Lang): string {
  const because = why.map((fault) => faults[fault][lang])
  return lang === 'en' ? `offered as "${to}": ${because.join(', ')}` : `以 "${to}" 提供：${because.join('、')}`
}

/** The first changes with their places, and how many more there were. */
export function noteWords(notes: readonly NoteFact[], changes: number, lang: Lang): string {
  const said = notes.slice(0, notesSaid).map(({ path, keyword, what }) => {
    const place = [path, keyword].filter((part) => part !== '').join(' ')
    return lang === 'en' ? `${place} ${whats[what].en}` : `${place} ${whats[what].zh}`
  })
  const more = changes - said.length
  if (more > 0) said.push(lang === 'en' ? `${more} more` : `另有 ${more} 处`)
  return said.join(lang === 'en' ? '; ' : '；')
}

/** `$ref under /properties/a: a reference leads to nothing`. Path and keyword are printable. */
export function refusalWords(path: string, keyword: string, why: RefusalWhy, lang: Lang): string {
  const place = path === '' ? (lang === 'en' ? 'its root' : '根部') : path
  const at = keyword === '' ? place : lang === 'en' ? `${keyword} of ${place}` : `${place} 的 ${keyword}`
  return lang === 'en' ? `${at}: ${refusals[why].en}` : `${at}：${refusals[why].zh}`
}

/** What to do about a tool that finds no place under a target's cap. */
export const capHintWords = (cause: OverCapCause, lang: Lang): string => capHints[cause][lang]
