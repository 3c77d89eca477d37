// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the forms of variables are told and tested as they are written
// Codes of reading a configuration.

import { type ErrorEntry, entry } from './error-entry.ts'

export const readingCodes = {
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
} as const satisfies Record<string, ErrorEntry>
