import { formatDuration } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { navigate } from '@/lib/hooks/use-location';
import type { Log } from '@/lib/store/log';
import { messageWords } from '@/lib/store/row-words';
import { rowStatus } from '../row-words';

/** Messages listed at most; the filter finds the others. */
const MOST = 12;

/** An HTTP exchange in links: its requests and answers, how it ended, and the messages that travelled on it. */
export function HttpPlace({
  log,
  number,
  at,
  onSelect,
}: {
  readonly log: Log;
  readonly number: number;
  /** seq of the frame in view, which is no link. */
  readonly at: number;
  readonly onSelect: (seq: number) => void;
}) {
  const exchange = log.httpExchange(number);
  if (!exchange) return null;
  const { requests, responses, ends, messages } = exchange;
  const frames = [...requests, ...responses, ...ends];
  return (
    <section aria-label={`HTTP exchange ${number}`} className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3">
        <h3 className="font-medium">HTTP exchange {number}</h3>
        <button
          type="button"
          className="text-accent underline"
          onClick={() => navigate({ filter: `exchange:${number}`, http: true })}
        >
          Show all of it
        </button>
      </div>
      <ol className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 font-mono text-wire">
        {[...frames, ...messages.slice(0, MOST)]
          .sort((a, b) => a - b)
          .map((seq) => (
            <Line key={seq} log={log} seq={seq} here={seq === at} onSelect={onSelect} />
          ))}
      </ol>
      {messages.length > MOST && <p className="text-muted">and {messages.length - MOST} more messages</p>}
    </section>
  );
}

function Line({
  log,
  seq,
  here,
  onSelect,
}: {
  readonly log: Log;
  readonly seq: number;
  readonly here: boolean;
  readonly onSelect: (seq: number) => void;
}) {
  const row = log.row(seq - 1);
  const { what, about } = messageWords(row);
  const status = rowStatus(row);
  return (
    <li className="col-span-2 grid grid-cols-subgrid">
      {here ? (
        <span className="text-muted">#{seq}</span>
      ) : (
        <button type="button" className="tabular text-left text-accent underline" onClick={() => onSelect(seq)}>
          #{seq}
        </button>
      )}
      <span className={here ? 'truncate font-medium' : 'truncate'}>
        {visibleText(what.slice(0, 200))}{' '}
        {status && row.http?.kind === 'response' && <span className={status.colour}>{status.words} </span>}
        {about !== undefined && <bdi className="text-muted">{visibleText(about.slice(0, 200))}</bdi>}
        {row.durationUs !== undefined && row.direction === 'to-client' && (
          <span className="tabular ml-2 text-muted">{formatDuration(row.durationUs)}</span>
        )}
      </span>
    </li>
  );
}
