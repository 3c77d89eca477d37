// Can the tool be had right now? A server that is down, switched off or waits for a login is not a missing tool:
// each state is its own code with its own next step.

import type { Candidate, UnavailableState } from '../core/candidate.ts'
import { abstains, admits, type Change, defineGate, excludes, type Words } from '../core/gate.ts'
import { printable } from '../core/printable.ts'
import { ownerOf, ownerOfZh, remark, remarkZh } from './words.ts'

interface WhatHappened {
  /** One line from the source. */
  readonly detail: string
  /** When the tool was last listed, ISO 8601. */
  readonly lastListedAt?: string
  readonly [fact: string]: string | undefined
}

/** A sentence about whoever owns the tool, with what happened in parentheses; and what to do. */
interface StateWords {
  readonly en: string
  readonly zh: string
  readonly hint: Words<WhatHappened>
}

const hint = (en: string, zh: string): Words<WhatHappened> => ({
  en: (_e, candidate) => en.replace('OWNER', () => ownerOf(candidate)),
  zh: (_e, candidate) => zh.replace('OWNER', () => ownerOfZh(candidate)),
})

const states: { readonly [state in UnavailableState]: StateWords } = {
  'not-configured': {
    en: 'lacks a part of its configuration',
    zh: '的配置不完整',
    hint: hint('complete the configuration of OWNER', '请补全OWNER的配置'),
  },
  disabled: {
    en: 'is switched off in the configuration',
    zh: '在配置中被关闭',
    hint: hint('set `enabled: true` where OWNER is configured', '请在OWNER的配置处设置 `enabled: true`'),
  },
  'not-approved': {
    en: 'came with a shared file and nobody has approved it',
    zh: '来自共享文件，尚无人批准',
    hint: hint('look at what OWNER would run, then approve it', '请先查看OWNER将运行的内容，再予以批准'),
  },
  starting: {
    en: 'is still starting',
    zh: '仍在启动',
    hint: hint('wait until OWNER is up and ask again', '请等待OWNER启动完成后重试'),
  },
  'failed-to-start': {
    en: 'could not be started',
    zh: '未能启动',
    hint: hint(
      'run the command of OWNER by hand and mend what it reports',
      '请手动运行OWNER的启动命令并修复其报告的问题',
    ),
  },
  'handshake-failed': {
    en: 'started but did not complete the handshake',
    zh: '已启动但未能完成握手',
    hint: hint('check that OWNER speaks MCP on this transport', '请确认OWNER在该传输方式上支持 MCP'),
  },
  'login-needed': {
    en: 'wants a login first',
    zh: '需要先登录',
    hint: hint(
      'log in to OWNER with `toolgate login`, then run again',
      '请先用 `toolgate login` 登录OWNER，然后重新运行',
    ),
  },
  'listing-failed': {
    en: 'did not give its list of tools',
    zh: '未能给出工具列表',
    hint: hint('look at the log of OWNER and mend what fails there', '请查看OWNER的日志并修复其中的错误'),
  },
  'timed-out': {
    en: 'gave no answer before its deadline',
    zh: '在截止时间前没有响应',
    hint: hint(
      'raise the start timeout of OWNER, or find out what keeps it',
      '请调高OWNER的启动超时，或查明其卡住的原因',
    ),
  },
  'listed-nothing': {
    en: 'answered with an empty list of tools',
    zh: '返回了空的工具列表',
    hint: hint('check the settings of OWNER that decide what it offers', '请检查决定OWNER提供哪些工具的设置'),
  },
  'no-longer-listed': {
    en: 'no longer lists it',
    zh: '已不再列出它',
    hint: hint(
      'use a name that OWNER lists now, or bring back the version that had it',
      '请改用OWNER当前列出的名字，或恢复原有版本',
    ),
  },
  'unsupported-transport': {
    en: 'is reached by a transport that is not supported',
    zh: '使用了不受支持的传输方式',
    hint: hint('configure OWNER with stdio, http or sse', '请将OWNER配置为 stdio、http 或 sse'),
  },
  'load-failed': {
    en: 'could not be loaded',
    zh: '未能加载',
    hint: hint('mend the module that `use` names for OWNER', '请修复OWNER的 `use` 所指的模块'),
  },
}

const isThere: Change = { on: 'candidate', op: 'set', path: ['availability'], value: { state: 'available' } }

const unavailable = (state: UnavailableState) => {
  const words = states[state]
  const seenEn = (e: WhatHappened): string =>
    e.lastListedAt === undefined ? '' : `, last listed at ${printable(e.lastListedAt, 40)}`
  const seenZh = (e: WhatHappened): string =>
    e.lastListedAt === undefined ? '' : `，上次列出于 ${printable(e.lastListedAt, 40)}`
  return excludes<WhatHappened>({
    say: {
      en: (e, candidate) => `${ownerOf(candidate)} ${words.en}${remark(e.detail)}${seenEn(e)}`,
      zh: (e, candidate) => `${ownerOfZh(candidate)}${words.zh}${remarkZh(e.detail)}${seenZh(e)}`,
    },
    hint: words.hint,
    change: () => [isThere],
  })
}

export const availability = defineGate({
  id: 'availability',
  asks: { en: 'Can the tool be had right now?', zh: '该工具此刻是否可用？' },
  reasons: {
    available: admits({ say: { en: () => 'it is there', zh: () => '它可用' } }),
    'not-started': abstains({
      say: {
        en: (_e, candidate) => `${ownerOf(candidate)} was not started, because a later gate leaves it out whole`,
        zh: (_e, candidate) => `${ownerOfZh(candidate)}未被启动，因为后面的闸门会将其整体排除`,
      },
    }),
    'not-configured': unavailable('not-configured'),
    disabled: unavailable('disabled'),
    'not-approved': unavailable('not-approved'),
    starting: unavailable('starting'),
    'failed-to-start': unavailable('failed-to-start'),
    'handshake-failed': unavailable('handshake-failed'),
    'login-needed': unavailable('login-needed'),
    'listing-failed': unavailable('listing-failed'),
    'timed-out': unavailable('timed-out'),
    'listed-nothing': unavailable('listed-nothing'),
    'no-longer-listed': unavailable('no-longer-listed'),
    'unsupported-transport': unavailable('unsupported-transport'),
    'load-failed': unavailable('load-failed'),
  },
  open: (_facts, _standing, because) => (candidate: Candidate) => {
    const found = candidate.availability
    if (found.state === 'available' || found.state === 'not-started') return because(found.state, {})
    const { state, detail, lastListedAt, origin } = found
    return because(state, lastListedAt === undefined ? { detail } : { detail, lastListedAt }, { origin })
  },
})
