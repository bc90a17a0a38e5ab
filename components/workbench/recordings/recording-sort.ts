import type { CheckedRecording } from '@/lib/hooks/use-checked-recording';
import type { RecordingEntry } from '@/lib/wire/api';
import { nameOf } from './recording-names';

/** A column by which recordings can be sorted. */
export type SortedBy = 'server' | 'when' | 'duration' | 'frames' | 'problems' | 'size';

export interface RecordingSort {
  readonly by: SortedBy;
  readonly descending: boolean;
}

/** As they are at first. */
export const NEWEST_FIRST: RecordingSort = { by: 'when', descending: true };

/** A recording, and what was found when all of it was read, if it was. */
interface Looked {
  readonly entry: RecordingEntry;
  readonly checked: CheckedRecording | undefined;
}

/** What is compared; undefined goes last, whichever way. */
const VALUES: { readonly [By in SortedBy]: (looked: Looked) => string | number | undefined } = {
  server: ({ entry }) => nameOf(entry),
  when: ({ entry }) => Date.parse(entry.at) || undefined,
  duration: ({ entry, checked }) => checked?.durationUs ?? entry.durationUs,
  frames: ({ entry, checked }) => checked?.frames ?? entry.frames,
  problems: ({ checked }) => checked?.problems,
  size: ({ entry }) => entry.bytes,
};

/** By what only somebody knows who has read all of it. */
export const SORTED_BY_CONTENT: ReadonlySet<SortedBy> = new Set<SortedBy>(['duration', 'frames', 'problems']);

/** A click on a title: the way that people look for first, then the other. */
export function nextSort(before: RecordingSort, by: SortedBy): RecordingSort {
  return { by, descending: before.by === by ? !before.descending : by !== 'server' };
}

/** A copy in this order; equals stay as they were. */
export function sorted<Each extends Looked>(recordings: readonly Each[], { by, descending }: RecordingSort): Each[] {
  const valued = recordings.map((recording) => ({ recording, value: VALUES[by](recording) }));
  const way = descending ? -1 : 1;
  return valued
    .toSorted(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return way * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
    })
    .map(({ recording }) => recording);
}
