import { isObject, own } from '@/lib/json/value';
import { countOf } from '@/lib/wire/format';

const UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats milliseconds roughly, in the largest unit that fits: "0 s", "12 s", "5 min", "2 h", "3 days". */
export function formatSpan(ms: number): string {
  const [name, size] = UNITS.find(([, size]) => ms >= size) ?? UNITS[3];
  const count = Math.floor(ms / size);
  return name === 'day' ? countOf(count, 'day') : `${count} ${name}`;
}

/** Formats a time as "3 days ago" or "in 2 h"; undefined for an invalid one. Both are ms since 1970. */
export function relativeTime(at: number, now: number): string | undefined {
  if (Number.isNaN(at)) return undefined;
  return at > now ? `in ${formatSpan(at - now)}` : `${formatSpan(now - at)} ago`;
}

/** How long and for whom a result may be cached (2026-07-28), in words. */
export interface CacheHint {
  /** "may be cached for 5 min, private"; '' if the server says nothing. */
  readonly text: string;
  /** The copy is older than the server allows. Never for a result that may not be cached at all. */
  readonly stale: boolean;
}

/** Reads the caching hints of a result that is `ageMs` old. Servers may send anything. */
export function cacheHint(result: unknown, ageMs: number): CacheHint {
  const [ttl, scope] = isObject(result) ? [own(result, 'ttlMs'), own(result, 'cacheScope')] : [];
  if (ttl === undefined && scope === undefined) return { text: '', stale: false };
  const whose = scope === 'private' || scope === 'public' ? `, ${scope}` : '';
  if (typeof ttl !== 'number' || !Number.isFinite(ttl)) {
    return { text: ttl === undefined ? `no ttlMs${whose}` : `invalid ttlMs${whose}`, stale: false };
  }
  // Clients treat a negative time as 0.
  if (ttl <= 0) return { text: `may not be cached${whose}`, stale: false };
  const span = ttl < 1000 ? `${ttl} ms` : formatSpan(ttl);
  return { text: `may be cached for ${span}${whose}`, stale: ageMs > ttl };
}
