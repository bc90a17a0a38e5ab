import { visibleText } from '@/components/ui/visible-text';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { readHttpFrame } from '@/lib/wire/read-http-frame';

/** How a message travelled over HTTP: the request it was sent with or came back on, and which event of a stream it was. */
export function HttpTravel({
  log,
  row,
  onSelect,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly onSelect: (seq: number) => void;
}) {
  const exchange = log.httpExchange(row.exchange);
  const request = exchange?.requests.at(-1);
  if (!exchange || request === undefined) return null;
  const carrier = readHttpFrame(log.text(row.seq - 2));
  const { what } = log.row(request - 1).http ?? { what: 'HTTP' };
  const response = row.direction === 'to-client' ? exchange.responses.at(-1) : undefined;
  return (
    <p className="flex shrink-0 flex-wrap gap-x-3 border-b border-line px-2 py-1 text-muted">
      <span>
        {row.direction === 'to-server' ? 'Sent by' : 'Came on'} HTTP exchange {exchange.number}:{' '}
        <Link seq={request} words={what} onSelect={onSelect} />
      </span>
      {response !== undefined && <Link seq={response} words={`${exchange.statuses.at(-1)}`} onSelect={onSelect} />}
      {carrier?.kind === 'sse' && (
        <Link
          seq={row.seq - 1}
          words={carrier.id === undefined ? 'stream event' : `event id ${carrier.id.slice(0, 100)}`}
          onSelect={onSelect}
        />
      )}
    </p>
  );
}

function Link({ seq, words, onSelect }: { seq: number; words: string; onSelect: (seq: number) => void }) {
  return (
    <button type="button" onClick={() => onSelect(seq)} className="text-accent underline">
      <bdi>{visibleText(words)}</bdi> #{seq}
    </button>
  );
}
