/** A property of an object. Its view is made when it is shown, so that recursion follows the value. */
export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  /** Source of a conditional property: `then`, `else`, or `with a` for a dependent schema. */
  readonly condition?: string;
}

/** A value to choose, and the server's title for it. */
export interface FieldChoice {
  readonly value: unknown;
  readonly title?: string;
}

/** Properties that an object can have in addition to the named ones. */
export interface OtherProperties {
  /** Patterns of property names, each with the schema of such properties. */
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[];
  /** Schema of any other property; `false` if forbidden, though the user can still add one. */
  readonly schema: unknown;
  /** Names that the schema suggests. */
  readonly suggested: readonly string[];
}

/** A branch of a union. */
export interface Branch {
  readonly schema: unknown;
  readonly label: string;
  /** Location in the schema, as in a validator's errors: `anyOf/1`; '' for a type of a type list. */
  readonly at: string;
  /** Properties that distinguish its objects from other branches. They are set when the branch is picked. */
  readonly marks: readonly (readonly [name: string, value: unknown])[];
}

/** Why a node is edited as JSON, unless its schema is empty. */
export type BoxReason = 'reference' | 'circle' | 'too-large' | 'malformed' | 'contradiction' | 'unknown-type' | 'never';

/** A branch without its label. */
export type UnlabelledBranch = Pick<Branch, 'schema' | 'at'>;

/** The kind of field for a value. */
export type FieldShape =
  | {
      readonly kind: 'string';
      readonly format?: string;
      /** Values that the schema suggests, though any text is valid. */
      readonly suggestions?: readonly FieldChoice[];
      /** Encoding of a file in the text, if the schema names one. */
      readonly encoding?: 'base64';
    }
  | { readonly kind: 'number' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'boolean' }
  /** Values of any type, in the schema's order. */
  | { readonly kind: 'enum'; readonly options: readonly FieldChoice[] }
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'array'; readonly items: unknown }
  /** An array with a schema for each position. `rest` is the schema of further items, or `false`. */
  | { readonly kind: 'tuple'; readonly items: readonly unknown[]; readonly rest: unknown }
  | { readonly kind: 'object'; readonly properties: readonly Property[]; readonly others: OtherProperties }
  /** A map: an object whose property names the schema leaves open. */
  | { readonly kind: 'map'; readonly others: OtherProperties }
  /** `allowsNull`: a branch allows null. Null itself is not listed as a branch. */
  | { readonly kind: 'union'; readonly branches: readonly Branch[]; readonly allowsNull: boolean }
  /** Anything else, edited as JSON. */
  | { readonly kind: 'any'; readonly because?: BoxReason };

export type FieldKind = FieldShape['kind'];

/** One node of a form. */
export type View<K extends FieldKind = FieldKind> = Extract<FieldShape, { readonly kind: K }> & {
  readonly title?: string;
  readonly description?: string;
  /** The default value, wrapped because `null` can be one. It is shown, but sent only if the user asks for it. */
  readonly default?: { readonly value: unknown };
  readonly examples: readonly unknown[];
  /** The schema also allows null. */
  readonly nullable: boolean;
  /** Format and bounds, each in a few words. */
  readonly hints: readonly string[];
  /** Header that repeats the value over HTTP (`x-mcp-header`), without its prefix. */
  readonly header?: string;
};

/** Context of a schema: the root for references, and the function that makes the views of other schemas. */
export interface ViewContext {
  readonly root: unknown;
  readonly view: (schema: unknown) => View;
}
