import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { FEWEST_FOR_QUANTILES } from '@/lib/wire/spread';
import {
  type Counted,
  type FailureSummary,
  type RecordingSummary,
  type RuleCount,
  SUMMARY_BYTES,
  SUMMARY_CHARS,
  SUMMARY_FAILURES,
  SUMMARY_TAGS,
  SUMMARY_TOOLS,
  SUMMARY_VERSION,
  type ToolSummary,
} from './recording-summary';
import { callsIn, LAST_BUCKET, type Times } from './time-buckets';

/** Why a summary can’t be used. */
export class SummaryError extends Error {
  /** `newer`: made by a later version. `invalid`: anything else. */
  readonly code: 'newer' | 'invalid';

  constructor(code: SummaryError['code'], message: string) {
    super(message);
    this.name = 'SummaryError';
    this.code = code;
  }
}

/** Most rules in a summary. There are fewer. */
const MOST_RULES = 500;
/** Most calls, frames and bytes, and milliseconds. More is not a measurement, and sums of many stay exact. */
const MOST = 1e12;
/** Longest address of a CI run, in characters. */
const URL_CHARS = 2000;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a summary that somebody wrote into a bucket. Takes only known members, each with its type and bounds, so that
 * nothing else reaches a page. Throws {@link SummaryError}.
 */
export function readSummary(bytes: Uint8Array): RecordingSummary {
  if (bytes.length > SUMMARY_BYTES) throw invalid('It is longer than a summary can be');
  let parsed: unknown;
  try {
    parsed = parseBounded(decoder.decode(bytes));
  } catch {
    throw invalid('It is not JSON');
  }
  return checkedSummary(parsed);
}

/** Checks a summary that was parsed before, as {@link readSummary} does. Throws {@link SummaryError}. */
export function checkedSummary(parsed: unknown): RecordingSummary {
  if (!isObject(parsed)) throw invalid('It is not an object');
  const version = own(parsed, 'summary');
  if (Number.isSafeInteger(version) && (version as number) > SUMMARY_VERSION)
    throw new SummaryError('newer', 'This summary was made by a newer mcp-inspect. Update to read it.');
  if (version !== SUMMARY_VERSION) throw invalid('It has no version');
  return summaryIn(new Fields(parsed, ''));
}

function invalid(why: string): SummaryError {
  return new SummaryError('invalid', `Not a summary of a recording: ${why}.`);
}

function summaryIn(fields: Fields): RecordingSummary {
  const host = fields.optionalObject('host');
  const ci = fields.optionalObject('ci');
  return {
    summary: SUMMARY_VERSION,
    id: fields.text('id'),
    sha256: fields.matching('sha256', SHA256),
    bytes: fields.count('bytes'),
    at: fields.time('at'),
    durationMs: fields.number('durationMs'),
    frames: fields.count('frames'),
    by: fields.text('by'),
    mode: fields.word('mode', MODES),
    complete: fields.flag('complete'),
    server: serverIn(fields.object('server')),
    ...(host && { host: { name: host.text('name'), ...host.optionalText('version') } }),
    requests: countedIn(fields.object('requests')),
    tools: fields.list('tools', SUMMARY_TOOLS).map(toolIn),
    ...fields.optionalCount('toolsLeftOut'),
    failures: fields.list('failures', SUMMARY_FAILURES).map(failureIn),
    ...fields.optionalCount('failuresLeftOut'),
    problems: fields.list('problems', MOST_RULES).map(problemIn),
    tags: fields.texts('tags', SUMMARY_TAGS),
    ...fields.optionalText('author'),
    ...fields.optionalMatching('commit', COMMIT),
    ...(ci && { ci: { name: ci.text('name'), ...ci.optionalText('run', URL_CHARS) } }),
  };
}

const MODES = ['client', 'tap', 'import', 'check'] as const;
const SEVERITIES = ['error', 'warning', 'info'] as const;
const CODES = ['tool-error', 'timeout', 'lost', 'error'] as const;
const SHA256 = /^[0-9a-f]{64}$/;
/** SHA-1 or SHA-256. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function serverIn(fields: Fields): RecordingSummary['server'] {
  return {
    name: fields.text('name'),
    ...fields.optionalText('info'),
    ...fields.optionalText('title'),
    ...fields.optionalText('version'),
    ...fields.optionalText('protocol'),
    transport: fields.text('transport'),
  };
}

function countedIn(fields: Fields): Counted {
  const counted = {
    calls: fields.count('calls'),
    errors: fields.count('errors'),
    ...fields.optionalCount('unfinished'),
    ...fields.optionalNumber('p50Ms'),
    ...fields.optionalNumber('p95Ms'),
    ...fields.optionalNumber('maxMs'),
    ...fields.optionalNumbers('singlesMs', FEWEST_FOR_QUANTILES - 1),
    ...fields.optionalTimes('times'),
  };
  if (counted.errors + (counted.unfinished ?? 0) > counted.calls) throw fields.wrong('errors');
  if (callsIn(counted.times ?? []) > counted.calls) throw fields.wrong('times');
  return counted;
}

function toolIn(fields: Fields): ToolSummary {
  return {
    name: fields.text('name'),
    ...(fields.optionalFlag('unlisted') && { unlisted: true }),
    ...countedIn(fields),
    ...fields.optionalCount('slowest'),
    ...fields.optionalCount('failed'),
  };
}

function failureIn(fields: Fields): FailureSummary {
  return {
    method: fields.text('method'),
    ...fields.optionalText('name'),
    code: fields.integerOrWord('code', CODES),
    ...fields.optionalText('message'),
    count: fields.count('count'),
    frame: fields.count('frame'),
  };
}

function problemIn(fields: Fields): RuleCount {
  return {
    rule: fields.text('rule'),
    severity: fields.word('severity', SEVERITIES),
    count: fields.count('count'),
  };
}

/** The members of an object, read with their types. Each method throws SummaryError for anything else. */
class Fields {
  readonly #object: JsonObject;
  readonly #path: string;

