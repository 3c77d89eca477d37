// What a scripted MCP server does, as data: the plan is JSON, so that it can be handed to a process. INVARIANT: types
// only; the program reads a plan without checking it, for a plan may ask for what is wrong.

/** An answer to one method: the usual one, none at all, or an error. */
export type ScriptedAnswer = 'answer' | 'silent' | { readonly code: number; readonly message: string }

export interface ScriptedPage {
  /** The cursor that this page answers. Absent: a request without one. */
  readonly cursor?: string
  readonly tools: unknown
  readonly nextCursor?: unknown
}

/** A notification of the server's own. */
export interface NotificationPlan {
  readonly method: string
  readonly params?: object
  /** Absent: 1. */
  readonly times?: number
  /** call: beside its answer. client: as what belongs to no request. Absent: call. */
  readonly to?: 'call' | 'client'
}

/**
 * What a call of a tool does. All of it is optional: an empty plan answers with the text `ok`. In this order: `fork`,
 * `listChanged`, `notify`, `progress`, `afterMs`, `sampling` or `ask`, `list`, and then one of `die`, `hang`, `raw`, or
 * an answer.
 */
export interface CallPlan {
  /** Milliseconds before anything is answered. */
  readonly afterMs?: number
  /** The text of the answer. */
  readonly text?: string
  /** A text of so many letters, written as fast as the client reads. */
  readonly bytes?: number
  /** The whole result, in place of a text. */
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  /** Answers with a JSON text of `{args, env, cwd, pid}`. */
  readonly tell?: true
  /** Writes a file (relative to the working folder) and answers with its absolute path. */
  readonly file?: { readonly path: string; readonly text: string }
  /** Signs of progress before the answer, for a request that asks for them, each with `more`. Numbers begin at 1. */
  readonly progress?: {
    readonly everyMs: number
    readonly times: number
    readonly total?: number
    readonly more?: object
  }
  /** Says so often that the list of tools changed, beside the call: the answer does not wait for it. */
  readonly listChanged?: { readonly times: number; readonly everyMs: number }
  /** Sends the answer byte by byte. */
  readonly dripMs?: number
  /** Never answers. */
  readonly hang?: true
  /** Ends the process, with a code (absent: 1) or by a signal, in place of an answer. */
  readonly die?: { readonly code?: number; readonly signal?: 'SIGKILL' | 'SIGTERM' }
  /**
   * Bytes that are written as they are in place of an answer (base64), the words `$CALL` and `$CALL_AS_OTHER_TYPE`
   * replaced by the id of the call in JSON: as it came, and a number as a text or a text as a number.
   */
  readonly raw?: string
  /** After `raw`, standard output is closed; over HTTP, the stream of the answer. */
  readonly close?: true
  /** Which id the answer bears. Absent: the right one, once. */
  readonly answers?: 'twice' | 'other-id' | 'null-id'
  /** Starts a child that sleeps: in the same group, or in a session of its own that has lost its parent. */
  readonly fork?: 'child' | 'daemon'
  /** Sets what is listed from now on to this index of `lists`, and says so. */
  readonly list?: number
  /**
   * Asks the client for a sampled message, waits for what it says, and answers with that as a JSON text. Revision
   * 2026-07-28 knows no requests of a server: there the call is answered with `input_required` first.
   */
  readonly sampling?: true
  /** The same with another request. */
  readonly ask?: { readonly method: string; readonly params?: object }
  /** 2026-07-28: asks so many times before it answers. Absent: once, without a state. */
  readonly rounds?: number
  /** Notifications that are sent before the answer. */
  readonly notify?: readonly NotificationPlan[]
  /** Streamable HTTP, until revision 2025-11-25: the session is over; what follows the call gets status 404. */
  readonly forgetSession?: true
}

