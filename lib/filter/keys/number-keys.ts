import { BYTES, COUNT, isInRange, readRange, TIME, type Units } from '../language/number-range';
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
      return (index) => isInRange(range, numberOf(subject, index));
    },
  };
}

export const NUMBER_KEYS: readonly FilterKey[] = [
  rangeKey({
    name: 'duration',
    meaning:
      'Time from request to response, on both rows, without time on hold. For HTTP, until the exchange ended. For spans, their length',
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
      'Request with this frame number, and all that belongs to it: response, progress, log messages, polls of its task, spans',
    expects: 'a number',
    examples: ['118', '100..200'],
    units: COUNT,
    numberOf: (subject, index) => callOf(subject, index) ?? Number.NaN,
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
function callOf({ log: { columns, relations }, spans }: FilterSubject, index: number): number | undefined {
  const owner = relations.ownerOf(index + 1);
  if (owner !== undefined) return owner;
  const request = columns.methodRow(index);
  const kind = columns.kind(request);
  const cause = kind === 'other' ? spans?.causeOf(index + 1) : undefined;
  if (cause) return relations.rootOf(cause.request);
  return kind === 'request' || kind === 'batch' ? relations.rootOf(request + 1) : undefined;
}
