import { useQuery } from '@tanstack/react-query';
import type { Log } from '@/lib/store/log';
import type { EnvironmentReply } from '@/lib/wire/api';
import type { ConnectionSummary } from '@/lib/wire/command';
import { canSend, type Failure } from '@/lib/wire/lifecycle';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { CONNECTIONS_KEY, useClient } from './client';
import { useLogState } from './log';

const NO_CONNECTIONS: readonly ConnectionSummary[] = [];

/** Returns all connections, oldest first. Events keep the list up to date. */
export function useConnections(): {
  readonly connections: readonly ConnectionSummary[];
  readonly loading: boolean;
  readonly error: Failure | undefined;
} {
  const client = useClient();
  const { data, isPending, error } = useQuery({
    queryKey: CONNECTIONS_KEY,
    queryFn: ({ signal }) => client.connections(signal),
  });
  return { connections: data ?? NO_CONNECTIONS, loading: isPending, error: (error as Failure | null) ?? undefined };
}

const RECORDED = 'This is a recording, so there is no server to send anything to.';
const TAPPED = 'Another client sends the requests of this session. You can intercept and change its messages.';
const ENDED = 'Not connected. Restart the server first.';

/** Returns why nothing can be sent on this connection, or undefined if it is open. */
export function useClosedReason(log: Log): string | undefined {
  const open = useLogState(log.whole, (state) => canSend(state.connection.state));
  const { connections } = useConnections();
  const recording = connections.find(({ id }) => id === log.connection)?.recording;
  if (recording) return recording.tap?.live ? TAPPED : RECORDED;
  return open ? undefined : ENDED;
}

/**
 * Returns why a connection is failed, or its handshake: as its summary says, which comes before the log and has the
 * doctor's words, or else its log.
 */
export function useStateReason(log: Log): Failure | undefined {
  const { connections } = useConnections();
  const logged = useLogState(log, ({ connection }) => connection.failure);
  if (log !== log.whole) return logged;
  return connections.find(({ id }) => id === log.connection)?.failure ?? logged;
}

/**
 * Returns true for a recording or a moment of the past. Forms then show the values that were sent, and send nothing.
 */
export function useReadOnly(log: Log): boolean {
  const { connections } = useConnections();
  const recorded = connections.find(({ id }) => id === log.connection)?.recording !== undefined;
  return recorded || log !== log.whole;
}

/** Why frames are missing from a log: the log is a part of a recording, or some lines could not be read. */
export type Gap = 'part' | 'damage';

function gapOf(recording: RecordingFacts | undefined): Gap | undefined {
  if (!recording) return undefined;
  const { selection, report, lacks, failure } = recording;
  if (
    (report && report.damaged.count + report.missing > 0) ||
    lacks?.damaged ||
    lacks?.missing ||
    failure !== undefined
  ) {
    return 'damage';
  }
  return selection && 'part';
}

/** Returns why frames are known to be missing from a log. */
export function useGap(log: Log): Gap | undefined {
  return gapOf(useFacts(log));
}

/** Returns the facts of a log's recording; undefined for a connection. */
export function useFacts(log: Log): RecordingFacts | undefined {
  const { connections } = useConnections();
  return connections.find(({ id }) => id === log.connection)?.recording;
}

/**
 * Returns the environment of servers that the page starts; undefined without a proxy. It doesn't change during a run.
 */
export function useEnvironment(): {
  readonly environment: EnvironmentReply | undefined;
  readonly loading: boolean;
  readonly error: Failure | undefined;
} {
  const { api } = useClient();
  const { data, isPending, error } = useQuery({
    queryKey: ['environment'],
    queryFn: ({ signal }) => api?.get('/api/environment', signal) ?? null,
  });
  return { environment: data ?? undefined, loading: isPending, error: (error as Failure | null) ?? undefined };
}
