/** A named member of an object. `schema` is unread: make its view when it is shown, so that recursion follows the value. */
export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  /** Where a property that only sometimes applies comes from: `then`, `else`, or `with a` for a dependent schema. */
  readonly condition?: string;
}

/** A value to choose, and how the server calls it. */
export interface Choice {
  readonly value: unknown;
  readonly title?: string;
}

/** Names that an object may have besides its properties, as data. */
export interface OtherProperties {
  /** Regular expressions of the schema and what a property whose name they match looks like. Unread. */
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[];
  /** What any other property looks like; `false` if the schema forbids others. They can be added all the same. */
  readonly schema: unknown;
  /** Names that the schema lists for them. */
  readonly suggested: readonly string[];
}

/** One of the things a union may be. */
export interface Branch {
  readonly schema: unknown;
  readonly label: string;
  /** Where it stands in the schema: `anyOf/1`; '' for a type of a type list. A validator's errors name branches like that. */
  readonly at: string;
  /** What tells its objects from those of the other branches: picked with the branch. */
  readonly marks: readonly (readonly [name: string, value: unknown])[];
}

/** Why a node is a JSON box, other than that its schema says nothing of it. */
export type BoxReason = 'reference' | 'circle' | 'too-large' | 'malformed' | 'contradiction' | 'unknown-type' | 'never';

/** A branch before it has a label. */
export type UnlabelledBranch = Pick<Branch, 'schema' | 'at'>;

/** What a value is to look like, as far as a field needs to know. */
export type FieldShape =
  | {
      readonly kind: 'string';
      readonly format?: string;
      /** Values the schema names though it takes any text. */
      readonly suggestions?: readonly Choice[];
      /** How a file goes into it, if the schema says. */
      readonly encoding?: 'base64';
    }
  | { readonly kind: 'number' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'boolean' }
  /** Values of any type, in the schema's order. */
  | { readonly kind: 'enum'; readonly options: readonly Choice[] }
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'array'; readonly items: unknown }
  /** An array whose places mean different things. `rest` is what follows them; `false` for nothing. */
  | { readonly kind: 'tuple'; readonly items: readonly unknown[]; readonly rest: unknown }
  | { readonly kind: 'object'; readonly properties: readonly Property[]; readonly others: OtherProperties }
  /** An object with names of the caller's choice. */
  | { readonly kind: 'map'; readonly others: OtherProperties }
  | { readonly kind: 'union'; readonly branches: readonly Branch[] }
  /** Anything that no other kind describes: edited as JSON. */
  | { readonly kind: 'any'; readonly because?: BoxReason };

export type Kind = FieldShape['kind'];

/** One node of a form. */
export type View<K extends Kind = Kind> = Extract<FieldShape, { readonly kind: K }> & {
  readonly title?: string;
  readonly description?: string;
  /** Wrapped, because `null` is a default too. Shown, never sent unasked. */
  readonly default?: { readonly value: unknown };
  /** Values that the schema gives as examples. */
  readonly examples: readonly unknown[];
  /** The schema allows null beside the kind. */
  readonly nullable: boolean;
  /** Format and bounds in a few words each. */
  readonly hints: readonly string[];
  /** The header that repeats the value over HTTP (`x-mcp-header`), without its prefix. */
  readonly header?: string;
};

/** What a schema stands in: references point into `root`, and `view` makes the node of a schema beside or below. */
export interface ViewContext {
  readonly root: unknown;
  readonly view: (schema: unknown) => View;
}
