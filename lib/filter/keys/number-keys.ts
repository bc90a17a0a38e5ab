import type { FilterKey } from './filter-key';
import type { Units } from './range';
import { rangeKey } from './range-key';

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
