import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type PinResults, PinResultsReader } from '@/lib/pins/pin-results';
import type { Log } from '@/lib/store/log';
import type { PinChange, PinChangedReply, PinsReply } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';

const PINS_KEY = ['pins'];
/** Milliseconds until the file is looked at again while the panel is open. An editor may have changed it. */
const LOOK_AGAIN_MS = 2000;

/** The pins file of the proxy. */
interface Pins {
  /** undefined while it is loaded, and without a proxy. */
  readonly file: PinsReply | undefined;
  readonly failure: Failure | undefined;
  /** Loads the file again. */
  readonly readAgain: () => void;
}

/** Returns the pins file. `watches`: looks again and again whether it has changed. */
export function usePins(watches: boolean): Pins {
  const { api } = useClient();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: PINS_KEY,
    enabled: api !== undefined,
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<PinsReply>(PINS_KEY);
      const read = await api!.pins(known?.version, signal);
      // A list that has not changed is not sent again.
      return isPins(read) ? read : known!;
    },
    staleTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchInterval: watches && LOOK_AGAIN_MS,
  });
  return { file: data, failure: (error as Failure | null) ?? undefined, readAgain: () => void refetch() };
}

function isPins(reply: PinsReply | Record<string, never>): reply is PinsReply {
  return 'pins' in reply;
}

/** Returns a function that changes the pins file. It rejects with a Failure if nothing was written. */
export function useChangePins(): (change: PinChange) => Promise<PinChangedReply> {
  const { api } = useClient();
  const queries = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: (change: PinChange) => api!.changePins(change),
    onSuccess: ({ pins }) => queries.setQueryData(PINS_KEY, pins),
  });
  return mutateAsync;
}

/** Returns the accepted answer of a call, as JSON text; undefined while it is loaded. */
export function useAcceptedAnswer(key: string, digest: string | undefined): string | undefined {
  const { api } = useClient();
  const { data } = useQuery({
    queryKey: ['pins-answer', key, digest],
    enabled: api !== undefined && digest !== undefined,
    queryFn: ({ signal }) => api!.acceptedAnswer(key, signal),
    // Answers can be large.
    gcTime: 0,
  });
  return data?.text;
}

/** How far each log is read. */
const READERS = new WeakMap<Log, { readonly reader: PinResultsReader; seq: number }>();

/** Returns what a log says about pinned calls. */
export function usePinResults(log: Log): PinResults {
  const snapshot = () => readResults(log);
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** Reads the frames that are new. */
function readResults(log: Log): PinResults {
  const known = READERS.get(log) ?? { reader: new PinResultsReader(), seq: 0 };
  READERS.set(log, known);
  for (; known.seq < log.size; known.seq++) {
    if (log.columns.kind(known.seq) === 'lifecycle') known.reader.readEvent(log.text(known.seq));
  }
  return known.reader.results;
}
