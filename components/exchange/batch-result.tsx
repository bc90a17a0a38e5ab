import { useMemo, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { ProgressBar } from '@/components/ui/progress';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { useLogSize } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import { singlesText, spreadOf } from '@/lib/wire/spread';
import { AnswerGroups, type CallBatch, type CallResult, callResult } from './call-batch';
import { ExchangeLinks, FrameLink } from './frame-link';
import { OutcomeWord, responseOf, shownOutcome } from './outcome';

/** Results in the order shown, with their words. */
const RESULTS: readonly (readonly [result: CallResult, words: string, tone: string])[] = [
  ['ok', 'ok', 'text-text'],
  ['isError', 'isError', 'text-error'],
  ['failed', 'failed', 'text-error'],
  ['timeout', 'timed out', 'text-warn'],
  ['cancelled', 'cancelled', 'text-warn'],
  ['input', 'input required', 'text-warn'],
  ['pending', 'in flight', 'text-muted'],
];

/** Rows of the list of calls that are in view. */
const ROWS = 8;
const ROW_PX = 22;

/** Groups of equal answers that are shown. */
const MOST_GROUPS = 20;

interface BatchResultProps {
  readonly log: Log;
  readonly batch: CallBatch;
  /** Compares two answers, by their frames. */
  readonly onCompare: (one: number, other: number) => void;
  readonly onClose: () => void;
}

/** How the calls of a batch went: outcomes, durations, groups of equal answers, and each call with its frames. */
export function BatchResult({ log, batch, onCompare, onClose }: BatchResultProps) {
  useSyncExternalStore(batch.subscribe, batch.snapshot, batch.snapshot);
  const size = useLogSize(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another batch has other answers
  const groups = useMemo(() => new AnswerGroups(log), [log, batch]);
  const { seqs, plan } = batch;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log and the batch change in place; these say when
  const { equal, sums } = useMemo(() => {
    const equal = groups.update(seqs);
    return { equal, sums: summed(log, seqs, groups) };
  }, [log, groups, size, seqs.length]);
  const done = seqs.length - sums.counts.pending;
  return (
    <section aria-label="Several calls" className="flex min-w-0 flex-col gap-2 border-b border-line pb-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-medium">{countOf(plan.calls, 'call')}</h3>
        {!batch.isDone && <Spinner />}
        <span role="status" className="tabular min-w-0 flex-1 text-muted">
          {batch.isDone ? '' : `${formatCount(done)} done · ${formatCount(batch.inFlight)} in flight`}
          {batch.isDone && seqs.length < plan.calls && `stopped after ${formatCount(seqs.length)}`}
        </span>
        {batch.isDone ? (
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button size="small" onClick={() => batch.stop()}>
            Cancel all
          </Button>
        )}
      </div>
      {!batch.isDone && (
        <div className="flex">
          <ProgressBar label="Calls done" done={done} of={plan.calls} />
        </div>
      )}
      {batch.failure && <ErrorNote failure={batch.failure} />}
      <p className="tabular flex flex-wrap gap-x-3">
        {RESULTS.filter(([result]) => sums.counts[result] > 0).map(([result, words, tone]) => (
          <span key={result} className={tone}>
            {formatCount(sums.counts[result])} {words}
          </span>
        ))}
      </p>
      {sums.spread?.singles && <p className="tabular">{singlesText(sums.spread.singles)}</p>}
      {sums.spread && !sums.spread.singles && (
        <dl className="tabular flex flex-wrap gap-x-4">
          {(['min', 'median', 'p95', 'max'] as const).map((name) => (
            <div key={name} className="flex gap-1">
              <dt className="text-muted">{name}</dt>
              <dd>{formatDuration(sums.spread![name])}</dd>
            </div>
          ))}
        </dl>
      )}
      {equal.length > 1 && (
        <ul aria-label="Different answers" className="flex flex-col">
          {equal.slice(0, MOST_GROUPS).map((group, index) => (
            <li key={group.answer} className="flex min-h-6 flex-wrap items-center gap-x-2">
              <span className="tabular min-w-24">
                {formatCount(group.seqs.length)}{' '}
                {index === 0 ? 'equal' : group.seqs.length === 1 ? 'differs' : 'differ'}
              </span>
              <FrameLink seq={group.answer} label="answer" />
              {index > 0 && (
                <Button size="small" variant="ghost" onClick={() => onCompare(equal[0]!.answer, group.answer)}>
                  Compare
                </Button>
              )}
            </li>
          ))}
          {equal.length > MOST_GROUPS && (
            <li className="text-muted">{countOf(equal.length - MOST_GROUPS, 'more kind')} of answers</li>
          )}
        </ul>
      )}
      {equal.length === 1 && done > 1 && (
        <p className="text-muted">{batch.isDone ? 'All answers are equal' : 'All answers so far are equal'}</p>
      )}
      <div style={{ height: Math.min(seqs.length, ROWS) * ROW_PX + 2 }}>
        <VirtualRows
          count={seqs.length}
          rowHeight={ROW_PX}
          label="Calls"
          className="h-full border border-line bg-surface"
          render={(index) => <CallRow log={log} index={index} seq={seqs[index]!} />}
        />
      </div>
    </section>
  );
}

function CallRow({ log, index, seq }: { readonly log: Log; readonly index: number; readonly seq: number }) {
  const exchange = log.exchange(seq);
  const answer = responseOf(log, exchange);
  return (
    <div className="flex h-full items-center gap-3 px-2 whitespace-nowrap">
      <span className="tabular w-10 shrink-0 text-right text-muted">{formatCount(index + 1)}</span>
      <span className="min-w-0 flex-1 truncate">
        {exchange ? <OutcomeWord outcome={shownOutcome(exchange, { answer })} /> : '…'}
      </span>
      <span className="tabular w-16 shrink-0 text-right">
        {exchange?.durationUs !== undefined && formatDuration(exchange.durationUs)}
      </span>
      <ExchangeLinks request={seq} response={exchange?.responseSeq} />
    </div>
  );
}

/** Counts calls by result, and measures those that were answered, without the time that people took. */
function summed(log: Log, seqs: readonly number[], groups: AnswerGroups) {
  const counts: Record<CallResult, number> = {
    ok: 0,
    isError: 0,
    input: 0,
    failed: 0,
    timeout: 0,
    cancelled: 0,
    pending: 0,
  };
  const durations: number[] = [];
  for (const seq of seqs) {
    const exchange = log.exchange(seq);
    counts[callResult(exchange, groups.asksForInput(seq))]++;
    if (exchange?.durationUs !== undefined) durations.push(exchange.durationUs - log.waitedForPeople(seq));
  }
  return { counts, spread: spreadOf(durations) };
}
