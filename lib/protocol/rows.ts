import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';

/** A range of versions, both ends included. Without `until`, it has no end. */
export interface VersionSpan {
  readonly since: ProtocolVersion;
  readonly until?: ProtocolVersion;
}

export const ALWAYS: VersionSpan = { since: '2024-11-05' };
export const LEGACY: VersionSpan = { since: '2024-11-05', until: '2025-11-25' };
export const MODERN: VersionSpan = { since: '2026-07-28' };
/** For experiments that only this revision had. */
export const ONLY_2025_11: VersionSpan = { since: '2025-11-25', until: '2025-11-25' };

/** Returns the known version whose rows are for a negotiated version: the same version, or the newest older one. */
export function tableVersion(version: string): ProtocolVersion {
  return PROTOCOL_VERSIONS.findLast((known) => known <= version) ?? PROTOCOL_VERSIONS[0];
}

/** Returns true if `version` is in the range. Versions are dates, so they compare as text. */
export function isInVersion({ since, until }: VersionSpan, version: ProtocolVersion): boolean {
  return version >= since && (until === undefined || version <= until);
}

/**
 * A type, written as in TypeScript: `string`, `number`, `integer`, `boolean`, `object`, `null`, `any`, a name from
 * `SCALARS` or `SHAPES`, or a literal in single quotes. These combine as `X[]`, `X[100]` (at most 100 items), `X[name]`
 * (items whose member `name` differs), `{X}` (an object whose members are all X) and `X | Y`. `!other` is a member that
 * must not stand beside the member `other`.
 */
export type TypeText = string;

/** A field in a range of versions. */
export interface FieldRow extends VersionSpan {
  readonly type: TypeText;
}

/** A field: one type in all versions, or a row for each range. */
export type FieldRows = TypeText | FieldRow | readonly FieldRow[];

/**
 * An object. A name that ends in `?` is optional. A field that was optional in some versions has two keys, with and
 * without `?`, whose rows don't overlap. Other members are allowed, as in the schemas of the specification.
 */
export type ObjectShape = Readonly<Record<string, FieldRows>>;

/** Returns a field that exists since a version. */
export function since(version: ProtocolVersion, type: TypeText): FieldRow {
  return { type, since: version };
}

/** Returns a field that existed up to and including a version. */
export function until(version: ProtocolVersion, type: TypeText): FieldRow {
  return { type, since: ALWAYS.since, until: version };
}

/** Returns a field that existed from one version to another, both included. */
export function during(first: ProtocolVersion, last: ProtocolVersion, type: TypeText): FieldRow {
  return { type, since: first, until: last };
}
