// Sets of queries as files: DIR/SET/tools.jsonl and DIR/SET/queries.jsonl. A line that cannot be used ends the run with
// its file and number: figures over a part of a set would look like figures of the set.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchDocument } from '../../src/catalog/search/search-document.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { InputError } from './input-error.ts'
import type { Wanted } from './metrics.ts'

export interface Query extends Wanted {
  readonly text: string
  readonly kind: string
}

export interface QuerySet {
  readonly name: string
  readonly documents: readonly SearchDocument[]
  readonly queries: readonly Query[]
}

const toolsFile = 'tools.jsonl'
const queriesFile = 'queries.jsonl'

/** Names of the sets in a folder, in order of names. Throws an InputError when there is no folder or no set. */
export function setNames(folder: string): string[] {
  if (!isFolder(folder)) throw new InputError(`there is no folder "${printable(folder, 300)}"`)
  const names = readdirSync(folder)
    .filter((name) => isFolder(join(folder, name)))
    .filter((name) => isFile(join(folder, name, toolsFile)) && isFile(join(folder, name, queriesFile)))
    .sort()
  if (names.length > 0) return names
  throw new InputError(
    `no set in "${printable(folder, 300)}": a set is a folder in it with ${toolsFile} and ${queriesFile}`,
  )
}

/** Reads one set whole. Throws an InputError with file and line. */
export function readSet(folder: string, name: string): QuerySet {
  const tools = join(folder, name, toolsFile)
  const queries = join(folder, name, queriesFile)
  return { name, documents: readLines(tools, documentReader()), queries: readLines(queries, queryOf) }
}

type ReadLine<T> = (line: JsonObject, fault: (what: string) => InputError) => T

function readLines<T>(file: string, read: ReadLine<T>): T[] {
  const found: T[] = []
  for (const [at, text] of readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (text.trim() === '') continue
    const fault = (what: string) => new InputError(`${printable(file, 300)}:${at + 1}: ${what}`)
    found.push(read(parsed(text, fault), fault))
  }
  if (found.length === 0) throw new InputError(`${printable(file, 300)}: the file holds no line`)
  return found
}

function parsed(text: string, fault: (what: string) => InputError): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw fault(`no JSON: ${printable(error instanceof Error ? error.message : String(error))}`)
  }
  if (!isJsonObject(value)) throw fault('a line must hold one JSON object')
  return value
}

/** Tools as documents; remembers names, because what is found is told by its name. */
function documentReader(): ReadLine<SearchDocument> {
  const seen = new Set<string>()
  return ({ name, tool, server, description, inputSchema }, fault) => {
    if (typeof name !== 'string' || name === '') throw fault('a tool needs a "name"')
    if (seen.has(name)) throw fault(`a second tool of the name "${printable(name)}"`)
    seen.add(name)
    const schema = isJsonObject(inputSchema) ? inputSchema : { type: 'object' }
    const said = typeof description === 'string' ? description : ''
    return {
      name,
      originalName: typeof tool === 'string' && tool !== '' ? tool : name,
      ...(typeof server === 'string' && server !== '' ? { server } : {}),
      description: said,
      inputSchema: schema,
      keywords: [],
      priority: 0,
      definitionHash: sha256(canonicalJson([server, name, tool, said, schema] as Json)),
    }
  }
}

const queryOf: ReadLine<Query> = ({ query, relevant, groups, kind }, fault) => {
  if (typeof query !== 'string') throw fault('a query needs a text "query"')
  const named = relevant === undefined ? [] : namesIn(relevant)
  const needs = groups === undefined ? [] : Array.isArray(groups) ? groups.map(namesIn) : [undefined]
  if (named === undefined) throw fault('"relevant" must be a list of names')
  if (!needs.every((need) => need !== undefined && need.length > 0)) {
    throw fault('"groups" must be a list of needs, each a list of at least one name')
  }
  const groupsOfNames = needs as readonly (readonly string[])[]
  if (named.length === 0 && groupsOfNames.length === 0)
    throw fault('a query needs the tools that answer it: "relevant"')
  return {
    text: query,
    kind: typeof kind === 'string' && kind !== '' ? kind : 'all',
    needs: groupsOfNames.length > 0 ? groupsOfNames : named.map((name) => [name]),
    relevant: new Set(named.length > 0 ? named : groupsOfNames.flat()),
  }
}

const namesIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
