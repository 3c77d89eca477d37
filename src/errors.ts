// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the forms of variables are told and tested as they are written
// Every code that is not a gate's: findings and errors of reading, importing, listing and running. Codes are
// stable; docs/errors.md is made from this list, and a test compares both ways.

import type { Finding } from './core/finding.ts'

interface ErrorEntry {
  /** What it means, in one sentence. */
  readonly means: string
  /** What to do about it, in one sentence. */
  readonly remedy: string
}

const entry = (means: string, remedy: string): ErrorEntry => ({ means, remedy })

export const errorCodes = {
  // ── reading a file ──
  'config-not-found': entry('The configuration file is not there.', 'Name it with --config, or make a toolgate.yaml.'),
  'config-unreadable': entry(
    'The file is there but cannot be read.',
    'Check its permissions and that it is a regular file.',
  ),
  'config-permissions': entry(
    'A configuration may be changed by somebody other than its owner, or is not ours: the file or its folder is open to everybody, or belongs to another user.',
    'Run the command that the message names, or move the file to a folder of your own.',
  ),
  'config-empty': entry(
    'The file holds nothing; that is not the wish for no tools and no rules.',
    'Restore the file, or write at least `version: 1`.',
  ),
  'config-encoding': entry('The file is not clean UTF-8 text.', 'Save it as UTF-8 without control characters.'),
  'config-syntax': entry('The file is not well-formed YAML or JSON.', 'Mend the line that the message names.'),
  'config-too-big': entry('The file, or what its aliases expand to, is over the size limit.', 'Make it smaller.'),
  'config-too-deep': entry('The file is nested deeper than the limit.', 'Flatten it.'),
  'config-alias-limit': entry('The file uses more aliases than the limit.', 'Write the values out.'),
  'config-alias-cycle': entry('An anchor holds itself.', 'Remove the alias that closes the circle.'),
  'config-tag': entry('The file uses a YAML tag; none is supported.', 'Remove the tag.'),
  'config-multi-document': entry('The file holds more than one YAML document.', 'Keep one.'),
  'config-duplicate-key': entry('A key occurs twice in one mapping.', 'Remove one of them.'),
  'config-version': entry(
    'The file asks for a version that this program does not read.',
    'Use `version: 1`, and no %YAML directive.',
  ),
  'config-unknown-key': entry(
    'A key is not known.',
    'Use the key that the message offers, or a free key that begins with `x-`.',
  ),
  'config-type': entry('A value has the wrong type.', 'Write the type that the message names.'),
  'config-range': entry('A value is outside its limits.', 'Choose a value inside the limits that the message names.'),
  'config-missing-key': entry('A required key is absent.', 'Add it.'),
  'config-variable': entry(
    'A variable in the file is not set, or its form is not one of $NAME, ${NAME}, ${NAME:-default}.',
    'Set it, or give a default with ${NAME:-default}.',
  ),
  'config-conflict': entry('Two keys exclude each other.', 'Keep one of them.'),
  'config-backslash': entry(
    'A value holds a control character, as single backslashes between double quotes give.',
    'Write each backslash twice, or use / in paths.',
  ),
  'config-synonym': entry(
    'A key is known under another name here, and was read as that.',
    'Use the name that the message gives.',
  ),
  'invalid-name': entry(
    'A name holds characters that are not allowed, or is empty.',
    'Use letters, digits, `_` and `-`.',
  ),
  'duplicate-name': entry(
    'Two entries bear the same name, or names that differ only in letter case.',
    'Rename one of them.',
  ),
  'unknown-name': entry(
    'A name refers to nothing that is configured.',
    'Use the name that the message offers, or remove it.',
  ),
  'env-forbidden': entry(
    'An environment variable would load code into the server.',
    'Remove it; start the server with a program of your own if you need it.',
  ),
  'url-forbidden': entry(
    'A URL is not one that may be called.',
    'Use http or https, without user and password, to a host that is no metadata service.',
  ),
  'command-shell-line': entry(
    'A command is one program name, never a shell line.',
    'Put the program into `command` and the rest into `args`.',
  ),
  // ── importing tools ──
  'use-format': entry('A `use` value is not of the form module:export.', 'Write ./file.mjs:export or package:export.'),
  'use-scheme': entry(
    'A `use` value names a URL or a Node module.',
    'Use a file beside the configuration or a trusted package.',
  ),
  'use-outside': entry(
    'A `use` path leaves the folder of the configuration.',
    'Move the module into that folder, or make it a trusted package.',
  ),
  'use-not-trusted': entry(
    'A `use` value names a package that is not trusted.',
    'Add the package to `trusted_modules`.',
  ),
  'use-load-failed': entry('The module could not be loaded.', 'Mend the module; the message says what it threw.'),
  'use-timed-out': entry('The module did not load within the deadline.', 'Remove what blocks while it loads.'),
  'use-export': entry('The module has no such export of its own.', 'Use one of the exports that the message lists.'),
  'use-not-a-tool': entry(
    'The export is there but is no tool.',
    'Export an object with name, description, inputSchema and execute.',
  ),
  'name-differs': entry(
    "The declared name is not the name that the tool itself bears; the tool's own name counts.",
    'Use the same name in both places.',
  ),
  // ── servers ──
  'server-unavailable': entry(
    'A server cannot be had: it gave no tools, or no session for a call.',
    'See its state and detail; the other servers are not affected.',
  ),
  'required-server-missing': entry(
    'A required server is not available.',
    'Make it available, or set `required: false`.',
  ),
  'tool-quarantined': entry(
    'One tool of a server was left out because its definition is faulty.',
    "Tell the server's author; the message says what is wrong.",
  ),
  'listing-malformed': entry(
    "A server's list of tools is not well-formed in places.",
    "Tell the server's author; what is sound was kept.",
  ),
  'tool-not-offered': entry(
    "A configured tool name is not in the server's list.",
    'Use the name that the message offers.',
  ),
  'description-too-long': entry(
    'A description is longer than the limit and was cut, with a mark that says so.',
    "Tell the server's author; a model reads the beginning of it.",
  ),
  'state-file': entry(
    'A file in the state folder could not be read or written; what it held is not used.',
    'Check the folder; a damaged file was set aside under the name that the message gives.',
  ),
  'snapshot-format': entry(
    'An inventory file has a form that is not known.',
    'Use a file written by `toolgate snapshot`, or a list of {name, source_hint, responsibility}.',
  ),
  // ── state ──
  'state-url': entry(
    'The address in `state.url` is not one that state can be kept at.',
    'Write `sqlite:` and a path, or `sqlite::memory:` for a state that ends with the program.',
  ),
  'state-newer': entry(
    'The state was written by a newer version of this program; nothing of it was touched.',
    'Use that version, or name another file in `state.url`.',
  ),
  'state-foreign': entry(
    'The file in `state.url` is a database of another program, or a link; nothing of it was touched.',
    'Name a file of its own in `state.url`.',
  ),
  'state-no-driver': entry(
    'SQLite cannot be loaded on this system.',
    'Install again for this platform, use Node 22.13 or newer, or set `state.url` to another kind of store.',
  ),
  'state-busy': entry(
    'Another process kept the state locked for too long; nothing was written.',
    'Look for a process that hangs with the file that the message names.',
  ),
  'state-write-failed': entry(
    'Something could not be stored; what was stored before is whole, and the next write is tried anew.',
    'See the reason: make room on the disk, or make the file writable.',
  ),
  'state-refused': entry(
    'A value is not of the form that state takes, or over its limit; it was not stored.',
    'Keep less in one thread; the message says what is too long.',
  ),
  'state-closed': entry('The state was closed, and is not read or written any more.', 'Nothing, where a program ends.'),
  // ── logins ──
  'login-unsupported': entry(
    'There is no login to be had: the server is started here, or the configuration holds its credential.',
    'See the hint; `toolgate login` is for a server with a `url` and without an Authorization header.',
  ),
  'login-denied': entry(
    'The person, or the authorization server, did not grant the login.',
    'Log in again, and allow the access.',
  ),
  'login-timed-out': entry(
    'Nobody finished a login in time.',
    'Run `toolgate login` again, and open the address that it prints.',
  ),
  'login-issuer-mismatch': entry(
    'An authorization server is not the one that was expected; nothing was sent to it.',
    'Do not go on before you know why.',
  ),
  'login-failed': entry('A login could not be carried out.', 'See the step that the message names.'),
  // ── calls ──
  'upstream-died': entry(
    'The server ended while it carried out a call, which may have had its effect and is not repeated.',
    'Look at what it said; the next call starts it anew.',
  ),
  'call-timed-out': entry(
    'A call gave no answer and no sign of progress in time, or took longer than a call may in all.',
    'Raise `timeouts.call_ms` or `timeouts.call_total_ms` of the server if it is meant to take that long.',
  ),
  'call-cancelled': entry('A call was called off, and the server was told.', 'Nothing, if that was meant.'),
  'result-too-large': entry(
    'The result of a call is over the limit, and was not read.',
    'Ask for less, or raise `limits.message_bytes`.',
  ),
  'upstream-error': entry('The server answered a call with an error.', 'See its words.'),
  'result-malformed': entry(
    'The answer to a call is not of the form that the protocol gives.',
    "Tell the server's author.",
  ),
  'pool-full': entry(
    'As many sessions are open as may be, and all of them are busy.',
    'Wait, or raise `sessions.max`.',
  ),
  'pool-closed': entry('The program is ending, and starts no calls any more.', 'Nothing.'),
  'invalid-id': entry(
    'A user or thread id holds characters that are not allowed.',
    'Use letters, digits, `_` and `-`, at most 64.',
  ),
  'not-promoted': entry(
    'A deferred tool is called in a thread that was never given its definition, or was given another one.',
    'Call tool_search with `select:` and its name, then call it in the next step; `toolgate call` does both with --load.',
  ),
  'query-type': entry('The query of a tool search is no text.', 'Give it as a string.'),
  'query-too-long': entry(
    'The query of a tool search is longer than it may be.',
    'Name one need in a few words; `tool_search.query_chars` sets the limit.',
  ),
  'query-syntax': entry(
    'The pattern of a tool search cannot be looked for in linear time, or is no regular expression.',
    'Write plain words, or a pattern without look-around, back references and large counts.',
  ),
  'deferral-without-search': entry(
    'Tools should be deferred and there is no search tool, so all definitions are sent whole.',
    'Let `tool_search` through, or set `tool_search.enabled: false`.',
  ),
  'prompt-names-deferred': entry(
    'A prompt or skill names a tool whose definition the model does not have yet.',
    'List it under `tool_search.always`, or say in the text that it is fetched with tool_search first.',
  ),
  'prompt-names-excluded': entry(
    'A prompt or skill names a tool that the model does not have.',
    'Take it out of the text, or see `toolgate why NAME`.',
  ),
  'prompt-names-otherwise': entry(
    'A prompt or skill names a tool by another name than the model knows it by.',
    'Write the name that the message gives.',
  ),
  'keyword-not-used': entry(
    'A configured keyword routes nothing: it is one letter, holds no word, or is too long.',
    'Write a word or a short phrase.',
  ),
  'embedder-faulty': entry(
    'An embedder is not of the form that is asked for, or gave vectors that are none.',
    'Export an object with id, dimensions and embed(texts); search goes on by words alone.',
  ),
  'embedder-unavailable': entry(
    'An embedder could not be loaded, or failed.',
    'Install what the message names, or take `tool_search.embedder` out; search goes on by words alone.',
  ),
  'embedder-slow': entry(
    'An embedder did not answer in time.',
    'Use a faster one, or take `tool_search.embedder` out; search goes on by words alone.',
  ),
  'unknown-tool': entry('A call names a tool that there is not.', 'Use the name that the message offers.'),
  'call-denied': entry('A rule refuses this call of a tool that the run has.', 'See the rule that the message names.'),
  'approval-needed': entry(
    'A rule asks a person before such a call, and nobody was asked.',
    'Have a person approve it; `toolgate call` does with --yes.',
  ),
  'arguments-invalid': entry(
    "The arguments of a call do not fit the tool's own schema.",
    'Mend the argument that the message names.',
  ),
  'tool-failed': entry('A tool of this process threw an error.', 'See its words.'),
  'tool-not-executable': entry(
    'A tool is on the surface, and nothing in this program can carry it out.',
    'Call it where an agent runs.',
  ),
  // ── files ──
  'path-type': entry('A path is no text.', 'Write it as text.'),
  'path-empty': entry('A path is empty.', 'Write a virtual path such as /mnt/user-data/workspace/notes.md.'),
  'path-relative': entry('A path is not absolute.', 'Begin it with /mnt/user-data/workspace/.'),
  'path-scheme': entry('A path is a URL.', 'Write a virtual path.'),
  'path-separator': entry('A path holds a backslash.', 'Use / between its parts.'),
  'path-control-char': entry('A path holds a control character.', 'Remove it.'),
  'path-encoding': entry('A path is not well-formed Unicode.', 'Write it anew.'),
  'path-too-long': entry('A path, or one part of it, is too long.', 'Shorten it.'),
  'path-name': entry(
    'A part of a path is no file name on this system.',
    'Use letters, digits, `_`, `-` and single dots.',
  ),
  'path-traversal': entry('A path holds a step upwards.', 'Name the file without `..`.'),
  'path-outside': entry('A path leads to no folder of this thread.', 'Use a path below the folders that are listed.'),
  'path-read-only': entry('A path may be read and not written.', 'Write below /mnt/user-data/.'),
  'path-not-found': entry('There is no such file or folder.', 'List the folder to see what is there.'),
  'path-exists': entry('There is something at this path already.', 'Use another name.'),
  'symlink-escape': entry('A part of a path is a link; links are not followed.', 'Name the real file.'),
  hardlink: entry('A file has a second name, which may lie outside of the thread.', 'Copy it.'),
  'special-file': entry('A path leads to a pipe, socket or device.', 'Use a regular file.'),
  'not-a-folder': entry('A part of a path is a file where a folder is wanted.', 'Check the path.'),
  'is-a-folder': entry('A path leads to a folder where a file is wanted.', 'Name a file in it.'),
  'file-too-big': entry('A file is over the limit.', 'Read it in parts.'),
  'file-not-text': entry('A file is no UTF-8 text.', 'Use a tool for its kind.'),
  'edit-not-found': entry('The text to replace is not in the file.', 'Read the file, and copy the text exactly.'),
  'edit-ambiguous': entry('The text to replace occurs more than once.', 'Add lines around it until it is unique.'),
  'pattern-invalid': entry('A search pattern cannot be read.', 'Mend the place that the message names.'),
  'file-io': entry('The system could not read or write a file.', 'See the reason that the message gives.'),
  // ── skills ──
  'skill-frontmatter': entry(
    'The front matter of a skill cannot be read; the skill allows nothing.',
    'Mend it: `---` on the first line, YAML, `---`.',
  ),
  'skill-name': entry("A skill's name is not of the form small-letters-and-hyphens.", 'Rename it.'),
  'skill-allowed-tools': entry(
    "A skill's allowed-tools cannot be read; the skill allows nothing.",
    'Write a YAML list of tool names.',
  ),
  'skill-unknown': entry('A skill is named that is not there.', 'Use the name that the message offers.'),
  'skill-not-enabled': entry(
    'A skill is in use that is disabled, or that the agent may not use; it allows nothing.',
    'Enable it for the agent, or do not name it.',
  ),
  'skill-folder': entry(
    'A folder of skills, or a skill in it, cannot be read.',
    'Check the path, its permissions and its size; links must stay inside the folder.',
  ),
  'skill-description': entry(
    "A skill's description is missing or not acceptable.",
    'Write one or two plain sentences.',
  ),
  'hidden-text': entry(
    'Invisible characters were removed from a text.',
    'Look at the text at its source: somebody may be hiding instructions.',
  ),
  markup: entry(
    'A text holds markup that looks like the end or the beginning of a part of a prompt.',
    'Read the text at its source: it is shown as text wherever it stands, and somebody may have meant otherwise.',
  ),
  'instruction-like': entry(
    'A text gives orders to the model, against its instructions or behind the back of the person.',
    'Read the text at its source. The tool is kept: honest texts give orders as well.',
  ),
  shadowing: entry(
    'The text of one server names a tool of another.',
    'Read the text at its source: it may be meant to change how the other tool is used. Both are kept.',
  ),
  'pattern-not-checked': entry(
    'A pattern in a schema is one that cannot be looked for in linear time; arguments are not checked with it.',
    'Nothing; the server checks it. Its author can write it without look-around, references to groups and big repeats.',
  ),
  // ── rules ──
  'rule-syntax': entry('A rule cannot be read.', 'Write it in one of the forms of docs/rules.md.'),
  'rule-allow-too-wide': entry(
    'An allow rule uses a wildcard where only exact names are allowed.',
    'Name the tools, a server, a group or an effect.',
  ),
  'rule-matches-nothing': entry(
    'A rule matches no known tool.',
    'Use the name that the message offers, or remove the rule.',
  ),
  'rule-shadowed': entry(
    'A rule can never count, because a stronger rule covers all it matches.',
    'Remove one of the two.',
  ),
  'rule-condition-unknown-argument': entry(
    'A condition names an argument that the tool does not have.',
    'Use one of its arguments.',
  ),
  'rule-condition-ignored': entry('A condition stands where conditions have no effect.', 'Remove it.'),
  // ── the run ──
  'group-unknown': entry(
    'An agent asks for a group that nothing belongs to.',
    'Use the group that the message offers.',
  ),
  'requirement-missing': entry('A required tool is not on the surface.', 'See `toolgate why NAME`.'),
  'requirement-forbidden': entry('A forbidden tool is on the surface.', 'Deny it, or drop the requirement.'),
  'name-takeover': entry(
    'A name that a safety gate took away would pass to another source.',
    'Use the default preset, or rename the other tool.',
  ),
  'shadows-builtin': entry('A configured tool takes the place of a built-in one.', 'Rename it if that was not meant.'),
  'gate-failed': entry(
    'A gate failed while judging; what it could not judge stays out.',
    'Report the fault to whoever wrote the gate.',
  ),
  'group-ignored': entry(
    'In this preset groups touch only configured tools; this one passes whatever its group.',
    'Use the default preset.',
  ),
  'schema-adapted': entry(
    'A schema was adapted to what the target accepts.',
    'See the notes of the tool; arguments are checked against the original.',
  ),
  'over-soft-budget': entry('The model gets more tools than it handles well.', 'Defer some, or narrow the groups.'),
  'pins-missing': entry(
    'Pins are on, but no definition is approved yet.',
    'Look at the definitions with `toolgate pin`, then approve them with `toolgate pin --approve`.',
  ),
  'launch-changed': entry(
    'What a server of a shared file would run is not what was approved; it is not started.',
    'Look at it with `toolgate pin`, then approve it with `toolgate pin --approve`.',
  ),
  'effect-unknown': entry(
    'Nobody said what a tool may do, so every effect is assumed.',
    "Declare `effects` for it, or trust the server's annotations.",
  ),
  'surface-drift': entry(
    'The surface is not the one in the lock file.',
    'Review the difference; run `toolgate lock` to accept it.',
  ),
  'lock-format': entry(
    'A lock file is not wholly a lock.',
    'Write it anew with `toolgate lock`, and review the difference.',
  ),
  'log-malformed': entry(
    'A line of a decision log cannot be read, or rests on one that is missing or altered.',
    'See the line that the message names; the other lines were replayed.',
  ),
  // ── the command line ──
  'output-unwritable': entry('A file that --out names cannot be written.', 'Name another file with --out.'),
  'log-unwritable': entry('The decision log cannot be read or written.', 'Name another file with --log.'),
  usage: entry('The command line cannot be read.', 'See `toolgate help`.'),
  'flag-without-effect': entry(
    'A policy flag changes nothing on this run.',
    'Remove it, or add --lenient to go on with a warning.',
  ),
  'internal-error': entry('The program failed where it should not.', 'Report it with the command line that you used.'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCodes

/** A finding whose code is checked against the catalogue. */
export function finding(
  code: ErrorCode,
  severity: Finding['severity'],
  message: string,
  more: Pick<Finding, 'subject' | 'hint' | 'origin'> = {},
): Finding {
  return { code, severity, message, ...more }
}

/** An error that ends what was asked for; its finding says what, where and what to do. */
export class ToolgateError extends Error {
  override readonly name = 'ToolgateError'
  readonly finding: Finding
  constructor(found: Finding) {
    super(`${found.code}: ${found.message}`)
    this.finding = found
  }
}
