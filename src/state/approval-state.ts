// Answers of people that outlive a process: what was approved for good, and what waits for an answer.

import { isJsonObject, type JsonObject } from '../core/json.ts'

/** What an approval is about, besides the definition. */
export interface ApprovalKey {
  readonly user: string
  readonly agent: string
  /** Identity of the tool (`Candidate.id`). */
  readonly tool: string
  /** What asked: a rule, or that the tool is asked for as a whole. */
  readonly rule: string
}

/** Somebody said `always`. */
export interface Grant extends ApprovalKey {
  /** Of the definition that was approved; another one asks again. */
  readonly definitionHash: string
  /** ISO 8601. */
  readonly at: string
}

export interface ApprovalStore {
  readonly find: (key: ApprovalKey) => Promise<Grant | undefined>
  /** Takes the place of an earlier one with the same key. Of too many of one user and agent the oldest are forgotten. */
  readonly remember: (grant: Grant) => Promise<void>
  /** In the order in which they were given. Absent agent: of all agents. */
  readonly list: (of: { readonly user: string; readonly agent?: string }) => Promise<readonly Grant[]>
  /** How many there were. Absent tool or rule: all of them. */
  readonly forget: (which: {
    readonly user: string
    readonly agent: string
    readonly tool?: string
    readonly rule?: string
  }) => Promise<number>
}

/** A call that a person is to be asked about later. */
export interface AskedCall extends ApprovalKey {
  /** Of this question. Another question about the same call has another one. */
  readonly id: string
  readonly thread: string
  /** Hash over tool, definition, rule and arguments: equal in the very same call only. */
  readonly call: string
  /** The name that the model knows. */
  readonly name: string
  readonly definitionHash: string
  readonly args: JsonObject
  /** ISO 8601. */
  readonly askedAt: string
  /** Absent: nobody has answered yet. */
  readonly answer?: 'once' | 'deny'
}

/** Whose call it is, and which. */
export type CallKey = Pick<AskedCall, 'user' | 'thread' | 'agent' | 'call'>

export interface AskedCallStore {
  /** Keeps a question; where one about the very same call is kept already, it stays, and is given back. */
  readonly ask: (call: AskedCall) => Promise<AskedCall>
  /** Undefined: there is no such question. */
  readonly find: (id: string) => Promise<AskedCall | undefined>
  /** Answers a question. Undefined: there is none, or it has an answer. */
  readonly answer: (id: string, answer: 'once' | 'deny') => Promise<AskedCall | undefined>
  /** The question about a call; one that is answered is gone afterwards, so that an answer holds once. */
  readonly take: (key: CallKey) => Promise<AskedCall | undefined>
  /** Removes a question. */
  readonly drop: (id: string) => Promise<void>
  /** In the order in which they were asked, answered ones included. */
  readonly list: (of: { readonly user: string; readonly thread?: string }) => Promise<readonly AskedCall[]>
  /** Forgets the questions of a thread. */
  readonly forget: (of: { readonly user: string; readonly thread: string }) => Promise<void>
}

const texts = ['id', 'user', 'thread', 'agent', 'tool', 'rule', 'call', 'name', 'definitionHash', 'askedAt'] as const

/** A question as it was stored. Undefined: it is not of that form. */
export function readAskedCall(value: unknown): AskedCall | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.args)) return undefined
  if (!texts.every((key) => typeof value[key] === 'string')) return undefined
  const { answer } = value
  if (answer !== undefined && answer !== 'once' && answer !== 'deny') return undefined
  const { id, user, thread, agent, tool, rule, call, name, definitionHash, askedAt, args } =
    value as unknown as AskedCall
  const question = { id, user, thread, agent, tool, rule, call, name, definitionHash, askedAt, args }
  return answer === undefined ? question : { ...question, answer }
}
