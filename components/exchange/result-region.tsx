import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatBytes, formatDuration } from '@/components/ui/format';
import { JsonTree } from '@/components/ui/json-tree';
import { Spinner } from '@/components/ui/spinner';
import { LongText } from '@/components/untrusted/long-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import type { Log } from '@/lib/store/log';
import { answerOf } from './answer';
import { ErrorAnswer } from './error-answer';
import { FrameLink } from './frame-link';
import { type Outcome, outcomeOf } from './outcome';
import { ProgressBar } from './progress-bar';
import type { Request } from './use-request';

const TONES: Record<Outcome['tone'], string> = {
  muted: 'text-muted',
  ok: 'text-ok',
  warn: 'text-warn',
  error: 'text-error',
};

interface ResultRegionProps {
  readonly request: Request;
  /** What would be here. */
  readonly empty: string;
  /** Draws a result as what it is. */
  readonly children: (result: unknown) => ReactNode;
}

/** How the newest request went, from the log: outcome, duration, size, its two frames, and what came back. */
export function ResultRegion({ request, empty, children }: ResultRegionProps) {
  const { log, exchange } = request;
  const [raw, setRaw] = useState(false);
  const answer = answerOf(log, exchange);
  const outcome = exchange && outcomeOf(exchange, answer);
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2">
        <h3 className="font-medium">Result</h3>
        {exchange && outcome && (
          <>
            <span role="status" className={TONES[outcome.tone]}>
              <span aria-hidden="true">{outcome.glyph}</span> {outcome.word}
            </span>
            {exchange.durationUs !== undefined && (
              <span className="tabular">{formatDuration(exchange.durationUs)}</span>
            )}
            {answer && <span className="tabular text-muted">{formatBytes(answer.bytes)}</span>}
            {exchange.status === 'pending' && <Spinner />}
            <FrameLink seq={exchange.requestSeq} label="request" />
            {exchange.responseSeq !== undefined && <FrameLink seq={exchange.responseSeq} label="response" />}
            <span className="flex-1" />
            {answer && (
              <Button size="small" variant="ghost" aria-pressed={raw} onClick={() => setRaw(!raw)}>
                {raw ? 'Pretty' : 'Raw'}
              </Button>
            )}
          </>
        )}
      </div>
      {!exchange && <p className="text-muted">{empty}</p>}
      {outcome?.about !== undefined && <p className="text-muted">{outcome.about}</p>}
      {exchange?.status === 'pending' && exchange.progress && <ProgressBar progress={exchange.progress} />}
      {answer && exchange?.responseSeq !== undefined && (
        <RenderGuard key={exchange.responseSeq} fallback={<FrameText log={log} seq={exchange.responseSeq} />}>
          {late(exchange.status) && <p className="text-warn">! This answer came all the same, too late.</p>}
          {raw && <FrameText log={log} seq={exchange.responseSeq} />}
          {!raw && answer.error !== undefined && <ErrorAnswer error={answer.error} />}
          {!raw && answer.result !== undefined && children(answer.result)}
          {!raw && answer.error === undefined && answer.result === undefined && (
            <>
              <p className="text-warn">! The response has neither result nor error: shown as it came.</p>
              <JsonTree value={log.json(exchange.responseSeq - 1)} />
            </>
          )}
        </RenderGuard>
      )}
    </section>
  );
}

/** Decoded when it is shown, and once. */
function FrameText({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const text = useMemo(() => log.text(seq - 1), [log, seq]);
  return <LongText text={text} />;
}

function late(status: string | undefined): boolean {
  return status === 'cancelled' || status === 'timeout';
}
