// Whose message it is that is too long to be read: an exact look at its beginning, and at its end. What is found is a
// member of the message itself, never text inside of it; where that is not certain, nothing is found.

export type MessageId = string | number

export interface Look {
  /** False: it does not begin as a JSON object or list does, so it is no message. */
  readonly begins: boolean
  /** Its id, when it stands before what makes it long. */
  readonly id?: MessageId
  /** True: a request or notification, so nobody waits for it. */
  readonly isAsking: boolean
}

/** Looks at the first bytes of a message, up to the first member that does not end within them. */
export function lookAtBeginning(bytes: Buffer): Look {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const start = /^\s*([[{])/.exec(text)
  if (start === null) return { begins: false, isAsking: false }
  let id: MessageId | undefined
  let isAsking = false
  // A list may hold several messages: whose it is cannot be told.
  let at = start[1] === '{' ? start[0].length : text.length
  for (;;) {
    const key = match(keyForm, text, at)
    if (key === undefined) break
    const name = unquoted(key[1] ?? '')
    at = keyForm.lastIndex
    if (name === 'method') isAsking = true
    const end = valueEnd(text, at)
    if (end === undefined) break
    if (name === 'id') id = idOf(text.slice(at, end))
    const comma = match(commaForm, text, end)
    if (comma === undefined) break
    at = commaForm.lastIndex
  }
  return { begins: true, isAsking, ...(id === undefined ? {} : { id }) }
}

/**
 * The id of a message that ends with it, as in `…},"id":7}`. A bare quotation mark after a comma opens a name unless
 * it closes a text, and after the end of a text no name can follow; so in JSON nothing else can look like this.
 */
export function idAtEnd(bytes: Buffer): MessageId | undefined {
  const found = endForm.exec(bytes.toString('utf8'))
  return found?.[1] === undefined ? undefined : idOf(found[1])
}

const endForm = /,\s*"id"\s*:\s*(-?\d{1,16}|"(?:[^"\\]|\\.){0,1000}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/
const keyForm = /\s*("(?:[^"\\]|\\.)*")\s*:\s*/y
const commaForm = /\s*,/y
const textForm = /"(?:[^"\\]|\\.)*"/y
/** Numbers and words end where something else begins, so one that is cut off at the end of the bytes does not fit. */
const plainForm = /[-+.\w]+(?=[\s,}\]])/y

function match(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at
  return form.exec(text) ?? undefined
}

/** Where the value that begins here ends; nothing when that is not within the text. */
function valueEnd(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const letter = text[at]
    if (letter === '"') {
      if (match(textForm, text, at) === undefined) return undefined
      at = textForm.lastIndex
    } else if (letter === '{' || letter === '[') {
      depth += 1
      at += 1
    } else if (letter === '}' || letter === ']') {
      depth -= 1
      at += 1
      if (depth < 0) return undefined
    } else if (depth === 0) {
      return match(plainForm, text, at) === undefined ? undefined : plainForm.lastIndex
    } else {
      at += 1
      continue
    }
    if (depth === 0) return at
  }
  return undefined
}

function idOf(json: string): MessageId | undefined {
  const value = unquoted(json)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function unquoted(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
