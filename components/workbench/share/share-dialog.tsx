import { useMemo, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { ErrorNote } from '@/components/ui/error-note';
import { useLocation } from '@/lib/hooks/use-location';
import { useShare } from '@/lib/hooks/use-share';
import type { Decision } from '@/lib/redact/rules';
import type { ShareSource } from '@/lib/sharing/share-source';
import type { Log } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';
import { ALL_FRAMES, type Chosen, selectionOf } from './chosen-frames';
import { OutputStep } from './output-step';
import { patternOf } from './pattern-fault';
import { ReviewStep } from './review-step';
import { usePatternPlaces } from './use-pattern-places';
import { WorkProgress } from './work-progress';

/** Two steps: what leaves, and as what. */
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
  /** A message is looked at: nothing is drawn, and everything kept. */
  readonly hidden: boolean;
  readonly onAside: () => void;
  readonly onClose: () => void;
}) {
  const { frame, filter, navigate } = useLocation();
  const [chosen, setChosen] = useState<Chosen>(ALL_FRAMES);
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
    <Dialog title={step === 'review' ? 'Share: what leaves' : 'Share: as what'} width="wide" parts onClose={onClose}>
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
