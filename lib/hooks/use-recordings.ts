import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DirectLink } from '@/lib/client/direct-link';
import type { RecordingAbout, RecordingsKeepReply, RecordingsKept, RecordingsReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { openedAlready } from './opened-already';
import { useClient } from './use-client';

const KEY = ['recordings'] as const;

/** The recordings that are kept, and what can be done with them. All reject with a Failure. Read anew whenever the list is opened. */
export interface Recordings {
  readonly reply: RecordingsReply | undefined;
  readonly error: Failure | undefined;
  /** Lists more of them, older ones. */
  readonly showOlder: () => void;
  /** Makes it a connection, unless it is one already, and resolves to that. */
  readonly open: (id: string) => Promise<string>;
  readonly read: (id: string) => Promise<Blob>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  readonly describe: (id: string, about: RecordingAbout) => Promise<void>;
  /** Absent where only what the page recorded is kept. */
  readonly add: ((file: Blob) => Promise<void>) | undefined;
  /** Whether the browser records; absent where the proxy does. */
  readonly recordSwitch: { readonly on: boolean; readonly set: (on: boolean) => void } | undefined;
  /** Absent where nobody chooses how much. */
  readonly keep: ((kept: RecordingsKept, anyway: boolean) => Promise<RecordingsKeepReply>) | undefined;
  /** Somebody saw what was deleted by age and size. */
  readonly seen: () => Promise<void>;
}

export function useRecordings(): Recordings {
  const client = useClient();
  const home = client.recordings;
  const queries = useQueryClient();
  const recordSwitch = home?.recordSwitch;
  const [on, setOn] = useState(recordSwitch?.on ?? true);
  const [most, setMost] = useState<number>(LIMITS.recordingsListed);
  const { data, error } = useQuery<RecordingsReply>({
    queryKey: [...KEY, most],
    queryFn: async ({ signal }) => (await home?.list(most, signal)) ?? NO_REPLY,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  /** What was done before one failed is seen. */
  const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>) => {
    try {
      for (const item of items) await act(item);
    } finally {
      await queries.invalidateQueries({ queryKey: KEY });
    }
  };
  return {
    reply: data,
    showOlder: () => setMost(most + LIMITS.recordingsListed),
    error: (error as Failure | null) ?? undefined,
    open: async (id) => {
      const entry = data?.recordings.find((one) => one.id === id);
      // A file that was given to the page itself may be called the same, and can't be written to.
      const kept = (await client.connections()).filter((one) => home?.add === undefined || !DirectLink.owns(one.id));
      return (entry && openedAlready(entry, kept)) ?? home!.open(id);
    },
    read: (id) => home!.read(id),
    remove: (ids) => each(ids, (id) => home!.remove(id)),
    describe: (id, about) => each([id], () => home!.describe(id, about)),
    add: home?.add && ((file) => each([file], () => home.add!(file))),
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
        if (reply.saved) await queries.invalidateQueries({ queryKey: KEY });
        return reply;
      }),
    seen: () => each([undefined], async () => home?.seen?.()),
  };
}

const NO_REPLY: RecordingsReply = { folder: '', keep: { days: 0, bytes: 0 }, recordings: [] };
