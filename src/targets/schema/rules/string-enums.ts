import { described, isList, shortJson, stringsOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * Values of an `enum` are non-empty strings, and only a string has one. `null` becomes `nullable` (C-059: no empty
 * string is ever made of it); values of numbers and booleans are told in the description and keep their type
 * (Gemini: AntigravityManager#260, home-generative-agent#525).
 */
export const stringEnums: SchemaRule = {
  id: 'string-enums',
  node: (node, at) => {
    if (node.enum === undefined) return node
    const values = isList(node.enum) ? node.enum : []
    const strings = [...new Set(stringsOf(values))].filter((value) => value !== '')
    const rest = without(node, ['enum'])
    const nullable = values.includes(null) ? { nullable: true } : {}
    const others = values.filter((value) => value !== null && typeof value !== 'string')
    const isString = node.type === 'string' || (node.type === undefined && others.length === 0)
    if (isString && strings.length > 0) {
      if (strings.length === values.length && node.type === 'string') return node
      at.note('enum', 'rewritten')
      return { ...rest, type: 'string', enum: strings, ...nullable }
    }
    const told = values.filter((value) => value !== null && value !== '')
    at.note('enum', told.length > 0 ? 'described' : 'dropped')
    return told.length > 0
      ? described({ ...rest, ...nullable }, `One of: ${shortJson(told)}.`)
      : { ...rest, ...nullable }
  },
}