export interface ServerPlan {
  /** By original name; `*` for every other. A list is followed call by call, and its last stays. */
  readonly calls?: { readonly [tool: string]: CallPlan | readonly CallPlan[] }
  /** By method: what other requests do, in the way of a call of a tool. Absent: that method is not known. */
  readonly requests?: { readonly [method: string]: CallPlan | readonly CallPlan[] }
  /** What it says that it can do, beside tools. */
  readonly capabilities?: object
  /** What it says that it is. Absent: little, and in 2026-07-28 nothing. */
  readonly serverInfo?: object
  /** Other lists of tools, for `CallPlan.list`. */
  readonly lists?: readonly (readonly unknown[])[]
  /**
   * File to which one line of JSON is added for each message that comes in, before it is answered: a ReceivedMessage.
   * Absent: nothing is kept.
   */
  readonly record?: string
  /** Ends itself so many milliseconds after its start. */
  readonly lifeMs?: number
  /** Reads its standard input at this pace. Absent: as fast as it comes. */
  readonly readBytesPerSecond?: number
  /** Milliseconds that a listing says it may be kept (2026-07-28). Absent: 0. */
  readonly ttlMs?: number
  /** Answers no ping, and of `server/discover`, which stands for it in 2026-07-28, only the first. */
  readonly deaf?: boolean
  /** Text for the model that the handshake brings. */
  readonly instructions?: string
  /** File to which the process writes its id and a line break when it starts. */
  readonly marker?: string
  /** Milliseconds before the first request is read. */
  readonly delayMs?: number
  /** Lines on standard error at the start. */
  readonly stderr?: readonly string[]
  /** Lines on standard output before the first message. */
  readonly stdout?: readonly string[]
  /** Ends the process at its start, or instead of answering a method. */
  readonly exit?: { readonly at: 'start' | 'initialize' | 'tools/list'; readonly code: number }
  readonly initialize?: ScriptedAnswer
  /** Protocol revision that `initialize` answers with. Absent: the one that was asked for. */
  readonly protocolVersion?: string
  /** Answers the handshake of 2026-07-28. Absent: that method is not known. */
  readonly discover?: boolean
  /** Says that it has tools. Absent: yes. */
  readonly toolsCapability?: boolean
  readonly list?: ScriptedAnswer
  /**
   * pages: the page of the cursor that was asked for. repeat: `page` for ever. alternate: as pages. counter: `page`
   * for ever, each time with the next number for `{i}` in names and in `cursor`.
   */
  readonly serve?: 'pages' | 'repeat' | 'alternate' | 'counter'
  readonly pages?: readonly ScriptedPage[]
  readonly page?: ScriptedPage
  readonly cursor?: string
  /** Starts a child that sleeps, and writes its id to the marker as well. */
  readonly grandchild?: boolean
  /** Goes on when its input ends and when it is told to end. */
  readonly stubborn?: boolean
  /** Names of variables whose values become the description of a tool `environment`. */
  readonly tellEnvironment?: boolean
  /** HTTP: answers every request with this status. */
  readonly status?: number
  /** HTTP: the header `WWW-Authenticate` of refusals; with no `status`, everything is refused with 401. */
  readonly wwwAuthenticate?: string
  /** HTTP: refuses whoever does not bring this bearer token, with 401. */
  readonly bearer?: string
  /** HTTP: sends every request to this URL, with status 307. */
  readonly redirectTo?: string
  /** HTTP: milliseconds before the head of an answer is sent. */
  readonly delayHeadersMs?: number
}

/** A line of the file that `ServerPlan.record` names. */
export interface ReceivedMessage {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly pid: number
  /** Absent: an answer to something that the server asked, or an HTTP request without a message. */
  readonly method?: string
  readonly id?: unknown
  readonly params?: { readonly [key: string]: unknown }
  readonly result?: unknown
  readonly error?: unknown
  /**
   * HTTP: how the message came. `CLOSE` is no request: the client closed the stream of the answer to `id` before its
   * end, which is how revision 2026-07-28 cancels.
   */
  readonly verb?: string
  readonly headers?: { readonly [name: string]: unknown }
}
