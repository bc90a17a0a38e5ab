/** A named member of an object. `schema` is unread: make its view when it is shown, so that recursion follows the value. */
export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
}

/** What a value is to look like, as far as a field needs to know. */
export type Shape =
  | { readonly kind: 'string'; readonly format?: string }
  | { readonly kind: 'number' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'boolean' }
  /** Values of any type, in the schema's order. */
  | { readonly kind: 'enum'; readonly options: readonly unknown[] }
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'array'; readonly items: unknown }
  | { readonly kind: 'object'; readonly properties: readonly Property[]; readonly required: readonly string[] }
  /** An object with names of the caller's choice. */
  | { readonly kind: 'map'; readonly values: unknown }
  /** Anything that no other kind describes: edited as JSON. */
  | { readonly kind: 'any' };

export type Kind = Shape['kind'];

/** One node of a form. */
export type View<K extends Kind = Kind> = Extract<Shape, { readonly kind: K }> & {
  readonly title?: string;
  readonly description?: string;
  /** Wrapped, because `null` is a default too. Shown, never sent unasked. */
  readonly default?: { readonly value: unknown };
  /** The schema allows null beside the kind. */
  readonly nullable: boolean;
  /** Format and bounds in a few words each. */
  readonly hints: readonly string[];
};
