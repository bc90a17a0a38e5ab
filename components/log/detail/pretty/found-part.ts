/** Characters drawn of a long text around what is found in it, and before that. */
const SHOWN = 32 * 1024;
const BEFORE = 2000;
/** Occurrences marked. */
const MOST = 200;

/** The part of a text that is drawn: where it begins and ends, and the occurrences in it as pairs of ends. */
export interface FoundPart {
  readonly from: number;
  readonly to: number;
  readonly hits: readonly (readonly [from: number, to: number])[];
}

/** The part of a text around the first occurrence of `query` in either case; undefined if there is none. */
export function foundPart(text: string, query: string): FoundPart | undefined {
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  // Some letters have another length in lower case: places would not fit.
  if (wanted === '' || lower.length !== text.length) return undefined;
  const first = lower.indexOf(wanted);
  if (first < 0) return undefined;
  const from = first < SHOWN - wanted.length ? 0 : boundary(text, first - BEFORE);
  const to = boundary(text, Math.max(first + wanted.length, from + SHOWN));
  const hits: [number, number][] = [];
  for (let at = first; at >= 0 && at + wanted.length <= to && hits.length < MOST; ) {
    hits.push([at, at + wanted.length]);
    at = lower.indexOf(wanted, at + wanted.length);
  }
  return { from, to, hits };
}

/** No surrogate is parted from the other one. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : Math.min(at, text.length);
}
