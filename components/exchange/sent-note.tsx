import { formatTime } from '@/components/ui/format';
import { FrameLink } from './frame-link';
import type { Request } from './use-request';

/** In the place of what sends, where nothing can be: whence the values are, or that there are none. */
export function SentNote({ request: { log, method, exchange } }: { readonly request: Request }) {
  const past = log !== log.whole;
  return (
    <p className="border-t border-line pt-2 text-muted">
      {exchange ? (
        <>
          As sent in <FrameLink seq={exchange.requestSeq} label="request" /> at{' '}
          <span className="tabular">{formatTime(log.columns.time(exchange.requestSeq - 1))}</span>, the newest{' '}
          {past ? 'up to this moment' : 'in this recording'}.
        </>
      ) : (
        <>
          No <code className="font-mono text-wire">{method}</code> of it{' '}
          {past ? 'up to this moment' : 'in this recording'}.
        </>
      )}
    </p>
  );
}
