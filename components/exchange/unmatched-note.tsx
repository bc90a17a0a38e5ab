import { useMemo } from 'react';
import { Sentence } from '@/components/ui/notices';
import { useLogState } from '@/lib/hooks/log';
import { explainUnmatched } from '@/lib/store/exchanges/exchange-timeline';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import { FrameLink } from './frame-link';

/** Names the frame that looks like the response to a request, and why the two don't match. Empty if there is none. */
export function UnmatchedNote({
  log,
  exchange,
  at = 'request',
}: {
  readonly log: Log;
  readonly exchange: Exchange | undefined;
  /** The frame in view. The link leads to the other frame. */
  readonly at?: 'request' | 'response';
}) {
  if (exchange?.unmatchedSeq === undefined) return null;
  const { requestSeq, unmatchedSeq } = exchange;
  return (
    <p className="shrink-0 border-l-2 border-warn bg-warn/8 px-3 py-1 break-words">
      {at === 'request' ? (
        <>
          This looks like the response: <FrameLink seq={unmatchedSeq} label="frame" />.
        </>
      ) : (
        <>
          This looks like the response to <FrameLink seq={requestSeq} label="request" />, but it can’t be matched.
        </>
      )}{' '}
      <Why log={log} request={requestSeq} seq={unmatchedSeq} />
    </p>
  );
}

/** Shows the {@link UnmatchedNote} of the first method whose newest request has one. */
export function NewestUnmatchedNote({ log, methods }: { readonly log: Log; readonly methods: readonly string[] }) {
  const exchange = useLogState(log, () =>
    methods.map((method) => lastExchange(log, method)).find((found) => found?.unmatchedSeq !== undefined),
  );
  return <UnmatchedNote log={log} exchange={exchange} />;
}

function Why({ log, request, seq }: { readonly log: Log; readonly request: number; readonly seq: number }) {
  const { printed } = log.row(seq - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines of a pretty-printed object arrive later
  const why = useMemo(() => explainUnmatched(log, seq, request), [log, seq, request, printed]);
  return (
    <bdi>
      <Sentence text={why} />
    </bdi>
  );
}
