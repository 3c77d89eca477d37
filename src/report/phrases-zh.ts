// The texts of the reports in Chinese.

import { ageText } from './age-text.ts'
import { grouped } from './layout.ts'
import { percentText } from './percent-text.ts'
import type { Phrases } from './phrase-keys.ts'

const about = (estimated: boolean): string => (estimated ? '约 ' : ' ')

/** Every text, in Chinese. */
export const chinese: Phrases = {
  outcome: { eager: '直接提供', deferred: '按需加载', excluded: '已排除' },
  effect: { abstain: '不涉及', admit: '通过', defer: '延后', exclude: '排除' },
  severity: { error: '错误', warning: '警告', info: '提示' },
  heads: {
    name: '名称',
    outcome: '结果',
    source: '来源',
    tokens: '词元',
    why: '原因',
    score: '得分',
    matched: '匹配',
    server: '服务器',
    tools: '工具',
    deferred: '按需加载',
    ifAllEager: '若直接提供',
    saved: '节省',
  },
  labels: {
    agent: '智能体',
    model: '模型',
    target: '目标',
    preset: '预设',
    candidates: '候选',
    leftOutBy: '排除于',
    tokens: '词元',
    servers: '服务器',
    skills: '技能',
    rules: '规则',
    sources: '来源',
    findings: '问题',
    surface: '工具面',
    eager: '直接提供',
    deferred: '按需加载',
    switches: '开关',
  },
  asks: '需确认',
  settledBy: (gate) => `由 ${gate} 决定`,
  noGate: '没有闸门审查过它',
  showing: (shown, all) => `显示 ${grouped(shown)} / ${grouped(all)}`,
  rest: '用 --all 显示全部',
  more: (count) => `……另有 ${grouped(count)} 个`,
  sum: (candidates, eager, deferred, excluded) =>
    `${grouped(candidates)} = 直接提供 ${grouped(eager)} + 按需加载 ${grouped(deferred)} + 已排除 ${grouped(excluded)}`,
  cost: ({ sent, ifAllEager, saved, savedShare, defers, estimated }) => {
    const costs = `每次请求${about(estimated)}${grouped(sent)}`
    if (!defers) return costs
    const both = `${costs}，若全部直接提供${about(estimated)}${grouped(ifAllEager)}`
    return saved < 0
      ? `${both}；名称列表与 tool_search 的开销比按需加载的节省多${about(estimated)}${grouped(-saved)}`
      : `${both}；扣除名称列表与 tool_search 后，按需加载节省${about(estimated)}${grouped(saved)}（${percentText(savedShare)}）`
  },
  withoutServer: (server, { tools, tokens, estimated, refilled }) =>
    `移除 ${server}：-${grouped(tools)} 个工具，${about(estimated).trimStart()}-${grouped(tokens)} 词元` +
    (refilled ? '；腾出的预算可由目前按需加载的工具占用' : ''),
  toolCount: (count) => `${grouped(count)} 个工具`,
  lastListed: (at) => `上次列出于 ${at}`,
  fromListing: (ageMs) => `来自 ${ageText(ageMs, 'zh')}前的列表`,
  required: '必需',
  findingCounts: (errors, warnings, infos) =>
    [
      errors === 0 ? '' : `${grouped(errors)} 个错误`,
      warnings === 0 ? '' : `${grouped(warnings)} 个警告`,
      infos === 0 ? '' : `${grouped(infos)} 个提示`,
    ]
      .filter((part) => part !== '')
      .join('，'),
  none: '无',
  changeIt: '如何改变',
  at: '位于',
  toUse: (search, name) => `模型已知其名称；先以 "select:${name}" 调用 ${search}，再调用 ${name}`,
  toUseByCall: (name) => `模型已有名称和参数定义，可直接调用 ${name}`,
  toDeny: (rule) => `如需移除，请将 "${rule}" 加入 permissions.deny（或用 --deny-tool "${rule}"）`,
  shadowedBy: (name, id) => `名称 "${name}" 归排在前面的 ${id} 所有`,
  shadows: (ids) => `它先于 ${ids} 占用了该名称`,
  reservedBy: (name, id) => `名称 "${name}" 仍保留给已被移除的 ${id}`,
  standsFor: (server) => `它代表 ${server} 的全部工具，该服务器从未列出过工具`,
  asksFirst: '每次调用前都要征得人的同意',
  conditions: (rules) => `每次调用都按这些规则检查：${rules}`,
  unknownTool: (word) => `没有名为 "${word}" 的工具`,
  nearest: (names) => `相近的名称：${names}`,
  serverIs: (name, state) => `服务器 ${name}：${state}`,
  serverHasNo: (server, count) => `服务器 ${server} 列出了 ${grouped(count)} 个工具，但没有这个名称`,
  alsoNamed: '该名称还可能指',
  pins: {
    state: { approved: '已批准', changed: '已变化', new: '新增', gone: '已消失', 'not-seen': '未见' },
    added: '新增',
    removed: '移除',
    whatChanged: '批准之后的变化',
    ownerChanged: '定义本身未变；其服务器的命令、参数或 URL 发生了变化',
    notStored: '当时的内容没有保存，因此无法显示差异',
    modelIsTold: '模型将看到的内容',
    parts: '参数与标注',
    noWords: '没有描述',
    runs: '运行',
    approvedAt: (at) => `批准于 ${at}`,
    off: '配置中未启用 pins，因此不会因未批准而扣留任何工具',
    sum: (counts) =>
      `已批准 ${grouped(counts.approved)}，已变化 ${grouped(counts.changed)}，新增 ${grouped(counts.new)}，` +
      `已消失 ${grouped(counts.gone)}，本次未见 ${grouped(counts['not-seen'])}`,
    approveAll: '请阅读以上内容，然后运行 `toolgate pin --approve`，或写明要批准的名称',
    launchApproved: (server) => `${server} 可以重新启动；请运行 \`toolgate pin\` 查看其工具`,
    stored: (file, count) => `${file}：已批准 ${grouped(count)} 个定义`,
    nothing: '没有服务器或智能体提供需要批准的内容',
  },
  show: {
    identity: '标识',
    names: '名称',
    source: '来源',
    kind: '类型',
    effects: '作用',
    approval: '确认',
    rules: '规则',
    tokens: '词元',
    hash: '哈希',
    surfaceName: '模型所见',
    originalName: '所有者所用',
    declaredName: '标签',
    effectsBy: { declared: '已声明', claimed: '由其服务器声称', assumed: '无人说明，视为全部' },
    size: (tokens, chars) => `${tokens}（${chars} 个字符）`,
    description: '描述',
    arguments: '参数',
    group: (name) => `分组 ${name}`,
    needs: (names) => `需要 ${names}`,
    moreLines: (count) => `……另有 ${grouped(count)} 行`,
    adapted: '已按目标所接受的形式适配；--json 同时给出原始定义',
  },
  bootstrap: {
    groups: (names) => `分组 ${names}`,
    context: (tokens) => `上下文 ${tokens} 词元`,
    on: (on) => (on ? '开' : '关'),
    simpleMode: '简单模式',
    sandbox: '沙箱',
    delegation: '委派',
    deferral: '按需加载',
    hostBash: '允许主机 shell',
    attended: '有人可询问',
    unattended: '无人可询问',
    otherwise: (effect) => `其余 ${effect}`,
    active: '使用中',
    ready: '可用',
    disabled: '已停用',
    malformed: '无法读取，不允许任何工具',
  },
  claw: {
    counts: (claw, corrected, entries) =>
      `claw-code 计得 ${entries} 个条目中的 ${claw} 个；修正后，可到达的工具为 ${corrected} 个`,
    differences: (count) => `${count} 个条目不同`,
    unreachable: (count, names) => `${count} 个条目永远无法按名称到达，因为名称已被更早的条目占用：${names}`,
  },
  noProblems: '没有问题',
  same: (hash) => `没有差异：两者都是工具面 ${hash}`,
  before: '之前',
  after: '之后',
  absent: '不存在',
  exposed: (exposed, all) => `${all} 个工具中的 ${exposed} 个`,
  factsDiffer: (names) => `不同的事实：${names}`,
  diffReason: {
    name: '名称不同',
    approval: '确认方式不同',
    conditions: '条件不同',
    definition: '定义已被其所有者修改',
    adaptation: '定义的适配方式不同',
  },
  diffSum: ({ gained, lost, changed, quiet, same }) =>
    `新增 ${grouped(gained)}，失去 ${grouped(lost)}，变化 ${grouped(changed)}` +
    `${quiet === 0 ? '' : `；${grouped(quiet)} 个仅原因不同`}；${grouped(same)} 个相同`,
  drift: {
    'tool-gained': '模型现在拥有它，但锁文件中没有',
    'tool-lost': '锁文件中有它，但模型没有',
    'name-changed': '模型看到的名称变了',
    'outcome-changed': '提供方式变了',
    'approval-changed': '是否需要人确认变了',
    'conditions-changed': '调用条件变了',
    'definition-changed': '定义已被其所有者修改',
    'facts-changed': '智能体、模型、规则或设置与锁文件不同',
  },
  noDrift: '工具面与锁文件一致',
  noCandidate: '已没有来源提供它',
  replayEqual: '一致',
  replayDiffers: '不一致',
  replaySum: (equal, runs, refusals) =>
    `${grouped(runs)} 次运行中有 ${grouped(equal)} 次逐位一致` +
    `${refusals === 0 ? '' : `；调用时被拒绝 ${grouped(refusals)} 次`}`,
  noMatch: '当前工具面上没有匹配的工具',
  alsoHidden: '本可匹配，但不在当前工具面上',
}
