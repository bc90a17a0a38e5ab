import { readQuery, type WantedRecordings } from '@/lib/summary/find-recordings';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue, readCount, readNumber } from '@/proxy/cli/grammar';
import { readSince } from '../shared/bucket-options';

/** Most rows of a list. */
export const MOST_ROWS = 1_000_000;

/** Reads a query and `--since`. Throws an ExitError. */
export function readWanted(query: string, given: GivenOptions): WantedRecordings {
  const wanted = readQuery(query, Date.now());
  if ('wrong' in wanted) throw usageError(wanted.wrong);
  const since = readSince(given);
  return since === undefined ? wanted : { ...wanted, since };
}

/** The rows of a list that are shown. */
interface Rows<T> {
  readonly rows: readonly T[];
  /** Number of the first row, counted from 1. */
  readonly first: number;
  /** Says how to see further rows; '' if there are none. */
  readonly more: string;
}

/** Takes the rows that `--skip` and `--limit` choose. `usual`: the limit without the option. Throws an ExitError. */
export function rowsOf<T>(all: readonly T[], given: GivenOptions, usual: number): Rows<T> {
  const limit = lastValue(given, 'limit');
  const most = limit === undefined ? usual : readCount('limit', limit, MOST_ROWS);
  const skip = readNumber('skip', lastValue(given, 'skip') ?? '0', MOST_ROWS);
  const rows = all.slice(skip, skip + most);
  return { rows, first: skip + 1, more: skip + most < all.length ? ` For more: --skip ${skip + most}` : '' };
}
