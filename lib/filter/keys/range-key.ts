import type { Subject } from '../subject';
import type { FilterKey } from './filter-key';
import { isWithin, readRange, type Units } from './range';

interface RangeKey extends Pick<FilterKey, 'name' | 'meaning' | 'wants' | 'examples'> {
  readonly units: Units;
  /** The row's number; NaN for a row that has none. */
  readonly numberOf: (subject: Subject, index: number) => number;
  /** Rows that only tell how messages travelled have it too, and are asked for by it. */
  readonly http?: true;
}

/** A key whose values are numbers. */
export function rangeKey({ units, numberOf, http, ...key }: RangeKey): FilterKey {
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
