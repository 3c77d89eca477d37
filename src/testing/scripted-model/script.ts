// A script: a written conversation that the scripted model replays. It is plain data, in YAML, JSON or code; the
// keys are the same everywhere. Strict: a key that is not below is an error with its place (read-script.ts).
//
//   about: what this conversation shows            for people; optional
//   turns:                                         a turn is what a person says and all that follows
//     - user: Who has the key to the archive?      what the person says; optional
//       steps:                                     a step is one request to the model, and its answer
//         - expect: { tools: [search_notes] }      what must be true of the request; optional
//           say: I look through the notes.         text of the answer, streamed in pieces
//           call:                                  tools that the answer calls; several are siblings in one message
//             - { tool: search_notes, args: { word: key } }
//         - expect: { result: blue cup }
//           say: It is in the blue cup.
//   children:                                      conversations of other agents that use the same model
//     - name: summary
//       when: { system: You summarise }            how its requests are told from the others
//       turns: [ … ]
//
// INVARIANT: the step that answers follows from the request alone. Which conversation it is, `when` says; which step
// of it, the number of the model's own messages in the request. So any number of conversations can run at once, and
// a process that resumes one needs no memory of the last. The one thing that is counted is `fail.times`.

import type { JsonObject } from '../../core/json.ts'

export interface Script {
  readonly about?: string
  /** At least one. */
  readonly turns: readonly ScriptTurn[]
  /** Asked in this order, before the conversation above. Absent: there are none. */
  readonly children?: readonly ScriptChild[]
}

export interface ScriptTurn {
  /**
   * What the person says: the prompt, where none is given. A request that begins the turn must hold all its words,
   * in any order, among what came since the model's last message. Absent: anything may be said.
   */
  readonly user?: string
  /** At least one. Each but the last calls something: an answer without a call ends the turn. */
  readonly steps: readonly ScriptStep[]
}

/** One request and its answer. Says or calls something, or fails. */
export interface ScriptStep {
  readonly expect?: ScriptExpectation
  /** Any text but an empty one. Absent: the answer has calls only. */
  readonly say?: string
  readonly call?: readonly ScriptCall[]
  /** Tokens that the answer reports. Absent: a quarter of the characters, as everywhere where nobody counts. */
  readonly usage?: { readonly input: number; readonly output: number }
  /** Silence before the answer begins, in milliseconds. */
  readonly delay_ms?: number
  /** Silence after each piece of a stream, in milliseconds. */
  readonly pace_ms?: number
  readonly fail?: ScriptFailure
}

export interface ScriptCall {
  /** Sent as it is, whether or not there is such a tool. */
  readonly tool: string
  /** Absent: an empty object. */
  readonly args?: JsonObject
  /** Sent in place of `args`, letter by letter, for arguments that are no JSON. */
  readonly raw_args?: string
  /** Id of the call: letters, digits, `_`, `-`, at most 40. Absent: made of the place in the script. */
  readonly as?: string
}

/**
 * What must be true of a request. Texts are looked for exactly; a list must hold as a whole. What does not hold is
 * answered with an error, and stands among the faults.
 */
export interface ScriptExpectation {
  /** Names that are listed. */
  readonly tools?: string | readonly string[]
  /** Names that are not. */
  readonly no_tools?: string | readonly string[]
  /** All names that are listed, in order. */
  readonly only_tools?: readonly string[]
  /** Texts in the system prompt. */
  readonly system?: string | readonly string[]
  readonly no_system?: string | readonly string[]
  /** Texts in the results that came since the model's last message, each in any of them. */
  readonly result?: string | readonly string[]
  readonly no_result?: string | readonly string[]
}

/** One of `status`, `stream`, `cut`. */
export interface ScriptFailure {
  /** Answers with this HTTP status, 400 to 599, and an error in the protocol's form. */
  readonly status?: number
  /** Its text. Absent: one that says that it was written so. */
  readonly message?: string
  /**
   * Begins the answer and then: sends an error, sends what cannot be read, or ends too early. Where no stream was
   * asked for: a status 500, a body that cannot be read, half a body.
   */
  readonly stream?: 'error' | 'garbage' | 'short'
  /** Closes the connection: before the answer, or in its middle. */
  readonly cut?: 'start' | 'middle'
  /** How often the step fails, in this server, before it answers. Absent: always. */
  readonly times?: number
}

export interface ScriptChild {
  /** Small letters, digits, `-`, at most 24; not `main`. */
  readonly name: string
  readonly when: ScriptChildCondition
  readonly turns: readonly ScriptTurn[]
}

/** All that is given must hold; at least one is. */
export interface ScriptChildCondition {
  /** Text in the system prompt. */
  readonly system?: string
  /** Text in the first message of the person, which for a child is its task. */
  readonly user?: string
  /** The name of the model that is asked for. */
  readonly model?: string
  /** The header `x-script-child`. */
  readonly tag?: string
}

/** The model's name, in its list of models and in each answer, whatever name was asked for. */
export const scriptedModelName = 'script'

/** The conversation that no child's condition took. */
export const mainConversation = 'main'
