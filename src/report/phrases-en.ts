// The texts of the reports in English.

import { ageText } from './age-text.ts'
import { grouped } from './layout.ts'
import { percentText } from './percent-text.ts'
import type { Phrases } from './phrase-keys.ts'

const about = (estimated: boolean): string => (estimated ? 'about ' : '')

/** Every text, in English. */
export const english: Phrases = {
  outcome: { eager: 'eager', deferred: 'deferred', excluded: 'excluded' },
  effect: { abstain: 'abstain', admit: 'admit', defer: 'defer', exclude: 'exclude' },
  severity: { error: 'errors', warning: 'warnings', info: 'notes' },
  heads: {
    name: 'NAME',
    outcome: 'OUTCOME',
    source: 'SOURCE',
    tokens: 'TOKENS',
    why: 'WHY',
    score: 'SCORE',
    matched: 'MATCHED',
    server: 'SERVER',
    tools: 'TOOLS',
    deferred: 'DEFERRED',
    ifAllEager: 'IF EAGER',
    saved: 'SAVED',
  },
  labels: {
    agent: 'agent',
    model: 'model',
    target: 'target',
    preset: 'preset',
    candidates: 'candidates',
    leftOutBy: 'left out by',
    tokens: 'tokens',
    servers: 'servers',
    skills: 'skills',
    rules: 'rules',
    sources: 'sources',
    findings: 'findings',
    surface: 'surface',
    eager: 'eager',
    deferred: 'deferred',
    switches: 'switches',
  },
  asks: 'ask',
  settledBy: (gate) => `settled by ${gate}`,
  noGate: 'no gate looked at it',
  showing: (shown, all) => `showing ${grouped(shown)} of ${grouped(all)}`,
  rest: '--all shows the rest',
  more: (count) => `… and ${grouped(count)} more`,
  sum: (candidates, eager, deferred, excluded) =>
    `${grouped(candidates)} = ${grouped(eager)} eager + ${grouped(deferred)} deferred + ${grouped(excluded)} excluded`,
  cost: ({ sent, ifAllEager, saved, savedShare, defers, estimated }) => {
    const costs = `${about(estimated)}${grouped(sent)} with each request`
    if (!defers) return costs
    const both = `${costs}, ${about(estimated)}${grouped(ifAllEager)} if all were eager`
    return saved < 0
      ? `${both}; names and tool_search cost ${about(estimated)}${grouped(-saved)} more than deferral saves`
      : `${both}; deferral saves ${about(estimated)}${grouped(saved)} (${percentText(savedShare)}), net of names and tool_search`
  },
  withoutServer: (server, { tools, tokens, estimated, refilled }) =>
    `remove ${server}: -${grouped(tools)} ${tools === 1 ? 'tool' : 'tools'}, ${about(estimated)}-${grouped(tokens)} tokens` +
    (refilled ? '; tools that are deferred now may take the room' : ''),
  toolCount: (count) => `${grouped(count)} ${count === 1 ? 'tool' : 'tools'}`,
  lastListed: (at) => `last listed ${at}`,
  fromListing: (ageMs) => `from the listing of ${ageText(ageMs, 'en')} ago`,
  required: 'required',
  findingCounts: (errors, warnings, infos) =>
    [counted(errors, 'error'), counted(warnings, 'warning'), counted(infos, 'note')]
      .filter((part) => part !== '')
      .join(', '),
  none: 'none',
  changeIt: 'change it',
  at: 'at',
  toUse: (search, name) => `the model has the name; it calls ${search} with "select:${name}", then ${name} itself`,
  toUseByCall: (name) => `the model has name and schema, and calls ${name} directly`,
  toDeny: (rule) => `to take it away, add "${rule}" to permissions.deny (or --deny-tool "${rule}")`,
  shadowedBy: (name, id) => `the name "${name}" goes to ${id}, which comes first`,
  shadows: (ids) => `it takes the name before ${ids}`,
  reservedBy: (name, id) => `the name "${name}" stays with ${id}, which was taken away`,
  standsFor: (server) => `it stands for all tools of ${server}, which never listed any`,
  asksFirst: 'a person is asked before each call',
  conditions: (rules) => `calls are checked against ${rules}`,
  unknownTool: (word) => `no tool is called "${word}"`,
  nearest: (names) => `nearest: ${names}`,
  serverIs: (name, state) => `server ${name}: ${state}`,
  serverHasNo: (server, count) =>
    `server ${server} lists ${grouped(count)} ${count === 1 ? 'tool' : 'tools'}, but none of that name`,
  alsoNamed: 'others that the word may mean',
  pins: {
    state: { approved: 'approved', changed: 'changed', new: 'new', gone: 'gone', 'not-seen': 'not seen' },
    added: 'added',
    removed: 'removed',
    whatChanged: 'what changed since it was approved',
    ownerChanged: 'the definition is the same; the command, the arguments or the URL of its server changed',
    notStored: 'what it was is not stored, so the difference cannot be shown',
    modelIsTold: 'what a model would be told',
    parts: 'arguments and marks',
    noWords: 'it has no description',
    runs: 'runs',
    approvedAt: (at) => `approved ${at}`,
    off: 'pins are off in the configuration, so nothing is withheld for want of approval',
    sum: (counts) =>
      `${grouped(counts.approved)} approved, ${grouped(counts.changed)} changed, ${grouped(counts.new)} new, ` +
      `${grouped(counts.gone)} gone, ${grouped(counts['not-seen'])} not seen on this run`,
    approveAll: 'read what is told above, then run `toolgate pin --approve`, or name what you approve',
    launchApproved: (server) => `${server} may be started again; run \`toolgate pin\` to see its tools`,
    stored: (file, count) => `${file}: ${counted(count, 'definition') || 'no definitions'} approved`,
    nothing: 'no server or agent offers anything that needs approval',
  },
  show: {
    identity: 'identity',
    names: 'names',
    source: 'source',
    kind: 'kind',
    effects: 'effects',
    approval: 'approval',
    rules: 'rules',
    tokens: 'tokens',
    hash: 'hash',
    surfaceName: 'to the model',
    originalName: 'to its owner',
    declaredName: 'label',
    effectsBy: { declared: 'declared', claimed: 'claimed by its server', assumed: 'nobody said, so all are assumed' },
    size: (tokens, chars) => `${tokens} (${chars} characters)`,
    description: 'description',
    arguments: 'arguments',
    group: (name) => `group ${name}`,
    needs: (names) => `needs ${names}`,
    moreLines: (count) => `… ${grouped(count)} more ${count === 1 ? 'line' : 'lines'}`,
    adapted: 'adapted to what the target accepts; --json has the original beside it',
  },
  bootstrap: {
    groups: (names) => `groups ${names}`,
    context: (tokens) => `context ${tokens} tokens`,
    on: (on) => (on ? 'on' : 'off'),
    simpleMode: 'simple mode',
    sandbox: 'sandbox',
    delegation: 'delegation',
    deferral: 'deferral',
    hostBash: 'host shell allowed',
    attended: 'somebody is there to be asked',
    unattended: 'nobody is there to be asked',
    otherwise: (effect) => `otherwise ${effect}`,
    active: 'in use',
    ready: 'ready',
    disabled: 'disabled',
    malformed: 'unreadable, allows nothing',
  },
  claw: {
    counts: (claw, corrected, entries) =>
      `claw-code counts ${claw} of ${entries} entries; corrected, ${corrected} are tools that can be reached`,
    differences: (count) => (count === '1' ? 'one entry differs' : `${count} entries differ`),
    unreachable: (count, names) =>
      `${count === '1' ? 'one entry' : `${count} entries`} can never be reached by name, because an earlier one bears it: ${names}`,
  },
  noProblems: 'nothing to report',
  same: (hash) => `no difference: both are surface ${hash}`,
  before: 'before',
  after: 'after',
  absent: 'absent',
  exposed: (exposed, all) => `${exposed} of ${all} tools`,
  factsDiffer: (names) => `facts that differ: ${names}`,
  diffReason: {
    name: 'other name',
    approval: 'other approval',
    conditions: 'other conditions',
    definition: 'definition changed by its owner',
    adaptation: 'definition adapted otherwise',
  },
  diffSum: ({ gained, lost, changed, quiet, same }) =>
    `${grouped(gained)} gained, ${grouped(lost)} lost, ${grouped(changed)} changed` +
    `${quiet === 0 ? '' : `; ${grouped(quiet)} otherwise settled`}; ${grouped(same)} the same`,
  drift: {
    'tool-gained': 'the model has it now and the lock does not',
    'tool-lost': 'the lock has it and the model does not',
    'name-changed': 'the model knows it by another name',
    'outcome-changed': 'it is offered in another way',
    'approval-changed': 'whether a person is asked has changed',
    'conditions-changed': 'the conditions on its calls have changed',
    'definition-changed': 'its owner changed the definition',
    'facts-changed': 'agent, model, rules or settings are not those of the lock',
  },
  noDrift: 'the surface is the locked one',
  noCandidate: 'nothing offers it any more',
  replayEqual: 'equal',
  replayDiffers: 'differs',
  replaySum: (equal, runs, refusals) =>
    `${grouped(equal)} of ${grouped(runs)} ${runs === 1 ? 'run' : 'runs'} equal bit for bit` +
    `${refusals === 0 ? '' : `; ${counted(refusals, 'refusal')} at call time`}`,
  noMatch: 'no tool on this surface matches',
  alsoHidden: 'would match, but not on this surface',
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${grouped(count)} ${word}${count === 1 ? '' : 's'}`
}
