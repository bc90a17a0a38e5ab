import { type ReactNode, useMemo, useState } from 'react';
import { BytesAway } from '@/components/ui/bytes-away';
import { formatDuration } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import { Spinner } from '@/components/ui/spinner';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { LongText } from '@/components/untrusted/long-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import type { Log } from '@/lib/store/log';
import { formatBytes } from '@/lib/wire/format-bytes';
import type { JsonSource } from '@/lib/wire/json-source';
import { answerOf } from './answer';
import { ErrorAnswer } from './error-answer';
import { FrameLink } from './frame-link';
import { httpLoss, isForgotten } from './http-loss';
import { outcomeOf } from './outcome';
import { OutcomeWord } from './outcome-word';
import { ProgressBar } from './progress-bar';
import { UnmatchedNote } from './unmatched-note';
import type { Request } from './use-request';
import { WaitsNote } from './waits-note';

const VIEWS = ['Pretty', 'Raw'] as const;
/** Of the region, for those who lead there. */
export const RESULT_ID = 'result';

const NONE: readonly number[] = [];

interface ResultRegionProps {
  readonly request: Request;
  /** What would be here. */
  readonly empty: string;
  /** Draws a result as what it is. */
  readonly children: (result: JsonSource) => ReactNode;
}

/** How the newest request went, from the log: outcome, duration, size, its two frames, and what came back. */
export function ResultRegion({ request, empty, children }: ResultRegionProps) {
  const { log, exchange } = request;
  const [view, setView] = useState<(typeof VIEWS)[number]>('Pretty');
  const raw = view === 'Raw';
  const bytes = useFrameBytes(log, exchange?.responseSeq === undefined ? NONE : [exchange.responseSeq]);
  const answer = answerOf(log, exchange);
  const outcome = exchange && outcomeOf(exchange, answer, httpLoss(log, exchange), isForgotten(log, exchange));
  return (
    <section id={RESULT_ID} aria-label="Result" className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2">
        <h3 className="font-medium">Result</h3>
        {exchange && outcome && (
          <>
            <span role="status">
              <OutcomeWord outcome={outcome} />
            </span>
            {exchange.durationUs !== undefined && (
              <span className="tabular">{formatDuration(exchange.durationUs)}</span>
            )}
            {answer && <span className="tabular text-muted">{formatBytes(answer.bytes)}</span>}
            {exchange.status === 'pending' && exchange.unmatchedSeq === undefined && <Spinner />}
            <FrameLink seq={exchange.requestSeq} label="request" />
            {exchange.responseSeq !== undefined && <FrameLink seq={exchange.responseSeq} label="response" />}
            <span className="flex-1" />
            {answer && <Segmented label="View of the result" names={VIEWS} chosen={view} onChoose={setView} />}
          </>
        )}
      </div>
      {!exchange && <p className="text-muted">{request.readOnly ? 'There is none to show.' : empty}</p>}
      {outcome?.about !== undefined && <p className="break-words text-muted">{visibleText(outcome.about)}</p>}
      {exchange && <WaitsNote log={log} call={exchange.requestSeq} />}
      <UnmatchedNote log={log} exchange={exchange} />
      {exchange?.status === 'pending' && exchange.progress && <ProgressBar progress={exchange.progress} />}
      {bytes !== 'here' && <BytesAway gone={bytes === 'gone'} />}
      {answer && exchange?.responseSeq !== undefined && (
        <RenderGuard key={exchange.responseSeq} fallback={<FrameText log={log} seq={exchange.responseSeq} />}>
          {log.row(exchange.responseSeq - 1).invalidUtf8 && (
            <p className="text-warn">
              ! The response is not valid UTF-8: � stands for each wrong byte. Its frame has them.
            </p>
          )}
          {late(exchange.status) && <p className="text-warn">! This answer came all the same, too late.</p>}
          {raw && <FrameText log={log} seq={exchange.responseSeq} />}
          {!raw && answer.error !== undefined && <ErrorAnswer error={answer.error} />}
          {!raw && answer.result !== undefined && children(answer.result)}
          {!raw && answer.error === undefined && answer.result === undefined && (
            <>
              <p className="text-warn">! The response has neither result nor error: shown as it came.</p>
              <JsonTree json={answer.message} />
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
