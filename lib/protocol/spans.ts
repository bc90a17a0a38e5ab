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
export function spans({ since, until }: Span, version: ProtocolVersion): boolean {
  return version >= since && (until === undefined || version <= until);
}
