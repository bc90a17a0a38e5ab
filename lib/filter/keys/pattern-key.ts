import type { Subject } from '../subject';
import type { FilterKey, RowTest } from './filter-key';
import { patternTest } from './pattern';

interface PatternKey extends Pick<FilterKey, 'name' | 'meaning' | 'wants' | 'examples' | 'suggestions'> {
  /** The interned text of a row, by its number in the log's pool; 0 is none. */
  readonly numberOf: (subject: Subject, index: number) => number;
}

/** A key whose values are texts that the log's pool holds: each of them is compared once, however many rows have it. */
export function patternKey({ numberOf, ...key }: PatternKey): FilterKey {
  return {
    ...key,
    numberOf,
    asksForHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, subject) => pooledTest(subject, patternTest(value), (index) => numberOf(subject, index)),
  };
}

/** Asks `fits` once for each text of the pool. Rows without a text never fit. */
export function pooledTest(
  { log }: Subject,
  fits: (text: string) => boolean,
  numberOf: (index: number) => number,
): RowTest {
  // By number: 0 not asked yet, 1 no, 2 yes.
  let verdicts = new Uint8Array(1024);
  return (index) => {
    const number = numberOf(index);
    if (number === 0) return false;
    if (number >= verdicts.length) {
      const grown = new Uint8Array(2 * number);
      grown.set(verdicts);
      verdicts = grown;
    }
    if (verdicts[number] === 0) verdicts[number] = fits(log.columns.text(number)!) ? 2 : 1;
    return verdicts[number] === 2;
  };
}
