/**
 * Longest string in characters that is normalised. Longer ones are compared as they are, since every pattern reads
 * them.
 */
export const NORMALISED_CHARS = 1_000_000;
/** Longest opaque name in characters, such as a cursor or an id. */
export const OPAQUE_CHARS = 4096;

/** A kind of value whose differences from run to run mean nothing, and how to find such values. */
interface NormaliserRow {
  /** Name in `--ignore` and in the docs. Matched values are replaced with it, as in `‹time›`. */
  readonly name: string;
  /** Description for people, after “ignores”. */
  readonly what: string;
  /** True if the `semantic` comparison uses the normaliser. Others apply only on request. */
  readonly usual: boolean;
  /**
   * Patterns to find in strings. Each is global, takes linear time, and has at most one capture group: a prefix that
   * stays.
   */
  readonly texts?: readonly RegExp[];
  /** Names of members whose whole string or number is replaced. */
  readonly keys?: RegExp;
  /** Matches numbers anywhere. */
  readonly number?: (value: number) => boolean;
  /** True if the values are opaque names that a server hands out. A replayed client sends the new names back. */
  readonly opaque?: true;
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:\\s?[AP]M\\b)?';

/** True for a Unix time in milliseconds from 2001 to 2096. */
const isEpochMs = (value: number): boolean => value >= 978_307_200_000 && value < 4_000_000_000_000;

