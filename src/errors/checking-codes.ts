// Codes of skills, rules, whole runs and the command line.

import { type ErrorEntry, entry } from './error-entry.ts'

export const checkingCodes = {
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
  'sandbox-unavailable': entry(
    'A sandbox for commands is asked for, and does not work on this machine.',
    'Install or allow what the message names; docs/sandbox.md says what a sandbox needs.',
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
