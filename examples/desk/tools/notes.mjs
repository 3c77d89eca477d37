// Two tools of the desk itself. A tool is an object with a name, a description, a schema and what it does.

const notes = ['ring the printer people', 'the key to the archive is in the blue cup', 'tea on Thursday']

export const searchNotes = {
  name: 'search_notes',
  description: 'Finds the notes on the desk that hold a word. Returns one note a line.',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string', description: 'A word, in any letter case.' } },
    required: ['word'],
    additionalProperties: false,
  },
  execute: ({ word }) => notes.filter((note) => note.toLowerCase().includes(word.toLowerCase())).join('\n'),
}

export const echo = {
  name: 'echo',
  description: 'Reads a sentence back, to hear how it sounds.',
  inputSchema: {
    type: 'object',
    properties: { sentence: { type: 'string', description: 'The sentence.' } },
    required: ['sentence'],
    additionalProperties: false,
  },
  execute: ({ sentence }) => sentence,
}