  constructor(object: JsonObject, path: string) {
    this.#object = object;
    this.#path = path;
  }

  wrong(key: string): SummaryError {
    return invalid(`\`${this.#path}${key}\` is missing or invalid`);
  }

  #get<T>(key: string, isRight: (value: unknown) => value is T): T {
    const value = own(this.#object, key);
    if (!isRight(value)) throw this.wrong(key);
    return value;
  }

  #optional<K extends string, T>(key: K, read: () => T): { readonly [key in K]?: T } {
    return own(this.#object, key) === undefined ? {} : ({ [key]: read() } as { readonly [key in K]: T });
  }

  text(key: string, most: number = SUMMARY_CHARS): string {
    return this.#get(key, (value) => isText(value, most));
  }

  optionalText<K extends string>(key: K, most?: number) {
    return this.#optional(key, () => this.text(key, most));
  }

  texts(key: string, most: number): readonly string[] {
    return this.#items(key, most).map((value, place) => {
      if (!isText(value, SUMMARY_CHARS)) throw this.wrong(`${key}[${place}]`);
      return value;
    });
  }

  matching(key: string, pattern: RegExp): string {
    return this.#get(key, (value): value is string => typeof value === 'string' && pattern.test(value));
  }

  optionalMatching<K extends string>(key: K, pattern: RegExp) {
    return this.#optional(key, () => this.matching(key, pattern));
  }

  /** Reads a time in UTC as it is written everywhere; '' if the header had none. */
  time(key: string): string {
    return this.#get(key, (value): value is string => value === '' || isTime(value));
  }

  number(key: string): number {
    return this.#get(key, isMeasured);
  }

  optionalNumber<K extends string>(key: K) {
    return this.#optional(key, () => this.number(key));
  }

  count(key: string): number {
    return this.#get(key, isCount);
  }

  optionalCount<K extends string>(key: K) {
    return this.#optional(key, () => this.count(key));
  }

  flag(key: string): boolean {
    return this.#get(key, isFlag);
  }

  optionalFlag(key: string): boolean {
    return own(this.#object, key) !== undefined && this.flag(key);
  }

  word<T extends string>(key: string, words: readonly T[]): T {
    return this.#get(key, (value): value is T => words.includes(value as T));
  }

  integerOrWord<T extends string>(key: string, words: readonly T[]): number | T {
    return Number.isSafeInteger(own(this.#object, key)) ? (own(this.#object, key) as number) : this.word(key, words);
  }

  object(key: string): Fields {
    return new Fields(this.#get(key, isObject), `${this.#path}${key}.`);
  }

  optionalObject(key: string): Fields | undefined {
    return own(this.#object, key) === undefined ? undefined : this.object(key);
  }

  list(key: string, most: number): readonly Fields[] {
    return this.#items(key, most).map((value, place) => {
      if (!isObject(value)) throw this.wrong(`${key}[${place}]`);
      return new Fields(value, `${this.#path}${key}[${place}].`);
    });
  }

  optionalNumbers<K extends string>(key: K, most: number) {
    return this.#optional(key, () => {
      const numbers = this.#items(key, most);
      if (!numbers.every(isMeasured)) throw this.wrong(key);
      return numbers;
    });
  }

  optionalTimes<K extends string>(key: K) {
    return this.#optional(key, () => {
      const times = this.#items(key, LAST_BUCKET + 1);
      if (!isTimes(times)) throw this.wrong(key);
      return times;
    });
  }

  #items(key: string, most: number): readonly unknown[] {
    const value = own(this.#object, key);
    if (!Array.isArray(value) || value.length > most) throw this.wrong(key);
    return value;
  }
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && value.isWellFormed();
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && ISO.test(value) && !Number.isNaN(Date.parse(value));
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

function isMeasured(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && isMeasured(value);
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isTimes(value: readonly unknown[]): value is Times {
  let before = -1;
  return value.every((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) return false;
    const [bucket, calls] = pair as [unknown, unknown];
    const isRight = isCount(bucket) && bucket > before && bucket <= LAST_BUCKET && isCount(calls) && calls > 0;
    before = bucket as number;
    return isRight;
  });
}
