import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { HttpDetail, HttpHead } from './http-detail';
import { HttpPlace } from './http-place';
import { HttpTravel } from './http-travel';

/** How a frame travelled over HTTP: an http frame by itself; of a message the request and answer that carried it. */
export function HttpView({
  log,
  row,
  onSelect,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly onSelect: (seq: number) => void;
}) {
  const exchange = log.httpExchange(row.exchange);
  const heads = [exchange?.requests.at(-1), exchange?.responses.at(-1)].filter((seq) => seq !== undefined);
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      {row.http ? (
        <HttpDetail key={row.seq} log={log} row={row} onSelect={onSelect} />
      ) : (
        <>
          <HttpTravel log={log} row={row} onSelect={onSelect} />
          <div className="flex min-w-0 flex-col gap-3 p-2">
            {exchange && <HttpPlace log={log} number={exchange.number} at={row.seq} onSelect={onSelect} />}
            {heads.map((seq) => (
              <HttpHead key={seq} log={log} row={log.row(seq - 1)} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}
