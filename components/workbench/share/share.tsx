import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ErrorNote } from '@/components/ui/notices';
import { useLocation } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import { type ShareProgress, useShare } from '@/lib/hooks/share';
import { recordingLacks } from '@/lib/recording/read-header';
import type { Decision } from '@/lib/redact/rules';
import type { ShareSource } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format';
import { ALL_FRAMES, type ChosenFrames, selectionOf } from './chosen-frames';
import { patternOf, usePatternPlaces } from './mask-patterns';
import { OutputStep } from './output-step';
import { ReviewStep } from './review-step';

/** Largest log that the page shares, in bytes. A larger one would not fit into its memory. */
const SHARED_BYTES = 256 * 1024 * 1024;

/** Shares a connection's log. While the user looks at a message, the dialog is hidden but keeps its state. */
export function Share({
  connection,
  onClose,
}: {
  readonly connection: ConnectionSummary;
  readonly onClose: () => void;
}) {
  const log = useLog(connection.id);
  const [aside, setAside] = useState(false);
  const { id, startedAt, name, transport, recording } = connection;
  const about = useMemo(() => {
    const lacks = recording && recordingLacks(recording.report, recording.lacks);
    const mode = recording?.imported && ({ mode: 'import' } as const);
    const forgotten = recording?.report?.forgotten;
    return { id, at: startedAt, name, transport, ...mode, ...(lacks && { lacks }), ...(forgotten && { forgotten }) };
  }, [id, startedAt, name, transport, recording]);
  if (log.totalBytes > SHARED_BYTES) {
    return (
      <Dialog title="Share" onClose={onClose}>
        <p>
          This log is {formatBytes(log.totalBytes)}. The page can share up to {formatBytes(SHARED_BYTES)}. To share all
          of it, run this in a terminal:
        </p>
        <p className="my-2 font-mono text-wire">npx mcp-inspect share FILE --html FILE.html</p>
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
      <ShareDialog {...{ log, about, connection }} hidden={aside} onAside={() => setAside(true)} onClose={onClose} />
    </>
  );
}

/** Two steps: review what is shared, then choose a format. */
export function ShareDialog({
  log,
  about,
  connection,
  hidden,
  onAside,
  onClose,
}: {
  readonly log: Log;
  readonly about: ShareSource['about'];
  readonly connection: ConnectionSummary;
  /** Renders nothing but keeps its state, while the user looks at a message. */
  readonly hidden: boolean;
  readonly onAside: () => void;
  readonly onClose: () => void;
}) {
  const { frame, filter, navigate } = useLocation();
  const [chosen, setChosen] = useState<ChosenFrames>(ALL_FRAMES);
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map());
  const [patterns, setPatterns] = useState<readonly string[]>([]);
  const [step, setStep] = useState<'review' | 'output'>('review');
  const selection = useMemo(() => selectionOf(log, chosen), [log, chosen]);
  const live = connection.recording === undefined;
  const { reviewed, progress, failure, count, make } = useShare(log, about, selection, live);
  const places = usePatternPlaces(patterns, reviewed, count);
  if (hidden) return null;
  const look = (seq: number) => {
    navigate({ connection: connection.id, frame: seq });
    onAside();
  };
  return (
    <Dialog
      title={step === 'review' ? 'Review what you share' : 'Choose a format'}
      width="wide"
      parts
      onClose={onClose}
    >
      {failure && <ErrorNote codeless failure={failure} />}
      {progress && <WorkProgress progress={progress} onCancel={onClose} />}
      {step === 'review' ? (
        <ReviewStep
          {...{ log, chosen, reviewed, decisions, patterns, places }}
          selected={frame}
          filter={filter ?? ''}
          hasHttp={connection.transport !== 'stdio'}
          onChosen={setChosen}
          onDecide={(id, decision) => setDecisions(new Map(decisions).set(id, decision))}
          onPatterns={setPatterns}
          onLook={look}
          onNext={() => setStep('output')}
        />
      ) : (
        <OutputStep
          {...{ connection, make }}
          busy={progress !== undefined || reviewed === undefined}
          bytes={reviewed?.bytes ?? 0}
          decisions={[...decisions]}
          patterns={patterns.map(patternOf)}
          selected={frame}
          onBack={() => setStep('review')}
        />
      )}
    </Dialog>
  );
}

/** The progress of the current work, with a cancel button. */
export function WorkProgress({
  progress: { what, share },
  onCancel,
}: {
  readonly progress: ShareProgress;
  readonly onCancel: () => void;
}) {
  const percent = Math.round(share * 100);
  return (
    <div className="mb-2 flex items-center gap-2">
      <span className="text-muted">{what}…</span>
      <div
        role="progressbar"
        aria-label={what}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1 flex-1 bg-line"
      >
        <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
