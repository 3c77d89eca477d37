import type { Candidate } from '../../../src/core/candidate.ts'
import { aCandidate, aSearchTool, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

/** A tool of a server whose definition costs about so many tokens. */
export const costing = (tokens: number, originalName: string): Candidate =>
  aCandidate({ server: 'files', originalName, definitionChars: Math.floor(tokens * 4.24) })

const search = aSearchTool({ definitionChars: 424 })
const ofConfig = aCandidate({ definitionChars: 424 })
const cheap = costing(50, 'cheap')
const middling = costing(400, 'middling')
const dear = costing(900, 'dear')
const others = [search, ofConfig]
const origin = { in: 'toolgate.yaml', key: 'tool_search', line: 40 }
const budgetOrigin = { in: 'toolgate.yaml', key: 'tool_search.budget', line: 41 }
const useOrigin = { in: 'state.db', key: 'use' }
const tight = { mode: 'auto', budgetTokens: 300, origin, budgetOrigin } as const

export const deferralCases: readonly GateCase[] = [
  {
    name: 'defers nothing when it is off',
    facts: { deferral: { mode: 'off' } },
    candidate: dear,
    ahead: others,
    code: 'deferral-off',
  },
  {
    name: 'drops the search when it is off',
    facts: { deferral: { mode: 'off', origin } },
    candidate: search,
    behind: [dear],
    code: 'catalog-empty',
    origin: 'toolgate.yaml:40 tool_search',
  },
  {
    name: 'defers what came over MCP when it is on',
    facts: { deferral: { mode: 'on', origin } },
    candidate: cheap,
    ahead: others,
    code: 'deferral-on',
    origin: 'toolgate.yaml:40 tool_search',
  },
  {
    name: 'never defers other tools',
    facts: { deferral: { mode: 'on' } },
    candidate: ofConfig,
    behind: [search, dear],
    code: 'not-deferrable',
  },
  {
    name: 'never defers a stand-in',
    facts: { deferral: { mode: 'on' } },
    candidate: aStandIn('files'),
    ahead: others,
    code: 'stands-for-a-server',
  },
  ...['files__dear', 'files/dear', 'mcp:files/dear'].map(
    (word): GateCase => ({
      name: `keeps a tool pinned as ${word}`,
      facts: { deferral: { mode: 'on', always: [word] } },
      candidate: dear,
      ahead: [...others, cheap],
      code: 'pinned-eager',
    }),
  ),
  {
    name: 'keeps the search when something is deferred',
    facts: { deferral: { mode: 'on' } },
    candidate: search,
    behind: [dear],
    code: 'catalog-filled',
  },
  {
    name: 'drops the search when all are pinned',
    facts: { deferral: { mode: 'on', always: ['files__dear'] } },
    candidate: search,
    behind: [dear],
    code: 'catalog-empty',
  },
  {
    name: 'drops the search when nothing came over MCP',
    facts: { deferral: { mode: 'on' } },
    candidate: search,
    behind: [ofConfig],
    code: 'catalog-empty',
  },
  {
    name: 'defers nothing when there is no search',
    facts: { deferral: { mode: 'on' } },
    candidate: dear,
    ahead: [ofConfig],
    code: 'no-search-tool',
  },
  {
    name: 'keeps all when all fit',
    facts: { deferral: { mode: 'auto', budgetTokens: 1050, budgetOrigin } },
    candidate: dear,
    ahead: [...others, cheap],
    code: 'fits-budget',
    origin: 'toolgate.yaml:41 tool_search.budget',
  },
  {
    name: 'drops the search when all fit',
    facts: { deferral: { mode: 'auto' } },
    candidate: search,
    behind: [dear],
    code: 'catalog-empty',
  },
  {
    name: 'defers the dearest when the budget is short',
    facts: { deferral: tight },
    candidate: dear,
    ahead: [...others, cheap],
    code: 'over-budget',
    origin: 'toolgate.yaml:41 tool_search.budget',
  },
  {
    name: 'keeps the cheapest that fit',
    facts: { deferral: tight },
    candidate: cheap,
    ahead: others,
    behind: [dear],
    code: 'cheap-enough',
    origin: 'toolgate.yaml:41 tool_search.budget',
  },
  {
    name: 'counts what tool_search itself costs',
    facts: { deferral: { ...tight, budgetTokens: 249 } },
    candidate: cheap,
    ahead: others,
    behind: [dear],
    code: 'over-budget',
  },
  {
    name: 'counts tools that are never deferred',
    facts: { deferral: { ...tight, budgetTokens: 150 } },
    candidate: cheap,
    ahead: others,
    code: 'fits-budget',
  },
  {
    name: 'defers when the target takes fewer tools',
    facts: { target: { toolsMax: 2, origin: { in: 'toolgate.yaml', key: 'models[0].target', line: 6 } } },
    candidate: dear,
    ahead: [...others, cheap],
    code: 'more-than-target-takes',
    origin: 'toolgate.yaml:6 models[0].target',
  },
  {
    name: 'does not count the search among the tools when it is not needed',
    facts: { target: { toolsMax: 3 } },
    candidate: dear,
    ahead: [...others, cheap],
    code: 'fits-budget',
  },
  {
    name: 'keeps as many as the target takes',
    facts: { target: { toolsMax: 3 } },
    candidate: cheap,
    ahead: others,
    behind: [dear, costing(901, 'dearest')],
    code: 'cheap-enough',
  },
  {
    name: 'keeps what is used before what is cheap',
    facts: { deferral: { ...tight, budgetTokens: 1100, use: [{ id: 'mcp:files/dear', calls: 12 }], useOrigin } },
    candidate: dear,
    ahead: [...others, cheap, middling],
    code: 'used-enough',
    origin: 'state.db use',
  },
  {
    name: 'says of what is not used that it found no room',
    facts: { deferral: { ...tight, budgetTokens: 1100, use: [{ id: 'mcp:files/dear', calls: 12 }] } },
    candidate: cheap,
    ahead: others,
    behind: [dear, middling],
    code: 'over-budget',
  },
  {
    name: 'keeps what is used, whatever the place is that it rests on',
    facts: { deferral: { ...tight, use: [{ id: 'mcp:files/cheap', calls: 1 }] } },
    candidate: cheap,
    ahead: others,
    behind: [dear],
    code: 'used-enough',
    origin: 'toolgate.yaml:41 tool_search.budget',
  },
  {
    name: 'passes over what is used and too dear',
    facts: { deferral: { ...tight, use: [{ id: 'mcp:files/dear', calls: 12 }] } },
    candidate: dear,
    ahead: [...others, cheap],
    code: 'used-but-too-dear',
    origin: 'toolgate.yaml:41 tool_search.budget',
  },
  {
    name: 'tells lack of tokens from lack of places',
    facts: { target: { toolsMax: 9 }, deferral: { ...tight, use: [{ id: 'mcp:files/dear', calls: 12 }] } },
    candidate: dear,
    ahead: [...others, cheap],
    code: 'used-but-too-dear',
  },
  {
    name: 'goes on to the cheap behind what is used and too dear',
    facts: { deferral: { ...tight, use: [{ id: 'mcp:files/dear', calls: 12 }] } },
    candidate: cheap,
    ahead: others,
    behind: [dear],
    code: 'cheap-enough',
  },
  {
    name: 'gives the places of the target to what is used most',
    facts: {
      target: { toolsMax: 3 },
      deferral: {
        use: [
          { id: 'mcp:files/cheap', calls: 3 },
          { id: 'mcp:files/dear', calls: 4 },
        ],
      },
    },
    candidate: cheap,
    ahead: others,
    behind: [dear, costing(901, 'dearest')],
    code: 'more-than-target-takes',
  },
  {
    name: 'tells lack of places from lack of tokens',
    facts: {
      target: { toolsMax: 3 },
      deferral: {
        budgetTokens: 1200,
        use: [
          { id: 'mcp:files/cheap', calls: 3 },
          { id: 'mcp:files/dear', calls: 4 },
        ],
      },
    },
    candidate: cheap,
    ahead: others,
    behind: [dear, costing(901, 'dearest')],
    code: 'more-than-target-takes',
  },
  {
    name: 'says when the limit cannot be met',
    facts: { target: { toolsMax: 1 } },
    candidate: ofConfig,
    behind: [search, dear],
    code: 'cap-not-met',
  },
]
