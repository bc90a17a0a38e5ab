import { DIRECTIONS } from '@/lib/wire/frame';
import type { Log } from '../log';
import { ROW_STATUSES } from './row';
import { isSettledElsewhere } from './row-text';

/** A list of a log's rows in any order, as indexes (seq - 1). */
export interface RowList {
  readonly count: number;
  /** Returns the log index of the row at `position`. */
  at(position: number): number;
  /** Returns the position of a log index, or -1. */
  position(index: number): number;
}

/** Returns how many rows of a list in log order are before `index`. O(log n). */
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

/**
 * Returns the part of a list in log order with indexes from `from` to before `until`. It does not grow with the list.
 * O(log n).
 */
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

/** Sort fields. `seq` is the order of the log. */
export type SortField = 'seq' | 'direction' | 'message' | 'status' | 'duration' | 'size';

interface Sort {
  readonly field: SortField;
  readonly descending: boolean;
}

/** Rows processed per step. */
const PORTION = 16_384;
/** Rows without a value sort last in both directions. */
const LAST = 0xffffffff;

/**
 * Sorts a list that is in log order. Stable. Compares numbers with 24 bits of precision. Yields after each portion, so
 * that a million rows do not block the page. May throw RangeError if rows are removed from the list meanwhile.
 */
export function* sortRows(log: Log, list: RowList, { field, descending }: Sort): Generator<void, RowList> {
  if (field === 'seq') return descending ? reversed(list) : list;
  const { count } = list;
  const indexes = new Uint32Array(count);
  for (let position = 0; position < count; position++) {
    indexes[position] = list.at(position);
    if (position % PORTION === 0) yield;
  }
  let order = new Uint32Array(count);
  const keys = new Uint32Array(count);
  const keyOf = field === 'message' ? yield* methodRanks(log, indexes) : NUMBERS[field](log);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  for (let position = 0; position < count; position++) {
    order[position] = position;
    const key = keyOf(indexes[position]!);
    // The bits of non-negative floats sort like their values.
    float[0] = key ?? 0;
    keys[position] = key === undefined ? LAST : descending ? LAST - 1 - bits[0]! : bits[0]!;
    if (position % PORTION === 0) yield;
  }
  for (const shift of [0, 16]) order = yield* sortDigit(order, keys, shift);
  for (let position = 0; position < count; position++) order[position] = indexes[order[position]!]!;
  return { count, at: (position) => order[position]!, position: (index) => order.indexOf(index) };
}

/** False for a request whose outcome is shown in the row of its response. */
function isShown({ columns }: Log, index: number): boolean {
  const kind = columns.kind(index);
  // Sorting asks for every row, and the rest costs more.
  if (kind !== 'request') return true;
  const [status, peer] = [columns.status(index), columns.peer(index)];
  return !isSettledElsewhere({ kind, status, peer, http: undefined, isTask: columns.taskSeq(index) !== undefined });
}

const NUMBERS: Readonly<
  Record<Exclude<SortField, 'seq' | 'message'>, (log: Log) => (index: number) => number | undefined>
> = {
  direction:
    ({ columns }) =>
    (index) =>
      DIRECTIONS.indexOf(columns.direction(index)),
  status: (log) => (index) => {
    const status = isShown(log, index) ? log.columns.status(index) : undefined;
    return status && ROW_STATUSES.indexOf(status);
  },
  duration: (log) => (index) => (isShown(log, index) ? log.durationUs(index) : undefined),
  size:
    ({ columns }) =>
    (index) =>
      columns.bytes.length(index),
};

/** One pass of a radix sort by 16 bits of the keys. */
function* sortDigit(order: Uint32Array<ArrayBuffer>, keys: Uint32Array, shift: number) {
  const starts = new Uint32Array(65_537);
  for (let at = 0; at < keys.length; at++) starts[((keys[at]! >>> shift) & 0xffff) + 1]!++;
  for (let digit = 1; digit < starts.length; digit++) starts[digit]! += starts[digit - 1]!;
  const sorted = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const position = order[at]!;
    sorted[starts[(keys[position]! >>> shift) & 0xffff]!++] = position;
    if (at % PORTION === 0) yield;
  }
  return sorted;
}

/** Returns the alphabetical rank of each row's method. */
function* methodRanks({ columns }: Log, indexes: Uint32Array): Generator<void, (index: number) => number | undefined> {
  const methodOf = (index: number) => columns.method(columns.methodRow(index));
  const methods = new Set<string>();
  for (const [position, index] of indexes.entries()) {
    const method = methodOf(index);
    if (method !== undefined) methods.add(method);
    if (position % PORTION === 0) yield;
  }
  const ranks = new Map([...methods].sort().map((method, rank) => [method, rank]));
  return (index) => ranks.get(methodOf(index) ?? '');
}

function reversed(list: RowList): RowList {
  return {
    count: list.count,
    at: (position) => list.at(list.count - 1 - position),
    position: (index) => {
      const position = list.position(index);
      return position < 0 ? -1 : list.count - 1 - position;
    },
  };
}
