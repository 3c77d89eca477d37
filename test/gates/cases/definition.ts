import type { Candidate, Definition } from '../../../src/core/candidate.ts'
import { definitionCharsMax } from '../../../src/gates/definition.ts'
import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const named = (originalName: string): Candidate => aCandidate({ server: 'files', originalName })
const withSchema = (inputSchema: unknown): Candidate =>
  aCandidate({
    server: 'files',
    definition: { description: 'x', inputSchema: inputSchema as Definition['inputSchema'] },
  })
const faulty = (code: 'invalid-name' | 'invalid-schema' | 'definition-too-big'): Candidate =>
  aCandidate({ server: 'files', faults: [{ code, detail: 'seen on the wire' }] })

const ofServer = named('read_file')
const pin = { id: ofServer.id, definitionHash: ofServer.definitionHash, approvedAt: '2026-09-01T00:00:00Z' }

export const definitionCases: readonly GateCase[] = [
  { name: 'admits a sound definition', candidate: aCandidate(), code: 'sound' },
  { name: 'abstains on a stand-in', candidate: aStandIn('files'), code: 'stands-for-a-server' },
  ...['a', '2fa', 'list-issues', 'admin.tools.list', 'constructor', 'hasOwnProperty', 'm'.repeat(128)].map(
    (name): GateCase => ({ name: `admits the name ${name.slice(0, 20)}`, candidate: named(name), code: 'sound' }),
  ),
  ...[
    'bash ',
    '',
    ' ',
    'bash\n',
    'a,b',
    'a\tb',
    '__proto__',
    '*',
    '../bash',
    'mcp:tool',
    'b\u0430sh',
    'ba\u200bsh',
    '\ud800',
    '读文件',
  ].map(
    (name): GateCase => ({
      name: `excludes the name ${JSON.stringify(name)}`,
      candidate: named(name),
      code: 'invalid-name',
    }),
  ),
  {
    name: 'excludes a name that is no text',
    candidate: aCandidate({ id: 'mcp:files/7', originalName: 7 as unknown as string, name: 'seven' }),
    code: 'invalid-name',
  },
  { name: 'excludes a name of 129 characters', candidate: named('q'.repeat(129)), code: 'name-too-long' },
  ...[undefined, null, [], 'object', {}, { type: 'array' }, { type: ['object'] }].map(
    (schema): GateCase => ({
      name: `excludes the schema ${JSON.stringify(schema)}`,
      candidate: withSchema(schema),
      code: 'invalid-schema',
    }),
  ),
  { name: 'admits a schema without properties', candidate: withSchema({ type: 'object' }), code: 'sound' },
  {
    name: 'admits a definition at the limit of size',
    candidate: aCandidate({ definitionChars: definitionCharsMax }),
    code: 'sound',
  },
  {
    name: 'excludes a definition over the limit of size',
    candidate: aCandidate({ definitionChars: definitionCharsMax + 1 }),
    code: 'definition-too-big',
  },
  { name: 'believes the reader about a name', candidate: faulty('invalid-name'), code: 'invalid-name' },
  { name: 'believes the reader about a schema', candidate: faulty('invalid-schema'), code: 'invalid-schema' },
  { name: 'believes the reader about size', candidate: faulty('definition-too-big'), code: 'definition-too-big' },
  { name: 'asks for no approval when pins are off', candidate: ofServer, code: 'sound' },
  { name: 'admits an approved definition', facts: { pins: [pin] }, candidate: ofServer, code: 'approved' },
  {
    name: 'withholds a definition that nobody approved',
    facts: { pins: [] },
    candidate: ofServer,
    code: 'definition-not-approved',
  },
  {
    name: 'withholds a definition that changed',
    facts: { pins: [{ ...pin, definitionHash: 'f'.repeat(64) }] },
    candidate: ofServer,
    code: 'definition-changed',
  },
  {
    name: 'asks no approval of the operator’s own module',
    facts: { pins: [] },
    candidate: aCandidate(),
    code: 'sound',
  },
]
