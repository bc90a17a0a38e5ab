/** Milliseconds of units of time. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads `7d`, `12h`, `30m`, `2w`, a date or an ISO 8601 time. Returns it in UTC, undefined if it is none of them. */
export function readTime(text: string, now: number): string | undefined {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const time = unit === undefined ? (isDate ? Date.parse(text) : Number.NaN) : now - Number(count) * UNITS[unit]!;
  return Number.isNaN(time) || Math.abs(time) > 8.64e15 ? undefined : new Date(time).toISOString();
}
