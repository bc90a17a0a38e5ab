import { useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { type Recordings, useRecordings } from '@/lib/hooks/recordings';
import type { RecordingEntry } from '@/lib/wire/api';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatDate } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';

/** Recordings that are offered. The page of recordings has all of them. */
const MOST_OFFERED = 50;

/** Recordings of a server that the page has not opened, and opening them. */
export interface KeptSessions {
  /** Newest first. */
  readonly kept: readonly RecordingEntry[];
  /** Opens a recording. Resolves to its connection; undefined if that failed. */
  readonly open: (id: string) => Promise<string | undefined>;
  readonly opening: boolean;
  readonly failure: Failure | undefined;
}

/** Returns the kept recordings of the same server. */
export function useKeptSessions(
  own: ConnectionSummary | undefined,
  connections: readonly ConnectionSummary[],
): KeptSessions {
  const recordings = useRecordings();
  const [opening, setOpening] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  return {
    kept: own ? keptOf(own, connections, recordings) : [],
    opening,
    failure,
    open: async (id) => {
      setFailure(undefined);
      setOpening(true);
      try {
        return await recordings.open(id);
      } catch (error) {
        setFailure(error as Failure);
        return undefined;
      } finally {
        setOpening(false);
      }
    },
  };
}

function keptOf(
  { name, serverName }: ConnectionSummary,
  connections: readonly ConnectionSummary[],
  { reply }: Pick<Recordings, 'reply'>,
): readonly RecordingEntry[] {
  const isOpen = new Set(connections.map(({ recording }) => recording?.file));
  const isSame = (entry: RecordingEntry) =>
    entry.server !== undefined && serverName !== undefined ? entry.server === serverName : entry.name === name;
  return (reply?.recordings ?? [])
    .filter((entry) => !entry.unreadable && !entry.live && isSame(entry) && !isOpen.has(entry.id))
    .slice(0, MOST_OFFERED);
}

/** Characters of a name in the list. */
const LABEL_CHARS = 80;

/** Returns the label of a recording: its name or that of its server, and when it began. */
export function keptLabel({ about, server, name, at }: RecordingEntry): string {
  const called = about?.name || server || name;
  return `${visibleText(called).slice(0, LABEL_CHARS)} · ${formatDate(at)}`;
}
