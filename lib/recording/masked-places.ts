import { MASK } from '@/lib/wire/http-frame';

/** What the format puts in the place of what was taken out begins with one of these. */
const MARKS = ['[redacted:', MASK] as const;

/** In how many places of a line something was taken out. */
export function maskedPlaces(line: string): number {
  let places = 0;
  for (const mark of MARKS) {
    for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + mark.length)) places++;
  }
  return places;
}
