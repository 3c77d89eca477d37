// What a rule of a schema profile is: a small rewriting of one node, which knows where it stands and says what it
// did. Rules return the node itself when there is nothing to do; that is how an unchanged schema stays the same object.

import type { JsonObject } from '../../core/json.ts'

/** described: moved into the description, so that the model still reads it. cut: replaced by something shallower. */
export type NoteWhat = 'added' | 'dropped' | 'described' | 'rewritten' | 'inlined' | 'cut'

/** One change. `path` is a JSON pointer into the original schema, '' for its root; property names in it are foreign. */
export interface SchemaNote {
  readonly path: string
  readonly keyword: string
  readonly what: NoteWhat
}

export type RefusalWhy =
  | 'not-an-object'
  | 'remote-reference'
  | 'dangling-reference'
  | 'endless-reference'
  | 'open-object'
  | 'too-deep'
  | 'too-big'

/** Why no adaptation is possible, and where. */
export interface SchemaRefusal {
  readonly path: string
  readonly keyword: string
  readonly why: RefusalWhy
}

/** A reference looked up in the schema's own text; nothing is ever fetched. */
export type Resolved =
  | { readonly kind: 'found'; readonly node: JsonObject }
  /** Found, but this node already lies inside an inlined copy of it. */
  | { readonly kind: 'recursive'; readonly node: JsonObject }
  | { readonly kind: 'remote' }
  | { readonly kind: 'dangling' }

/** Where a rule is at work. */
export interface Place {
  readonly isRoot: boolean
  /** Schemas on the way from the root; 0 is the root. */
  readonly depth: number
  readonly note: (keyword: string, what: NoteWhat) => void
  /** Ends the adaptation; the tool is withheld. The first refusal counts. */
  readonly refuse: (keyword: string, why: RefusalWhy) => void
  /** Looks a reference up. From then on this node and all below it count as lying inside it. */
  readonly enter: (reference: string) => Resolved
}

type Rewrite = (node: JsonObject, at: Place) => JsonObject

export interface SchemaRule {
  /** kebab-case, unique in a profile. */
  readonly id: string
  /** On the root only, once, before all else. */
  readonly root?: Rewrite
  /** On every node before its sub-schemas, again and again until no rule changes it. */
  readonly node?: Rewrite
  /** On every node after its sub-schemas. */
  readonly leave?: Rewrite
}

/** What one target's API takes, as an ordered list of rules. */
export interface SchemaProfile {
  /** The value of `TargetFacts.schemaProfile`. */
  readonly name: string
  readonly rules: readonly SchemaRule[]
}
