import type { FilterKey, FilterSubject } from './filter-key';

interface RangeKey extends Pick<FilterKey, 'name' | 'meaning' | 'wants' | 'examples'> {
  readonly units: Units;
  /** The row's number; NaN for a row that has none. */
  readonly numberOf: (subject: FilterSubject, index: number) => number;
  /** Rows that only tell how messages travelled have it too, and are asked for by it. */
  readonly http?: true;
}

/** A key whose values are numbers. */
function rangeKey({ units, numberOf, http, ...key }: RangeKey): FilterKey {
  const { name, wants, examples } = key;
  return {
    ...key,
    bare: true,
    suggestions: examples.map((value) => ({ value })),
    asksForHidden: () => http === true,
    faultOf: ({ value }) =>
      readRange(value, units) ? undefined : `${name}: wants ${wants}, such as ${examples.slice(0, 3).join(', ')}.`,
    testFor: ({ value }, subject) => {
      const range = readRange(value, units)!;
      return (index) => isWithin(range, numberOf(subject, index));
    },
  };
}

const COUNT: Units = { '': 1 };
/** As sizes are shown: powers of 1000. */
const BYTES: Units = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
/** Microseconds. The two signs for micro look alike. */
const TIME: Units = { us: 1, µs: 1, μs: 1, ms: 1e3, s: 1e6, m: 60e6, min: 60e6, h: 3600e6 };

export const NUMBER_KEYS: readonly FilterKey[] = [
  rangeKey({
    name: 'duration',
    meaning: 'Request to answer took this long; on both of them. On HTTP, request to the end of the exchange',
    wants: 'a time with its unit',
    examples: ['>500ms', '<=2s', '10ms..1.5s', '1m30s..'],
    units: TIME,
    numberOf: ({ log }, index) => log.durationUs(index) ?? Number.NaN,
  }),
  rangeKey({
    name: 'size',
    meaning: 'The frame has this many bytes',
    wants: 'a number of bytes',
    examples: ['>100kb', '<1kb', '1mb..10mb', '84'],
    units: BYTES,
    numberOf: ({ log }, index) => log.columns.bytes.length(index),
  }),
  rangeKey({
    name: 'time',
    meaning: 'Seen at this time since the connection began',
    wants: 'times with their units',
    examples: ['1.2s..3.4s', '>2m30s', '..500ms', '4s'],
    units: TIME,
    numberOf: ({ log }, index) => log.columns.time(index),
  }),
  rangeKey({
    name: 'seq',
    meaning: 'The number of the frame, in column #',
    wants: 'a number',
    examples: ['100..200', '118', '>5000'],
    units: COUNT,
    numberOf: (_subject, index) => index + 1,
  }),
  rangeKey({
    name: 'exchange',
    meaning: 'Belongs to HTTP exchange ⇅ with this number, or travelled on it',
    wants: 'a number',
    examples: ['7', '3..5'],
    units: COUNT,
    http: true,
    numberOf: ({ log }, index) => log.columns.exchange(index) ?? Number.NaN,
  }),
  rangeKey({
    name: 'stream',
    meaning: 'Came on the event stream of the HTTP exchange with this number',
    wants: 'a number',
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

/** Numbers that fit: those from `from` to `to`, each end in it or not. */
export interface Range {
  readonly from: number;
  readonly fromIncluded: boolean;
  readonly to: number;
  readonly toIncluded: boolean;
}

/** How a number may end, and what that multiplies it by. Lower case. `''`: a bare number is one. */
export type Units = Readonly<Record<string, number>>;

const ALL: Range = {
  from: Number.NEGATIVE_INFINITY,
  fromIncluded: true,
  to: Number.POSITIVE_INFINITY,
  toIncluded: true,
};
const PARTS = /(\d+(?:\.(\d+))?)([a-zµμ]*)/gy;

/** A number, and how much its last digit stands for. */
interface Amount {
  readonly value: number;
  readonly step: number;
}

/**
 * Reads `>5kb`, `>=5kb`, `<5kb`, `<=5kb`, `5kb..10kb` with both ends in it and either of them left out, or `5kb`: all that begins
 * so, up to the next value of the last digit. undefined for anything else.
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

/** True if the number is in it. NaN is in none. */
export function isWithin({ from, fromIncluded, to, toIncluded }: Range, value: number): boolean {
  return (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to);
}

function between(first: string, last: string, units: Units): Range | undefined {
  const from = first === '' ? undefined : readAmount(first, units);
  const to = last === '' ? undefined : readAmount(last, units);
  if ((first !== '' && !from) || (last !== '' && !to) || (!from && !to)) return undefined;
  return { ...ALL, ...(from && { from: from.value }), ...(to && { to: to.value }) };
}

/** One number with its unit, or several in a row: `1m30s`. */
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