/** Every normaliser in order of use, a longer value before its parts. */
export const NORMALISERS: readonly NormaliserRow[] = [
  {
    name: 'time',
    what: 'dates with a time of day (ISO 8601, HTTP, JavaScript, 1/31/2026, 12:00 PM), and times of day with seconds',
    usual: true,
    texts: [
      /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?(?:Z|UTC|GMT)\b|[+-]\d{2}:?\d{2}\b)?/g,
      new RegExp(
        `\\b${DAY} ${MONTH} \\d{1,2} \\d{4} ${CLOCK}(?: (?:GMT|UTC)(?:[+-]\\d{4})?)?(?: \\([^)\\n]{1,60}\\))?`,
        'g',
      ),
      new RegExp(`\\b${DAY}[a-z]{0,6}, \\d{1,2}[ -]${MONTH}[ -]\\d{2,4} ${CLOCK}(?: (?:GMT|UTC|[+-]\\d{4}))?`, 'g'),
      new RegExp(`\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4},? ${CLOCK}`, 'g'),
      /\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:\s?[AP]M\b)?/g,
    ],
  },
  {
    name: 'uuid',
    what: 'UUIDs',
    usual: true,
    opaque: true,
    texts: [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  },
  {
    name: 'id',
    what: 'ids of requests, sessions, tasks, traces, spans, runs, events, messages and elicitations, found by member name; ULIDs; names that contain milliseconds since 1970, such as task_1790000000000_x7k2',
    usual: true,
    opaque: true,
    texts: [
      /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g,
      /(?<![\dA-Za-z])(?:[\dA-Za-z]{1,24}[_-]){1,3}1\d{12}(?:[_-][\da-z]{4,16})?(?![\dA-Za-z])/g,
    ],
    keys: /^(?:request|session|task|trace|span|run|event|message|elicitation|correlation|conversation)_?id$/i,
  },
  {
    name: 'epoch',
    what: 'seconds, milliseconds or microseconds since 1970 that fall in this century',
    usual: true,
    texts: [/\b[1-3]\d{9}(?:\d{3}|\d{6}|\.\d{1,9})?\b/g],
    keys: /(?:^|[a-z_])(?<!run|life|part|full)(?:time|timestamp|epoch)$|(?:^|_)(?:iat|exp|nbf)$|[a-z](?:At|_at|Time|Timestamp)$/,
    number: (value) => isEpochMs(value) || isEpochMs(value / 1000),
  },
  {
    name: 'duration',
    what: 'durations: numbers with a unit of time, and members with names such as elapsed_ms',
    usual: true,
    texts: [
      /\b\d{1,15}(?:\.\d{1,15})?\s?(?:ns|µs|us|ms|s|secs?|seconds?|milliseconds?|microseconds?|min|minutes?|hours?)\b/g,
    ],
    keys: /(?:duration|elapsed|latency|uptime|took)(?:_?(?:ns|us|ms|s|sec|seconds|millis))?$/i,
  },
  {
    name: 'cursor',
    what: 'cursors, page tokens and requestState',
    usual: true,
    opaque: true,
    keys: /^(?:(?:next|prev|previous)?_?cursor|(?:next_?)?page_?token|requestState)$/i,
  },
  {
    name: 'pid',
    what: 'process ids, found by member name',
    usual: true,
    texts: [/(\bpid[ =:]{1,3})\d{1,10}\b/gi],
    keys: /^p?pid$/i,
  },
  {
    name: 'temp-path',
    what: 'names directly below a temporary folder; the rest of the path is compared',
    usual: true,
    texts: [
      /(?:\/private)?\/(?:tmp|var\/tmp|var\/folders\/[\w+-]{1,40}\/[\w+-]{1,80}\/[A-Z])\/[^\s/"'`<>|:;,)\]}]{1,255}/g,
      /\b[A-Z]:\\(?:[^\s\\"'<>|]{1,255}\\){0,8}Temp\\[^\s\\"'<>|:;,)\]}]{1,255}/gi,
    ],
  },
  {
    name: 'port',
    what: 'ports of addresses of this machine, and members named port',
    usual: true,
    texts: [/((?:\blocalhost|\b127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\b0\.0\.0\.0|\[::1?\]):)\d{2,5}\b/g],
    keys: /^port$/i,
  },
  {
    name: 'hash',
    what: 'hexadecimal digests of 32, 40, 64 or 128 digits, and sha256-…',
    usual: false,
    texts: [
      /\b(?:[0-9a-f]{128}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/gi,
      /\bsha(?:1|256|384|512)-[\w+/=-]{16,100}/g,
    ],
  },
  { name: 'version', what: 'members named version', usual: false, keys: /^version$/i },
  {
    name: 'number',
    what: 'all numbers, also in strings',
    usual: false,
    texts: [/\b\d{1,300}(?:\.\d{1,300})?\b/g],
    number: () => true,
  },
];

/** Replaces meaningless parts of strings and numbers. */
export class Normaliser {
  readonly #rows: readonly NormaliserRow[];

  constructor(rows: readonly NormaliserRow[]) {
    this.#rows = rows;
  }

  /**
   * Replaces each match in a string with `‹name›`. `key` is the member's name. Takes linear time. Strings over
   * `NORMALISED_CHARS` stay as they are, unless the name matches.
   */
  text(text: string, key: string | undefined): string {
    if (key !== undefined) {
      const row = this.#rows.find(({ keys }) => keys?.test(key));
      if (row) return placeOf(row);
    }
    if (text.length > NORMALISED_CHARS) return text;
    let changed = text;
    for (const row of this.#rows) {
      for (const pattern of row.texts ?? []) {
        changed = changed.replace(pattern, (_, before: unknown) =>
          typeof before === 'string' ? `${before}${placeOf(row)}` : placeOf(row),
        );
      }
    }
    return changed;
  }

  /** Replaces a meaningless number with `‹name›`. */
  number(value: number, key: string | undefined): string | number {
    const row = this.#rows.find(
      ({ keys, number }) => number?.(value) === true || (key !== undefined && keys?.test(key)),
    );
    return row ? placeOf(row) : value;
  }

  /**
   * Finds the opaque names in a string, in order. If two strings differ only in such names, the names correspond in
   * order.
   */
  opaqueParts(text: string): readonly string[] {
    if (text.length > NORMALISED_CHARS) return [];
    const parts: string[] = [];
    let left = text;
    for (const row of this.#rows) {
      for (const pattern of (row.opaque && row.texts) || []) {
        left = left.replace(pattern, (part) => {
          parts.push(part);
          return placeOf(row);
        });
      }
    }
    return parts;
  }

  /** True for a string that is one opaque name. */
  isOpaque(text: string, key: string | undefined): boolean {
    if (text === '' || text.length > OPAQUE_CHARS) return false;
    return this.#rows.some(
      (row) =>
        row.opaque === true &&
        ((key !== undefined && row.keys?.test(key)) ||
          (row.texts ?? []).some((pattern) => text.replace(pattern, '') === '')),
    );
  }
}

/** Replaces nothing. */
export const NO_NORMALISER = new Normaliser([]);

/** Replaces what a semantic comparison always ignores. */
export const DEFAULT_NORMALISER = new Normaliser(NORMALISERS.filter(({ usual }) => usual));

function placeOf({ name }: NormaliserRow): string {
  return `‹${name}›`;
}
