import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { WorkProgress } from '@/components/ui/progress';
import { useLog, useLogBehind } from '@/lib/hooks/log';
import { recordingLacks } from '@/lib/recording/read-header';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format';
import { ShareDialog } from './share-dialog';

/** Largest log that the page shares, in bytes. A larger one would not fit into its memory. */
const SHARED_BYTES = 256 * 1024 * 1024;

/** Shares a connection's log. While the user looks at a message, the dialog is hidden but keeps its state. */
export function LogShare({
  connection,
  panel,
  onClose,
}: {
  readonly connection: ConnectionSummary;
  /** The panel that shows the log, if it is not a connection’s. */
  readonly panel?: string;
  readonly onClose: () => void;
}) {
  const log = useLog(connection.id);
  const behind = useLogBehind(log);
  const [aside, setAside] = useState(false);
  const { id, startedAt, name, transport, as, recording } = connection;
  const about = useMemo(() => {
    const lacks = recording && recordingLacks(recording.report, recording.lacks);
    const mode = recording?.imported && ({ mode: 'import' } as const);
    const { forgotten, early } = recording?.report ?? {};
    const found = { ...(forgotten && { forgotten }), ...(early && { early }) };
    return { id, at: startedAt, name, transport, ...mode, ...(as && { as }), ...(lacks && { lacks }), ...found };
  }, [id, startedAt, name, transport, as, recording]);
  const isRead =
    recording?.report !== undefined || recording?.failure !== undefined || (recording?.inParts && !recording.reading);
  if (recording && !(isRead && behind === 0)) {
    return (
      <Dialog title="Share" width="wide" onClose={onClose}>
        <WorkProgress what="Opening the recording" done={log.size} of={log.last} onCancel={onClose} />
      </Dialog>
    );
  }
  if (log.totalBytes > SHARED_BYTES) {
    return (
      <Dialog title="Share" onClose={onClose}>
        <p>
          This log is {formatBytes(log.totalBytes)}. The page can share up to {formatBytes(SHARED_BYTES)}. To share all
          of it, run this in a terminal:
        </p>
        <p className="my-2 font-mono text-wire">npx mcp-inspect share FILE --out FILE.html</p>
        <p className="text-muted">
          <code>mcp-inspect recordings</code> lists the files.
        </p>
      </Dialog>
    );
  }
  return (
    <>
      {aside && (
        <section
          aria-label="Sharing"
          className="fixed bottom-8 left-1/2 z-10 flex -translate-x-1/2 items-center gap-2 rounded border border-line bg-raised px-3 py-1.5 shadow-xl"
        >
          <span className="text-muted">Your choices are kept</span>
          <Button size="small" onClick={() => setAside(false)}>
            Back to sharing
          </Button>
          <Button size="small" variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </section>
      )}
      <ShareDialog
        log={log}
        about={about}
        connection={connection}
        panel={panel}
        hidden={aside}
        onAside={() => setAside(true)}
        onClose={onClose}
      />
    </>
  );
}
