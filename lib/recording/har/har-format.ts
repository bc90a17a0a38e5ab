/** A header field of an HTTP Archive. */
export interface HarField {
  readonly name: string;
  readonly value: string;
}

/**
 * One request and its response in an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as far as we
 * read or write it. Names with a leading `_` are extensions, which the format allows.
 */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** Milliseconds from start to end. */
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarField[];
    readonly queryString: readonly HarField[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly response: {
    /** 0: no response. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarField[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: 'base64';
    };
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: number;
    /** Why it failed, as browsers write it. */
    readonly _error?: string;
  };
  readonly cache: Record<string, never>;
  /** Milliseconds. */
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: number };
  readonly serverIPAddress?: string;
  /** Milliseconds from the start to each block of an event stream. */
  readonly _blockTimes?: readonly number[];
}

/** The last moment that a JavaScript Date can hold, in Unix ms. */
const MOST_DATE = 8.64e15;

/** Formats Unix ms as ISO 8601 with microseconds, since one millisecond may hold several exchanges. */
export function harDate(ms: number): string {
  const us = Math.round(Math.min(ms, MOST_DATE) * 1000);
  const whole = Math.floor(us / 1000);
  const rest = String(us - whole * 1000).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${rest === '000' ? '' : rest}Z`);
}

/** Parses a date with its digits beyond milliseconds, as Unix ms; NaN if invalid. */
export function readHarDate(text: string): number {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return Date.parse(text) + (beyond === '' ? 0 : Number(`0.${beyond}`));
}
