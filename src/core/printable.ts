/**
 * One printable line of bounded length from any text: control, format and line-breaking characters become
 * visible escapes, lone surrogates too. For everything foreign that reaches a terminal, a log or an error.
 */
export function printable(text: string, max = 120): string {
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text
  return cut.replace(unprintable, (char) => {
    const point = char.codePointAt(0) ?? 0
    return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`
  })
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
