// Codes of calls, of what is stored, and of the files of threads.

import { type ErrorEntry, entry } from './error-entry.ts'

export const runningCodes = {
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
  'script-invalid': entry(
    'A script for the scripted model is not as it must be.',
    'Mend the place that the message names; docs/testing.md lists the keys.',
  ),
  'script-unreadable': entry('The file of a script cannot be read.', 'Check the path after script:.'),
  'thread-busy': entry(
    'Another program carries on this thread right now.',
    'Wait until its turn has ended, or use another thread.',
  ),
  'approval-pending': entry(
    'A person must approve the call first, and the question waits.',
    'Answer it, then make the very same call again.',
  ),
  'model-unusable': entry(
    'A model of the configuration cannot be run: it names no package, or could not be made.',
    'See what the message names; `--model script:FILE` needs no key.',
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
  'prompt-names-unknown': entry(
    'A prompt or skill names a tool that there is not, by a name that is nearly one.',
    'Write the name that the message offers.',
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
  'sandbox-failed': entry(
    'A command could not be begun, because its sandbox could not be started; nothing of it ran.',
    'See its words; `toolgate why bash` says which sandbox the run found, docs/sandbox.md what it needs.',
  ),
  'shell-not-here': entry(
    'A tool that runs commands was called where there is neither a sandbox nor leave to run them on the host.',
    'Install bubblewrap, or set `sandbox.allow_host_bash: true` and accept what such commands can do.',
  ),
  // ── serving ──
  'serve-unprotected': entry(
    'The gateway would listen where others reach it, and asks no client for a token.',
    'Configure tokens for clients, or listen at 127.0.0.1.',
  ),
  'serve-address': entry(
    'The gateway cannot listen at its address.',
    'See the word of the system; another program may have the port. Port 0 takes a free one.',
  ),
  // ── external agents ──
  'acp-agent-unknown': entry(
    'A call names an external agent that is not configured.',
    'Use a name under `acp_agents`; docs/acp.md shows how one is added.',
  ),
  'acp-start-failed': entry(
    'An external agent could not be started, or ended or gave no answer before it had opened a session.',
    'See its words: check `command` and `args` of the agent, and raise `start_timeout_ms` if it is meant to take that long.',
  ),
  'acp-auth-needed': entry(
    'An external agent wants a login before it opens a session.',
    'Log in with its own program as the user that runs Toolgate, or set its key under `env` of the agent.',
  ),
  'acp-protocol': entry(
    'A program that is configured as an external agent does not speak version 1 of the Agent Client Protocol.',
    'Check `args`: most programs need one, such as `--acp`. Otherwise use another version of it.',
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
} as const satisfies Record<string, ErrorEntry>
