import type { FilterSubject, RowTest } from './keys/filter-key';

/**
 * Returns a row test for one of a row's strings, given as a number in the log's string pool (0 for none). Calls `fits`
 * once per pooled string, however many rows have it. Rows without a string never match.
 */
export function pooledTest(
  { log }: FilterSubject,
  fits: (text: string) => boolean,
  numberOf: (index: number) => number,
): RowTest {
  // Indexed by pool number: 0 unknown, 1 no, 2 yes.
  let verdicts = new Uint8Array(1024);
  return (index) => {
    const number = numberOf(index);
    if (number === 0) return false;
    if (number >= verdicts.length) {
      const grown = new Uint8Array(2 * number);
      grown.set(verdicts);
      verdicts = grown;
    }
    if (verdicts[number] === 0) verdicts[number] = fits(log.columns.pooledText(number)!) ? 2 : 1;
    return verdicts[number] === 2;
  };
}
