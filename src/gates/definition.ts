// A faulty or changed definition costs its own tool and nothing else. Names are judged as the owner gave them:
// they go over the wire, into prompts, reports and file names.

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, type Change, defineGate, excludes } from '../core/gate.ts'
import { printable } from '../core/printable.ts'
import type { Pin } from '../core/run-facts.ts'
import { quoted, remark, remarkZh } from './words.ts'

/** Longest name of a tool; the limit that MCP gives since revision 2025-11-25. */
const nameMax = 128

/** Most characters of one definition as a model would be sent it: 256 Ki, some 60,000 tokens. */
export const definitionCharsMax = 256 * 1024

/** No `m` flag, so `$` is the very end: a trailing line break does not pass. */
const wellFormed = /^[A-Za-z0-9_.-]{1,128}$/

type WithDetail<Facts> = Facts & { readonly detail?: string }

const noFaults: Change = { on: 'candidate', op: 'unset', path: ['faults'] }
const renamed = (candidate: Candidate): readonly Change[] => [
  { on: 'candidate', op: 'set', path: ['originalName'], value: mended(candidate.originalName) },
  noFaults,
]

export const definition = defineGate({
  id: 'definition',
  asks: {
    en: 'Is the definition sound, and is it the one that was approved?',
    zh: '其定义是否完好，且就是已获批准的那一份？',
  },
  reasons: {
    'stands-for-a-server': abstains({
      say: { en: () => 'it stands for tools that nobody has listed yet', zh: () => '它代表尚未列出的工具' },
    }),
    sound: admits({ say: { en: () => 'name and definition are sound', zh: () => '名字和定义均完好' } }),
    approved: admits<{ readonly approvedAt: string }>({
      say: {
        en: (e) => `the definition is the one that was approved${remark(e.approvedAt)}`,
        zh: (e) => `其定义与获批准的一致${remarkZh(e.approvedAt)}`,
      },
    }),
    // A name that is no name claims none, so these two reserve nothing.
    'invalid-name': excludes<WithDetail<{ readonly name: string }>>({
      say: {
        en: (e) => `its name ${quoted(e.name)} is not made of 1 to 128 letters, digits, _ . and -${remark(e.detail)}`,
        zh: (e) => `其名字 ${quoted(e.name)} 不是由 1 到 128 个字母、数字、_ . - 组成${remarkZh(e.detail)}`,
      },
      hint: {
        en: () => 'ask its author for a name of plain letters, digits, `_`, `.` and `-`, other than `__proto__`',
        zh: () => '请让作者改用由字母、数字、`_`、`.`、`-` 组成且不是 `__proto__` 的名字',
      },
      change: (_e, candidate) => renamed(candidate),
    }),
    'name-too-long': excludes<{ readonly length: number; readonly max: number }>({
      say: {
        en: (e) => `its name has ${e.length} characters, and ${e.max} are allowed`,
        zh: (e) => `其名字有 ${e.length} 个字符，上限为 ${e.max}`,
      },
      hint: { en: () => 'ask its author for a shorter name', zh: () => '请让作者缩短名字' },
      change: (_e, candidate) => renamed(candidate),
    }),
    'invalid-schema': excludes<WithDetail<{ readonly root: string }>>({
      say: {
        en: (e) =>
          e.detail === undefined
            ? `its input schema does not describe an object of arguments${remark(e.root)}`
            : `its input schema cannot be used${remark(e.detail)}`,
        zh: (e) =>
          e.detail === undefined
            ? `其输入 schema 描述的不是一个参数对象${remarkZh(e.root)}`
            : `其输入 schema 无法使用${remarkZh(e.detail)}`,
      },
      hint: {
        en: () => 'ask its author for an `inputSchema` whose root has `type: object` and whose parts are sound',
        zh: () => '请让作者提供根部为 `type: object` 且各部分完好的 `inputSchema`',
      },
      change: () => [
        { on: 'candidate', op: 'set', path: ['definition', 'inputSchema'], value: { type: 'object' } },
        noFaults,
      ],
      reserves: true,
    }),
    'definition-too-big': excludes<WithDetail<{ readonly chars: number; readonly max: number }>>({
      say: {
        en: (e) => `its definition is too big: ${e.max} characters (256 Ki) are allowed${remark(tooBigDetail(e))}`,
        zh: (e) => `其定义过大，上限为 ${e.max} 个字符（256 Ki）${remarkZh(tooBigDetail(e))}`,
      },
      hint: { en: () => 'ask its author for a smaller definition', zh: () => '请让作者缩小其定义' },
      change: (e) => [{ on: 'candidate', op: 'set', path: ['definitionChars'], value: e.max }, noFaults],
      reserves: true,
    }),
    'definition-not-approved': excludes<{ readonly hash: string }>({
      say: {
        en: (e) => `nobody has approved its definition yet (sha256 ${short(e.hash)})`,
        zh: (e) => `其定义尚无人批准（sha256 ${short(e.hash)}）`,
      },
      hint: {
        en: () => 'read the definition with `toolgate pin`, then approve it with `toolgate pin --approve`',
        zh: () => '请用 `toolgate pin` 阅读其定义，再用 `toolgate pin --approve` 予以批准',
      },
      change: (e, candidate) => [approval(candidate, e.hash)],
      reserves: true,
    }),
    'definition-changed': excludes<{
      readonly hash: string
      readonly approvedHash: string
      readonly approvedAt: string
    }>({
      say: {
        en: (e) =>
          `its definition changed since it was approved (sha256 ${short(e.approvedHash)} then, ${short(e.hash)} now)`,
        zh: (e) => `其定义在批准之后发生了变化（当时 sha256 ${short(e.approvedHash)}，现在 ${short(e.hash)}）`,
      },
      hint: {
        en: () => 'read what changed, then approve the definition again with `toolgate pin --approve`',
        zh: () => '请查看变更内容，然后用 `toolgate pin --approve` 重新批准其定义',
      },
      change: (e, candidate, facts) => [
        ...(facts.pins ?? [])
          .filter((pin) => pin.id === candidate.id)
          .map((pin): Change => ({ on: 'facts', op: 'remove', path: ['pins'], value: { ...pin } })),
        approval(candidate, e.hash),
      ],
      reserves: true,
    }),
  },
  open: (facts, _standing, because) => {
    const pins = facts.pins === undefined ? undefined : new Map(facts.pins.map((pin) => [pin.id, pin]))
    return (candidate) => {
      if (candidate.standIn === true) return because('stands-for-a-server', {})
      const { originalName: name, definitionChars: chars } = candidate
      const fault = candidate.faults?.[0]
      if (fault !== undefined) {
        // What was seen on the wire comes first: the definition that is left may be cut or empty because of it.
        const { code, detail } = fault
        if (code === 'invalid-name') return because(code, { name: String(name), detail })
        if (code === 'invalid-schema') return because(code, { root: 'unreadable', detail })
        return because('definition-too-big', { chars, max: definitionCharsMax, detail })
      }
      if (typeof name !== 'string') return because('invalid-name', { name: String(name), detail: 'it is no text' })
      if (name.length > nameMax) return because('name-too-long', { length: name.length, max: nameMax })
      if (!wellFormed.test(name) || name === '__proto__') return because('invalid-name', { name })
      const root = rootOf(candidate.definition.inputSchema)
      if (root !== 'object') return because('invalid-schema', { root })
      if (chars > definitionCharsMax) return because('definition-too-big', { chars, max: definitionCharsMax })
      if (pins === undefined || !isForeign(candidate)) return because('sound', {})
      const pin: Pin | undefined = pins.get(candidate.id)
      const hash = candidate.definitionHash
      if (pin === undefined) return because('definition-not-approved', { hash })
      const { approvedAt, definitionHash: approvedHash } = pin
      return approvedHash === hash
        ? because('approved', { approvedAt })
        : because('definition-changed', { hash, approvedHash, approvedAt })
    }
  },
})

