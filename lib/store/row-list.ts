/** Some of a log's rows in some order, by index (seq - 1). */
export interface RowList {
  readonly count: number;
  /** The log index of the row at `position`. */
  at(position: number): number;
  /** Where a log index stands, or -1. */
  position(index: number): number;
}

/** How many rows of a list in log order come before `index`. O(log n). */
export function countBefore(list: RowList, index: number): number {
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list.at(middle) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part of a list in log order with indexes from `from` to before `until`: as of now, however the list grows. O(log n). */
export function partOfList(list: RowList, from: number, until: number): RowList {
  const first = countBefore(list, from);
  const count = Math.max(0, countBefore(list, until) - first);
  return {
    count,
    at: (position) => list.at(first + position),
    position: (index) => {
      const position = list.position(index) - first;
      return position >= 0 && position < count ? position : -1;
    },
  };
}
