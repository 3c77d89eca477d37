import type { Definition } from './candidate.ts'

/**
 * Characters of the JSON that a model is sent for a tool: its name, description and input schema. The one
 * formula behind every token estimate and budget. Throws a RangeError on a schema too deep to be written;
 * sources bound the depth before.
 */
export function definitionCharsOf(name: string, definition: Definition): number {
  const { description, inputSchema } = definition
  return JSON.stringify({ name, description, input_schema: inputSchema }).length
}
