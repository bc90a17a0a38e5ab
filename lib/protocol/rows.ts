import type { ProtocolVersion } from '@/lib/wire/lifecycle';

/** The versions that have something; both ends included, no `until` means still there. */
export interface Span {
  readonly since: ProtocolVersion;
  readonly until?: ProtocolVersion;
}

export const ALWAYS: Span = { since: '2024-11-05' };
export const LEGACY: Span = { since: '2024-11-05', until: '2025-11-25' };
export const MODERN: Span = { since: '2026-07-28' };
/** The experiments of one revision. */
export const ONLY_2025_11: Span = { since: '2025-11-25', until: '2025-11-25' };

/** True if `version` is within. Versions are dates, so they compare as text. */
export function isInVersion({ since, until }: Span, version: ProtocolVersion): boolean {
  return version >= since && (until === undefined || version <= until);
}

/**
 * A type, written as it would be in TypeScript: `string`, `number`, `integer`, `boolean`, `object`, `null`, `any`, a
 * name of `SCALARS` or `SHAPES`, a literal in single quotes, and of those `X[]`, `X[100]` (at most 100 items), `{X}` (an object
 * whose members are all X) and `X | Y`.
 */
export type TypeText = string;

/** What a field is during some versions. */
export interface FieldRow extends Span {
  readonly type: TypeText;
}

/** A field: the same in all versions, or a row for each time its type changed. */
export type FieldRows = TypeText | FieldRow | readonly FieldRow[];

/**
 * An object. A name that ends in `?` may be absent. A field that was optional for a while has two keys, with and without `?`,
 * whose rows don't overlap. Members that are not here are allowed, as in the schemas of the specification.
 */
export type Shape = Readonly<Record<string, FieldRows>>;

/** A field that came with a version. */
export function since(version: ProtocolVersion, type: TypeText): FieldRow {
  return { type, since: version };
}

/** A field that was there up to a version. */
export function until(version: ProtocolVersion, type: TypeText): FieldRow {
  return { type, since: ALWAYS.since, until: version };
}

/** A field that was there from one version to another, both included. */
export function during(first: ProtocolVersion, last: ProtocolVersion, type: TypeText): FieldRow {
  return { type, since: first, until: last };
}
