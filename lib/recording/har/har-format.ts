import type { Entry, Response } from 'har-format';

/** An entry of an HTTP Archive 1.2. Names with a leading `_` are extensions, which the format allows. */
export interface HarEntry extends Entry {
  response: Response & {
    /** Why the exchange failed, as browsers write it. */
    _error?: string;
  };
  /** Milliseconds from the start to each block of an event stream. */
  _blockTimes?: readonly number[];
}

/** The last moment that a JavaScript Date can hold, in Unix ms. */
const MOST_DATE = 8.64e15;

/** Formats Unix ms as ISO 8601 with microseconds, since one millisecond may hold several exchanges. */
export function harDate(ms: number): string {
  const us = Math.round(Math.max(-MOST_DATE, Math.min(ms, MOST_DATE)) * 1000);
  const whole = Math.floor(us / 1000);
  const rest = String(us - whole * 1000).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${rest === '000' ? '' : rest}Z`);
}

/** Parses a date with its digits beyond milliseconds, as Unix ms; NaN if invalid. */
export function readHarDate(text: string): number {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return Date.parse(text) + (beyond === '' ? 0 : Number(`0.${beyond}`));
}