/** `object` for an object schema, else what stands at the root instead. */
function rootOf(schema: unknown): string {
  if (schema === undefined || schema === null) return 'it has none'
  if (typeof schema !== 'object' || Array.isArray(schema)) return 'it is not an object itself'
  const type: unknown = Object.hasOwn(schema, 'type') ? (schema as { readonly type?: unknown }).type : undefined
  return type === 'object' ? 'object' : `its type is ${typeof type === 'string' ? type : 'not said'}`
}

/** Our own tools and the operator's modules change with their installation; pins guard what strangers define. */
export const isForeign = ({ protocol }: Candidate): boolean => protocol === 'mcp' || protocol === 'acp'

const approval = ({ id }: Candidate, definitionHash: string): Change => ({
  on: 'facts',
  op: 'add',
  path: ['pins'],
  value: { id, definitionHash, approvedAt: 'now' },
})

const short = (hash: string): string => printable(hash.slice(0, 12))

const tooBigDetail = (e: WithDetail<{ readonly chars: number }>): string => e.detail ?? `it has ${e.chars}`

/** The nearest name that would pass, for the question "what if its author mended it". */
function mended(name: unknown): string {
  const text = typeof name === 'string' ? name.slice(0, nameMax).replace(/[^A-Za-z0-9_.-]/g, '_') : ''
  return text === '' || text === '__proto__' ? 'renamed' : text
}
