import { answerOf } from '@/components/exchange/answer';
import { ErrorAnswer } from '@/components/exchange/error-answer';
import { FrameLink } from '@/components/exchange/frame-link';
import { isForgotten } from '@/components/exchange/http-loss';
import { outcomeOf } from '@/components/exchange/outcome';
import { UnmatchedNote } from '@/components/exchange/unmatched-note';
import { formatDuration } from '@/components/ui/format';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useExchange, useLogSize } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { formatBytes } from '@/lib/wire/format-bytes';

/** What came of the bytes sent as frame `seq` (0: none yet): the exchange, if they were a request. */
export function RawAnswer({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const exchange = useExchange(log, seq || undefined);
  const arrived = useLogSize(log) >= seq;
  const answer = answerOf(log, exchange);
  const row = arrived && seq > 0 ? log.row(seq - 1) : undefined;
  const isBatch = row?.kind === 'batch';
  const batchAnswer = isBatch && row.peer !== undefined ? log.json(row.peer - 1) : undefined;
  const outcome = exchange && outcomeOf(exchange, answer, undefined, isForgotten(log, exchange));
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h2 className="font-medium">Result</h2>
        {outcome && (
          <span role="status">
            <span aria-hidden="true">{outcome.glyph}</span> {outcome.word}
          </span>
        )}
        {exchange?.durationUs !== undefined && <span className="tabular">{formatDuration(exchange.durationUs)}</span>}
        {answer && <span className="tabular text-muted">{formatBytes(answer.bytes)}</span>}
        {seq > 0 && <FrameLink seq={seq} label="sent" />}
        {exchange?.responseSeq !== undefined && <FrameLink seq={exchange.responseSeq} label="response" />}
        {isBatch && row.peer !== undefined && <FrameLink seq={row.peer} label="first response" />}
      </div>
      {seq === 0 && <p className="text-muted">What comes back for the message appears here.</p>}
      <UnmatchedNote log={log} exchange={exchange} />
      {isBatch && !batchAnswer && <p className="text-muted">Nothing has answered this batch yet.</p>}
      {batchAnswer && <JsonTree json={batchAnswer} />}
      {seq > 0 && arrived && !exchange && !isBatch && (
        <p className="text-muted">This is not a request, so no answer belongs to it. The log shows what followed.</p>
      )}
      {answer && (
        <RenderGuard
          key={exchange?.responseSeq}
          fallback={<p className="text-warn">! This is nested too deep to draw.</p>}
        >
          {answer.error === undefined ? (
            <JsonTree json={answer.result ?? answer.message} />
          ) : (
            <ErrorAnswer error={answer.error} />
          )}
        </RenderGuard>
      )}
    </section>
  );
}
