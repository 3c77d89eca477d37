// Foreign text inside a prompt. Whatever could end the place where it stands is written as `\uXXXX`: quotes, marks
// of markup and what looks like them, and all that is not seen. So text stays where it was put, and reads back as it
// was. Two forms:
//
//   names   are written to be called: plain ones stand bare, of all others every character but the plain is escaped
//   texts   are read by the model, in any script: letters stay, and only what is dangerous is escaped

/** A bare name begins and ends like a word, so that no line of it looks like a heading, an item or a speaker. */
const plainName = /^[A-Za-z0-9_](?:[A-Za-z0-9_.:-]*[A-Za-z0-9_-])?$/
const notPlain = /[^A-Za-z0-9_.:-]/g

/**
 * What a text may not bring along: control, format, private and unassigned characters, lone surrogates, variation
 * selectors and fillers, every blank but the plain one, a mark that would join the quote before it; quotes and the
 * backslash; angle brackets, and characters that look like one or become one when a text is normalised; what begins
 * an entity; and the bracket of control words such as `[INST]`, which some models take for the start of a turn.
 * Newer versions of Unicode assign more characters; those are escaped by an older runtime only.
 */
const dangerous =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|^\p{M}|["\\<>\uff02\uff3c\ufe68]|[&\uff06\ufe60](?=[#\p{L}])|[\u02c2\u02c3\u1433\u1438\u2039\u203a\u226e\u226f\u227a\u227b\u22d6\u22d7\u2329\u232a\u276c-\u2771\u27e8\u27e9\u29fc\u29fd\u3008\u3009\ufe64\ufe65\uff1c\uff1e]|\[(?=\/?[A-Z_]{2,40}\])/gu

/** A name as it stands in a prompt: bare where it is plain, else between quotes in plain characters alone. */
export const quotedName = (name: string): string =>
  plainName.test(name) ? name : `"${name.replace(notPlain, escaped)}"`

/** A text between quotes, on one line, in its own script. */
export const quotedText = (text: string): string => `"${safeText(text)}"`

/** A text that may stand between quotes, on one line, in its own script. */
export const safeText = (text: string): string => text.replace(dangerous, escaped)

/** What one quoted or bare word says. Words that neither form would write are read loosely: compare what is written. */
export const unquoted = (word: string): string =>
  word.startsWith('"')
    ? word.slice(1, -1).replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : word

/** `\uXXXX` for each code unit, so that halves of pairs survive as well. */
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
