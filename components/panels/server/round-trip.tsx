import { ExchangeLinks } from '@/components/exchange/frame-link';
import { OutcomeWord, useOutcome } from '@/components/exchange/outcome';
import { Spinner } from '@/components/ui/notices';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { formatDuration } from '@/lib/wire/format';

/** The outcome of a request, its duration, and its frames. */
export function RoundTripView({ log, exchange }: { readonly log: Log; readonly exchange: Exchange }) {
  const { outcome } = useOutcome(log, exchange);
  return (
    <span role="status" className="tabular flex min-w-0 flex-wrap items-center gap-x-2">
      {outcome && <OutcomeWord outcome={outcome} />}
      {exchange.status === 'pending' && <Spinner />}
      {exchange.durationUs !== undefined && formatDuration(exchange.durationUs)}
      <ExchangeLinks request={exchange.requestSeq} response={exchange.responseSeq} />
    </span>
  );
}
