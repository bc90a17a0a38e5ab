/** A header field of an HTTP Archive. */
export interface HarField {
  readonly name: string;
  readonly value: string;
}

/**
 * One request and its response as an HTTP Archive 1.2 has them (http://www.softwareishard.com/blog/har-12-spec/), as far as we
 * write or read it. What begins with `_` is not of that format, which allows it.
 */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** Milliseconds from the beginning to the end. */
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
    /** 0: none came. */
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
  /** Of an event stream: milliseconds from the beginning to each block of its text, in their order. */
  readonly _blockTimes?: readonly number[];
}

/** The last moment that JavaScript can name, in Unix ms. */
const MOST_DATE = 8.64e15;

/** Unix ms, with a fraction, as ISO 8601 to the microsecond: within a millisecond a lot happens on one machine. */
export function harDate(ms: number): string {
  const us = Math.round(Math.min(ms, MOST_DATE) * 1000);
  const whole = Math.floor(us / 1000);
  const rest = String(us - whole * 1000).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${rest === '000' ? '' : rest}Z`);
}

/** Unix ms of what any archive says, with its digits beyond milliseconds; NaN for no date. */
export function readHarDate(text: string): number {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return Date.parse(text) + (beyond === '' ? 0 : Number(`0.${beyond}`));
}
