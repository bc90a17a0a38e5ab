import { useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/log';
import { explainUnmatched } from '@/lib/store/exchanges/exchange-timeline';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import { FrameLink } from './frame-link';

/** Says which frame looks like the answer to a request, and why the two don't match. Nothing if no frame does. */
export function UnmatchedNote({
  log,
  exchange,
  at = 'request',
}: {
  readonly log: Log;
  readonly exchange: Exchange | undefined;
  /** The half in view: the link leads to the other one. */
  readonly at?: 'request' | 'answer';
}) {
  if (exchange?.unmatchedSeq === undefined) return null;
  const { requestSeq, unmatchedSeq } = exchange;
  return (
    <p className="shrink-0 border-l-2 border-warn bg-warn/8 px-3 py-1 break-words">
      {at === 'request' ? (
        <>
          The server sent something that looks like the answer: <FrameLink seq={unmatchedSeq} label="frame" />.
        </>
      ) : (
        <>
          This looks like the answer to <FrameLink seq={requestSeq} label="request" />, but it can’t be matched.
        </>
      )}{' '}
      <Why log={log} request={requestSeq} seq={unmatchedSeq} />
    </p>
  );
}

/** The same for the newest requests of these methods: the first of them that has such a frame. */
export function NewestUnmatchedNote({ log, methods }: { readonly log: Log; readonly methods: readonly string[] }) {
  const exchange = useLogState(log, () =>
    methods.map((method) => lastExchange(log, method)).find((found) => found?.unmatchedSeq !== undefined),
  );
  return <UnmatchedNote log={log} exchange={exchange} />;
}

function Why({ log, request, seq }: { readonly log: Log; readonly request: number; readonly seq: number }) {
  const { printed } = log.row(seq - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines of a printed object come later
  const why = useMemo(() => explainUnmatched(log, seq, request), [log, seq, request, printed]);
  return <bdi>{visibleText(why)}</bdi>;
}
