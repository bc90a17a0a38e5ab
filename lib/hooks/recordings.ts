import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ReadFileOptions } from '@/lib/client/api';
import type { CheckedRecording } from '@/lib/client/check-recording';
import { DirectLink } from '@/lib/client/direct-link';
import type { ImportState } from '@/lib/client/file-import';
import type { RecordingsPlace } from '@/lib/client/recording-store';
import type {
  RecordingAbout,
  RecordingEntry,
  RecordingsReply,
  RetentionReply,
  RetentionSettings,
} from '@/lib/wire/api';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { useClient } from './client';

const RECORDINGS_KEY = ['recordings'] as const;

/** The kept recordings and their actions, which reject with a Failure. The list is loaded whenever it is opened. */
export interface Recordings {
  readonly reply: RecordingsReply | undefined;
  readonly error: Failure | undefined;
  /** Lists older recordings too. */
  readonly showOlder: () => void;
  /** Opens a recording as a connection, unless it is open already. Resolves to the connection's id. */
  readonly open: (id: string) => Promise<string>;
  readonly read: (id: string, options?: ReadFileOptions) => Promise<Blob>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  readonly describe: (id: string, about: RecordingAbout) => Promise<void>;
  /** Imports files. Absent where only the page's own recordings are kept. */
  readonly imports: ImportedFiles | undefined;
  /** Whether the browser records. Absent where the proxy does. */
  readonly recordSwitch: { readonly on: boolean; readonly set: (on: boolean) => void } | undefined;
  /** Sets the limits (days and bytes) for kept recordings. Absent where they can't be set. */
  readonly keep: ((kept: RetentionSettings, anyway: boolean) => Promise<RetentionReply>) | undefined;
  /** Confirms that a person saw which recordings were deleted automatically. */
  readonly confirmDeletions: () => Promise<void>;
}

/** An import of files, which goes on while the list is closed. */
export interface ImportedFiles extends ImportState {
  readonly start: (files: readonly File[]) => void;
  readonly cancel: () => void;
}

/** Forgets the result of the last import when the component is gone. */
export function useImportResult(): void {
  const imports = useClient().recordings?.imports;
  useEffect(() => () => imports?.clear(), [imports]);
}

const NEVER = () => () => {};

export function useRecordings(): Recordings {
  const client = useClient();
  const home = client.recordings;
  const queries = useQueryClient();
  const { recordSwitch, imports } = home ?? {};
  const imported = useSyncExternalStore(
    imports?.subscribe ?? NEVER,
    () => imports?.state,
    () => imports?.state,
  );
  const kept = imported?.kept ?? 0;
  useEffect(() => {
    if (kept > 0) void queries.invalidateQueries({ queryKey: RECORDINGS_KEY });
  }, [kept, queries]);
  const [on, setOn] = useState(recordSwitch?.on ?? true);
  const [most, setMost] = useState<number>(LIMITS.recordingsListed);
  const { data, error } = useQuery<RecordingsReply>({
    queryKey: [...RECORDINGS_KEY, most],
    queryFn: async ({ signal }) => (await home?.list(most, signal)) ?? NO_REPLY,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  /** Runs the actions in turn. If one fails, the list shows the result of the earlier ones. */
  const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>) => {
    try {
      for (const item of items) await act(item);
    } finally {
      await queries.invalidateQueries({ queryKey: RECORDINGS_KEY });
    }
  };
  return {
    reply: data,
    showOlder: () => setMost(most + LIMITS.recordingsListed),
    error: (error as Failure | null) ?? undefined,
    open: async (id) => {
      const entry = data?.recordings.find((one) => one.id === id);
      // A file that was given to the page may have the same name, but can't be written to.
      const opened = (await client.connections()).filter((one) => imports === undefined || !DirectLink.owns(one.id));
      return (entry && openedAlready(entry, opened)) ?? home!.open(id);
    },
    read: (id, options) => home!.read(id, options),
    remove: (ids) => each(ids, (id) => home!.remove(id)),
    describe: (id, about) => each([id], () => home!.describe(id, about)),
    imports: imports &&
      imported && {
        ...imported,
        start: (files) => void imports.start(files),
        cancel: () => imports.cancel(),
      },
    recordSwitch: recordSwitch && {
      on,
      set: (wanted) => {
        recordSwitch.on = wanted;
        setOn(wanted);
      },
    },
    keep:
      home?.keep &&
      (async (kept, anyway) => {
        const reply = await home.keep!(kept, anyway);
        if (reply.saved) await queries.invalidateQueries({ queryKey: RECORDINGS_KEY });
        return reply;
      }),
    confirmDeletions: () => each([undefined], async () => home?.seen?.()),
  };
}

const NO_REPLY: RecordingsReply = { folder: '', keep: { days: 0, bytes: 0 }, recordings: [] };

/**
 * Returns the connection of a recording that is open already. Returns undefined if opening it again would show more: it
 * is still being recorded, or was when it was opened.
 */
export function openedAlready(
  { id, live, incomplete }: Pick<RecordingEntry, 'id' | 'live' | 'incomplete'>,
  connections: readonly Pick<ConnectionSummary, 'id' | 'recording'>[],
): string | undefined {
  if (live) return undefined;
  const opened = connections.findLast(({ recording }) => recording?.file === id);
  const report = opened?.recording?.report;
  return report && (report.ended || incomplete === true) ? opened.id : undefined;
}

export type { CheckedRecording };

/** Recordings are checked one at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Returns the result of checking a recording, or `checking` until then. undefined if it is not checked: it is still
 * being recorded, too large, or not a recording. The result is kept until the file changes.
 */
export function useCheckedRecording(entry: RecordingEntry): CheckedRecording | 'checking' | undefined {
  const { recordings: home } = useClient();
  const { data, error } = useQuery(checkOf(home, entry));
  if (!isChecked(entry) || error) return undefined;
  return data ?? 'checking';
}

/** Returns the results of checking several recordings, each undefined until it is known. */
export function useCheckedRecordings(entries: readonly RecordingEntry[]): readonly (CheckedRecording | undefined)[] {
  const { recordings: home } = useClient();
  return useQueries({
    queries: entries.map((entry) => checkOf(home, entry)),
    combine: (results) => results.map(({ data }) => data),
  });
}

function isChecked({ live, unreadable, bytes }: RecordingEntry): boolean {
  return !live && !unreadable && bytes <= LIMITS.countedRecordingBytes;
}

function checkOf(home: RecordingsPlace | undefined, entry: RecordingEntry) {
  const { id, bytes, frames } = entry;
  return queryOptions({
    queryKey: ['checked recording', id, bytes, frames],
    enabled: isChecked(entry) && home !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // A check that failed would fail again the next time the list opens.
    retryOnMount: false,
    queryFn: ({ signal }) => {
      const checking = turn.then(async () => {
        // Throws if the list was closed meanwhile.
        signal.throwIfAborted();
        // Loaded on demand, when the first recording is checked.
        const { checkRecording } = await import('@/lib/client/check-recording');
        return checkRecording(await home!.read(id));
      });
      turn = checking.catch(() => {});
      return checking;
    },
  });
}
