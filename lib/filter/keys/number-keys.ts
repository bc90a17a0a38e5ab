import type { Log } from '@/lib/store/log';
import type { FilterKey, FilterSubject } from './filter-key';

interface RangeKey extends Pick<FilterKey, 'name' | 'meaning' | 'expects' | 'examples'> {
  readonly units: Units;
  /** Returns the row's number; NaN if it has none. */
  readonly numberOf: (subject: FilterSubject, index: number) => number;
  /** True if the key also selects HTTP details, which are otherwise hidden. */
  readonly http?: true;
}

/** Builds a key that accepts numbers and ranges. */
function rangeKey({ units, numberOf, http, ...key }: RangeKey): FilterKey {
  const { name, expects, examples } = key;
  return {
    ...key,
    numeric: true,
    suggestions: examples.map((value) => ({ value })),
    showsHidden: () => http === true,
    faultOf: ({ value }) =>
      readRange(value, units)
        ? undefined
        : `${name}: needs ${expects}, for example ${examples.slice(0, 3).join(', ')}.`,
    testFor: ({ value }, subject) => {
      const range = readRange(value, units)!;
      return (index) => isWithin(range, numberOf(subject, index));
    },
  };
}

const COUNT: Units = { '': 1 };
/** Powers of 1000, as sizes are displayed. */
const BYTES: Units = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
/** In microseconds. The two micro signs are different characters that look alike. */
const TIME: Units = { us: 1, µs: 1, μs: 1, ms: 1e3, s: 1e6, m: 60e6, min: 60e6, h: 3600e6 };

export const NUMBER_KEYS: readonly FilterKey[] = [
  rangeKey({
    name: 'duration',
    meaning: 'Time from request to response, on both rows. For HTTP, until the exchange ended',
    expects: 'a time with a unit',
    examples: ['>500ms', '<=2s', '10ms..1.5s', '1m30s..'],
    units: TIME,
    numberOf: ({ log }, index) => log.durationUs(index) ?? Number.NaN,
  }),
  rangeKey({
    name: 'size',
    meaning: 'Frame size in bytes',
    expects: 'a number of bytes',
    examples: ['>100kb', '<1kb', '1mb..10mb', '84'],
    units: BYTES,
    numberOf: ({ log }, index) => log.columns.bytes.length(index),
  }),
  rangeKey({
    name: 'time',
    meaning: 'Time since the connection started',
    expects: 'a time with a unit',
    examples: ['1.2s..3.4s', '>2m30s', '..500ms', '4s'],
    units: TIME,
    numberOf: ({ log }, index) => log.columns.time(index),
  }),
  rangeKey({
    name: 'seq',
    meaning: 'Frame number, as in column #',
    expects: 'a number',
    examples: ['100..200', '118', '>5000'],
    units: COUNT,
    numberOf: (_subject, index) => index + 1,
  }),
  rangeKey({
    name: 'call',
    meaning:
      'Request with this frame number, and all that belongs to it: response, progress, log messages, polls of its task',
    expects: 'a number',
    examples: ['118', '100..200'],
    units: COUNT,
    numberOf: ({ log }, index) => callOf(log, index) ?? Number.NaN,
  }),
  rangeKey({
    name: 'exchange',
    meaning: 'HTTP exchange (⇅) with this number, and messages sent on it',
    expects: 'a number',
    examples: ['7', '3..5'],
    units: COUNT,
    http: true,
    numberOf: ({ log }, index) => log.columns.exchange(index) ?? Number.NaN,
  }),
  rangeKey({
    name: 'stream',
    meaning: 'Messages from the event stream of this HTTP exchange',
    expects: 'a number',
    examples: ['2', '>1'],
    units: COUNT,
    http: true,
    numberOf: ({ log }, index) => {
      const number = log.columns.exchange(index);
      const came = number !== undefined && log.columns.direction(index) === 'to-client';
      return came && log.httpExchange(number)?.streams ? number : Number.NaN;
    },
  }),
];

/** Returns the seq of the first request of the exchange that a row belongs to. */
function callOf({ columns, relations }: Log, index: number): number | undefined {
  const owner = relations.ownerOf(index + 1);
  if (owner !== undefined) return owner;
  const request = columns.methodRow(index);
  const kind = columns.kind(request);
  return kind === 'request' || kind === 'batch' ? relations.rootOf(request + 1) : undefined;
}

/** A range of numbers. Either end may be excluded. */
interface Range {
  readonly from: number;
  readonly fromIncluded: boolean;
  readonly to: number;
  readonly toIncluded: boolean;
}

/** Units in lower case and their factors. `''` is the factor of a number without a unit. */
type Units = Readonly<Record<string, number>>;

const ALL: Range = {
  from: Number.NEGATIVE_INFINITY,
  fromIncluded: true,
  to: Number.POSITIVE_INFINITY,
  toIncluded: true,
};
const PARTS = /(\d+(?:\.(\d+))?)([a-zµμ]*)/gy;

/** A number, and the value of one unit in its last digit, which is its precision. */
interface Amount {
  readonly value: number;
  readonly step: number;
}

/**
 * Parses `>5kb`, `>=5kb`, `<5kb`, `<=5kb`, `5kb..10kb` (inclusive; either end may be missing) or `5kb`, which means 5
 * kB to just under 6 kB. Returns undefined for anything else.
 */
export function readRange(text: string, units: Units): Range | undefined {
  const lower = text.toLowerCase();
  const compared = /^(>=|<=|>|<)(.*)$/.exec(lower);
  if (compared) {
    const amount = readAmount(compared[2]!, units);
    if (!amount) return undefined;
    const included = compared[1]!.endsWith('=');
    return compared[1]!.startsWith('>')
      ? { ...ALL, from: amount.value, fromIncluded: included }
      : { ...ALL, to: amount.value, toIncluded: included };
  }
  const dots = lower.indexOf('..');
  if (dots >= 0) return between(lower.slice(0, dots), lower.slice(dots + 2), units);
  const amount = readAmount(lower, units);
  return amount && { from: amount.value, fromIncluded: true, to: amount.value + amount.step, toIncluded: false };
}

/** True if the number is in the range. NaN never is. */
export function isWithin({ from, fromIncluded, to, toIncluded }: Range, value: number): boolean {
  return (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to);
}

function between(first: string, last: string, units: Units): Range | undefined {
  const from = first === '' ? undefined : readAmount(first, units);
  const to = last === '' ? undefined : readAmount(last, units);
  if ((first !== '' && !from) || (last !== '' && !to) || (!from && !to)) return undefined;
  return { ...ALL, ...(from && { from: from.value }), ...(to && { to: to.value }) };
}

/** Parses one or more numbers with units: `1m30s`. */
function readAmount(text: string, units: Units): Amount | undefined {
  let value = 0;
  let step = 0;
  let end = 0;
  for (const [part, number, decimals = '', unit = ''] of text.matchAll(PARTS)) {
    if (!Object.hasOwn(units, unit)) return undefined;
    value += Number(number) * units[unit]!;
    step = units[unit]! / 10 ** decimals.length;
    end += part.length;
  }
  return end === text.length && end > 0 ? { value, step } : undefined;
}
