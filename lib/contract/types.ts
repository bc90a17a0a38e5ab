/** A type without parts of its own. `values`: the only strings; `value`: the only boolean. */
type ScalarType =
  | { readonly kind: 'unknown' | 'null' | 'integer' | 'number' }
  | { readonly kind: 'boolean'; readonly value?: boolean }
  | { readonly kind: 'string'; readonly format?: StringFormat; readonly values?: readonly string[] };

export type StringFormat = 'date-time' | 'date';

/** A type in which objects are written as `O`: with their members, or by a name. */
export type TypeOf<O> =
  | O
  | ScalarType
  | { readonly kind: 'array'; readonly items: TypeOf<O> }
  /** An object whose keys are data, such as ids. */
  | { readonly kind: 'map'; readonly values: TypeOf<O> }
  | { readonly kind: 'union'; readonly of: readonly TypeOf<O>[] };

export interface Member<T> {
  readonly key: string;
  readonly required: boolean;
  readonly type: T;
}

/** An object with known keys. It may have others. */
export interface ObjectType {
  readonly kind: 'object';
  readonly members: readonly Member<Type>[];
}

/** A type inferred from JSON values. */
export type Type = TypeOf<ObjectType>;
