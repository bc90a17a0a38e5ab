import { useState } from 'react';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { FrameOfConnection } from '@/features/chat/lib/chat-state';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useKnownRecordings } from '@/lib/hooks/known-recordings';
import { navigate } from '@/lib/hooks/location';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';

interface FrameOfServerProps {
  readonly frame: FrameOfConnection;
  /** The chat is not a recording, so `connection` is one of this run. */
  readonly isLive: boolean;
}

/** Opens the frame of a call in the log of its server. Of a recorded chat, that log is another recording. */
export function FrameOfServer({ frame, isLive }: FrameOfServerProps) {
  const { recordings } = useClient();
  const { connections } = useConnections();
  const { openerOf } = useKnownRecordings();
  const [failure, setFailure] = useState<Failure>();
  const { connection, seq, recording } = frame;
  const found = isLive ? connection : recordedAs(connections, frame);
  // A recording has no chat, so another panel is shown with it.
  const show = (id: string) => navigate({ connection: id, frame: seq, ...(!isLive && { panel: undefined }) });
  const open =
    recording !== undefined && recordings !== undefined ? () => recordings.open(recording) : openerOf(connection);
  if (found === undefined && open === undefined) {
    return <span className="tabular text-muted">#{seq}</span>;
  }
  return (
    <>
      <button
        type="button"
        className="tabular text-link"
        title={
          found === undefined
            ? `Open ${recording ?? 'the recording of the server'} at the request`
            : 'Show the request in its server’s log'
        }
        onClick={() => {
          setFailure(undefined);
          if (found !== undefined) show(found);
          else void open!().then(show, setFailure);
        }}
      >
        #{seq}
      </button>
      {failure && (
        <span role="alert" className="text-warn">
          ! <UntrustedText text={recording ?? 'The recording'} limit={100} /> can’t be opened. Open it, then press again
        </span>
      )}
    </>
  );
}

/** Returns the opened recording of a connection: by the name of its file, or by its id, which other hosts write. */
export function recordedAs(
  connections: readonly ConnectionSummary[],
  { connection, recording }: FrameOfConnection,
): string | undefined {
  return connections.find(
    ({ recording: facts }) =>
      facts && (facts.file === recording || (facts.id !== undefined && facts.id === connection)),
  )?.id;
}
