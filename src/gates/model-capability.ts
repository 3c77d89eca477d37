// A tool that the model cannot use only costs it attention. A child is judged by the child's own model, because
// the facts of its run name that model.

import type { Need } from '../core/candidate.ts'
import { abstains, admits, defineGate, excludes } from '../core/gate.ts'
import type { ModelCapability } from '../core/run-facts.ts'
import { quoted } from './words.ts'

/** Needs that the model meets. The others are questions of other gates. */
const modelNeeds = ['vision', 'native-search'] as const satisfies readonly (Need & ModelCapability)[]

const inWords: { readonly [need in (typeof modelNeeds)[number]]: { readonly en: string; readonly zh: string } } = {
  vision: { en: 'see images', zh: '查看图像' },
  'native-search': { en: 'search by itself', zh: '自行搜索' },
}

interface NeedAndModel {
  readonly need: (typeof modelNeeds)[number]
  readonly model: string
  readonly [fact: string]: string
}

export const modelCapability = defineGate({
  id: 'model-capability',
  asks: {
    en: 'Can the model that runs do what the tool needs?',
    zh: '本次运行的模型是否具备该工具所需的能力？',
  },
  reasons: {
    'needs-nothing-special': abstains({
      say: { en: () => 'it needs nothing special of the model', zh: () => '它对模型没有特殊要求' },
    }),
    'model-can': admits<NeedAndModel>({
      say: {
        en: (e) => `model ${quoted(e.model)} can ${inWords[e.need].en}`,
        zh: (e) => `模型 ${quoted(e.model)} 能够${inWords[e.need].zh}`,
      },
    }),
    'model-cannot': excludes<NeedAndModel>({
      say: {
        en: (e) => `it needs a model that can ${inWords[e.need].en}, and ${quoted(e.model)} cannot`,
        zh: (e) => `它需要能够${inWords[e.need].zh}的模型，而 ${quoted(e.model)} 不能`,
      },
      hint: {
        en: (e) => `choose a model that can ${inWords[e.need].en}, or add \`${e.need}\` to what this model can`,
        zh: (e) => `请选择能够${inWords[e.need].zh}的模型，或在该模型的 can 中加入 \`${e.need}\``,
      },
      change: (e, candidate, facts) =>
        candidate.needs
          .filter((need) => need === e.need || isLacking(need, facts.model.can))
          .map((need) => ({ on: 'facts', op: 'add', path: ['model', 'can'], value: need })),
    }),
    'model-takes-no-tools': excludes<{ readonly model: string }>({
      say: {
        en: (e) => `model ${quoted(e.model)} cannot call tools at all`,
        zh: (e) => `模型 ${quoted(e.model)} 完全不能调用工具`,
      },
      hint: {
        en: () => 'choose a model that calls tools, or add `tools` to what this model can',
        zh: () => '请选择支持工具调用的模型，或在该模型的 can 中加入 `tools`',
      },
      change: (_e, candidate, facts) =>
        ['tools', ...candidate.needs.filter((need) => isLacking(need, facts.model.can))].map((value) => ({
          on: 'facts',
          op: 'add',
          path: ['model', 'can'],
          value,
        })),
    }),
  },
  open: (facts, _standing, because) => {
    const { can, name: model, origin } = facts.model
    if (!can.includes('tools')) {
      const verdict = because('model-takes-no-tools', { model }, { origin })
      return () => verdict
    }
    return (candidate) => {
      const needs = modelNeeds.filter((need) => candidate.needs.includes(need))
      const lacking = needs.find((need) => !can.includes(need))
      if (lacking !== undefined) return because('model-cannot', { need: lacking, model }, { origin })
      const [need] = needs
      return need === undefined
        ? because('needs-nothing-special', {})
        : because('model-can', { need, model }, { origin })
    }
  },
})

const isLacking = (need: Need, can: readonly ModelCapability[]): boolean =>
  modelNeeds.some((known) => known === need && !can.includes(known))
