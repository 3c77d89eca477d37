// Codes of importing modules, of servers and of logins.

import { type ErrorEntry, entry } from './error-entry.ts'

export const sourcesCodes = {
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
} as const satisfies Record<string, ErrorEntry>
