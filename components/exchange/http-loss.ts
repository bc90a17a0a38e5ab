import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';

/** True if the server refused this request because it had forgotten the session. */
export function isForgotten(log: Log, exchange: Exchange): boolean {
  return log.httpExchange(log.row(exchange.requestSeq - 1).exchange)?.forgotten ?? false;
}

/** Why HTTP brought no answer to a request, in words that may quote the server; undefined if it did not travel over HTTP. */
export function httpLoss(log: Log, exchange: Exchange): string | undefined {
  const http = log.httpExchange(log.row(exchange.requestSeq - 1).exchange);
  if (!http) return undefined;
  const end = http.ends.at(-1);
  return (end === undefined ? undefined : log.row(end - 1).http?.about) ?? '';
}
