// docs/targets.md as it must be: the table of targets and the schema profiles in a form for people.

import { schemaProfiles } from '../../src/targets/schema/profiles.ts'
import type { Figure, Target, TargetFigures } from '../../src/targets/target.ts'
import { targets } from '../../src/targets/targets.ts'

const charsets = {
  word: 'letters, digits, `_`',
  'word-dash': 'letters, digits, `_`, `-`',
  'word-dash-dot-colon': 'letters, digits, `_`, `-`, `.`, `:`',
} as const

const columns: readonly (readonly [
  title: string,
  name: keyof TargetFigures,
  text: (figures: TargetFigures) => string,
])[] = [
  ['longest name', 'nameMax', ({ nameMax: [value] }) => `${value}`],
  ['characters', 'nameCharset', ({ nameCharset: [value] }) => charsets[value]],
  [
    'begins with',
    'nameStartsWithLetter',
    ({ nameStartsWithLetter: [value] }) => (value ? 'letter or `_`' : 'any of them'),
  ],
  ['most tools', 'toolsMax', ({ toolsMax: [value] }) => `${value ?? '–'}`],
  ['longest description', 'descriptionMax', ({ descriptionMax: [value] }) => `${value ?? '–'}`],
  ['description', 'descriptionRequired', ({ descriptionRequired: [value] }) => (value ? 'required' : 'optional')],
  ['schema', 'schemaProfile', ({ schemaProfile: [value] }) => `\`${value}\``],
]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function table(kind: Target['kind']): string {
  const rows = targets
    .filter((target) => target.kind === kind)
    .map(({ name, figures }) =>
      row([`\`${name}\``, ...columns.map(([, figure, text]) => `${text(figures)} ${figures[figure][1]}`)]),
    )
  const head = ['target', ...columns.map(([title]) => title)]
  return [row(head), row(head.map(() => '---')), ...rows].join('\n')
}

function sources(): string {
  return targets
    .map(({ name, figures }) => {
      const lines = columns.flatMap(([title, figure]) => {
        const [, certainty, source] = figures[figure] as Figure<unknown>
        return source === '' ? [] : [`- ${title} (${certainty}): ${source}`]
      })
      return [`### ${name}`, '', ...lines].join('\n')
    })
    .join('\n\n')
}

const profiles = (): string =>
  schemaProfiles.map(({ name, rules }) => `- \`${name}\`: ${rules.map(({ id }) => id).join(', ')}`).join('\n')

/** The whole page. */
export const targetsPage = (): string => `# Targets

A target is what receives the list of tools: the API of a model provider, or an MCP client. A model names its target in the configuration (\`target: gemini\`), a run with \`--target\`; otherwise it is \`common\`. The gate \`provider-fit\` makes each tool fit: it gives an alias where the name is refused, adapts the definition and says what it changed, and leaves out only what cannot be made to fit.

This page is compared with \`src/targets/\` by \`test/targets/targets.test.ts\`; \`npx vitest run test/targets/targets.test.ts -u\` writes it anew.

How sure a figure is: **D** documentation or specification, **O** seen in error texts, issue threads or client source, **U** not confirmed. A dash means that no limit is known.

## Where nobody named a target

${table('any')}

\`common\` mends what is refused wherever tools are sent and looks at nothing below the root of a schema. It is not the least of everything: keywords that only some providers refuse stay, names may begin with a digit, and there is no cap. Name the target to have its own rules kept.

## Providers

${table('provider')}

## Clients

${table('client')}

A client puts text of its own before a name. The limit given here is the client's less that text, for a server that is called \`toolgate\` there; give it a longer name and the difference is lost. Where no limit is known, the common form is used. A client that only passes schemas on to one API has the profile of that API, any other has \`common\`, because it adapts schemas itself to the model that is chosen in it.

## Names

1. A name that the target takes stays as it is, always.
2. Otherwise every character that is refused becomes \`_\`, and \`_\` comes before a first character that must be a letter: \`repo.read\` becomes \`repo_read\`.
3. A name that is too long gets \`_\` and 8 hex digits of a hash of the tool's identity; what it loses is first the end of what stands before the tool's own name, then the middle of that name. So does an alias that another tool bears, that several tools would get (then all of them), or that an excluded tool keeps; letter case makes no difference.

An alias depends on the tool alone, except for the last rule. The order of servers makes no difference, and a new tool never renames a tool that bears its own name. The way back from an alias is the decision (\`aliasTable(surface)\`); names are never taken apart. Rules and pins are judged before, on the tool's own names.

## Cap

Where more tools stand than the target takes, deferral comes first: what can be deferred is found on request and needs no place. Only when deferral is off, or has no search tool, or what must stay eager is too much by itself, tools are left out with the code \`over-target-cap\`, their rank and the cap. The order: pinned tools (\`tool_search.always\`) and built-ins, tools of the configuration, the rest; inside each, the order of sources.

## Descriptions

An empty description becomes the title, else the name in words, where one is required. One that is too long is cut and ends with \`… [cut]\`, which counts.

## Schemas

A profile is an ordered list of rules, each one file in \`src/targets/schema/rules/\`. Arguments are always checked against the tool's own schema, never the adapted one.

${profiles()}

What is dropped but of use to a model is told in the description (a default, a format, a bound, which of several arguments must be given). An argument whose name is refused is told there as well and keeps its name, so that nothing has to be translated back. One change of \`openai-strict\` reaches the call: an optional argument may come as null, and such a null has to be taken out before the check.

A tool is withheld, alone, with place and reason, when its root is no object, a reference leads out of the schema or to nothing, or the schema is too deep or too big; in strict mode also when an object is meant to hold free names.

## Where the figures come from

${sources()}
`
