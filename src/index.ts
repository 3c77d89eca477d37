// The public list. What is not here is not promised.

export { checkedRun } from './assembly/checked-run.ts'
export { clawComparison } from './assembly/claw-comparison.ts'
export { appendDecisionLog } from './assembly/decision-log.ts'
export { flagsWithoutEffect } from './assembly/flags-without-effect.ts'
export { readInventory } from './assembly/inventory.ts'
export { changesOf, type RunPolicy, type RunRestrictions, type RunSelection, restricted } from './assembly/policy.ts'
export { prepareRun, reassembled } from './assembly/prepare-run.ts'
export type { Inventory, PreparedRun, RunInput } from './assembly/run-input.ts'
export { type Catalog, type CatalogEntry, catalogOf } from './catalog/catalog.ts'
export { type FindOptions, type Found, findTools } from './catalog/find-tools.ts'
export {
  demote,
  type Promotion,
  type PromotionChange,
  type PromotionState,
  promote,
  promotedEntries,
  readPromotionState,
  reconcile,
} from './catalog/promotion.ts'
export { deferredNames, readDeferredNames } from './catalog/prompt/deferred-names.ts'
export { promptFindings } from './catalog/prompt/prompt-findings.ts'
export { type PromptParts, promptParts, promptTools } from './catalog/prompt/prompt-parts.ts'
export { promptText } from './catalog/prompt/prompt-text.ts'
export { autoPromotions } from './catalog/routing/auto-promotions.ts'
export { catalogDocuments } from './catalog/search/catalog-documents.ts'
export type { SearchDocument } from './catalog/search/search-document.ts'
export { type Ranking, type SearchIndex, searchIndex } from './catalog/search/search-index.ts'
export type * from './config/config.ts'
export { loadConfig } from './config/load-config.ts'
export { type AssembleOptions, assemble } from './core/assemble.ts'
export type * from './core/candidate.ts'
export type * from './core/decision.ts'
export type { Finding } from './core/finding.ts'
export {
  type Amends,
  abstains,
  admits,
  type Because,
  type Change,
  defers,
  defineGate,
  type Effect,
  type Evidence,
  excludes,
  type Gate,
  type GateSpec,
  type Judge,
  type Reason,
  type ReasonTable,
  type Standing,
  type Verdict,
  type Words,
} from './core/gate.ts'
export { canonicalJson, foldName, type Json, type JsonObject, type Sha256 } from './core/json.ts'
export { type Origin, originText } from './core/origin.ts'
export type * from './core/run-facts.ts'
export type { Surface, Totals } from './core/surface.ts'
export { type ErrorCode, errorCodes, ToolgateError } from './errors.ts'
export {
  gateOrder,
  gatesById,
  insertBefore,
  type OrderConstraint,
  orderConstraints,
  type PresetName,
  presetNames,
} from './gates/order.ts'
export { judgeCall } from './permissions/conditions.ts'
export { mergeScopes } from './permissions/merge-scopes.ts'
export { isFault, parseRule } from './permissions/parse-rule.ts'
export { testRule, testRules } from './permissions/test-rule.ts'
export type { PromptChild, PromptInput, PromptPart, PromptSkill } from './prompt/prompt-part.ts'
export { systemPrompt } from './prompt/system-prompt.ts'
export { applyChange } from './report/apply-change.ts'
export { bootstrap } from './report/bootstrap.ts'
export { bootstrapText } from './report/bootstrap-text.ts'
export { checkText } from './report/check-text.ts'
export { clawReport, clawText } from './report/claw.ts'
export { diffSurfaces } from './report/diff.ts'
export { diffText } from './report/diff-text.ts'
export { driftOf, driftText } from './report/drift.ts'
export { explain } from './report/explain.ts'
export { explainText } from './report/explain-text.ts'
export { lockOf, lockText } from './report/lock.ts'
export { parseLock } from './report/parse-lock.ts'
export { replay } from './report/replay.ts'
export { replayText } from './report/replay-text.ts'
export { route } from './report/route.ts'
export { routeText } from './report/route-text.ts'
export type { Run } from './report/run.ts'
export { type SearchReport, searchReport } from './report/search.ts'
export { searchText } from './report/search-text.ts'
export { show } from './report/show.ts'
export { showText } from './report/show-text.ts'
export { snapshotOf } from './report/snapshot.ts'
export { toolPool, toolPoolMarkdown } from './report/tool-pool.ts'
export { toolsReport } from './report/tools-report.ts'
export { toolsTable } from './report/tools-table.ts'
export { sha256 } from './sources/sha256.ts'
export type { Source, SourceInput, SourceResult } from './sources/source.ts'
export { aliasTable } from './targets/alias-table.ts'
export { targetNamed, targetNames, targets } from './targets/targets.ts'
