import type { Columns } from './columns';
import type { Exchanges } from './exchanges';
import type { HttpExchanges } from './http-exchanges';

/**
 * Auto mode asked by this request, was refused, and goes on as it does with such servers: what was red is none of their faults.
 * Over HTTP a refusal may have no id; it still answers the one request of its exchange.
 */
export function expectRefusal(request: number, columns: Columns, exchanges: Exchanges, http: HttpExchanges): void {
  if (!exchanges.forgive(request)) return;
  const number = columns.exchange(request - 1);
  const exchange = number === undefined ? undefined : http.get(number);
  if (number === undefined || !exchange) return;
  expectExchange(number, columns, http);
  for (const seq of exchange.messages) {
    if (columns.kind(seq - 1) !== 'error' || columns.peer(seq - 1) !== undefined) continue;
    columns.setStatus(seq - 1, 'refused');
    columns.setPeer(seq - 1, request);
    if (columns.peer(request - 1) === undefined) columns.setPeer(request - 1, seq);
  }
}

/** Marks the refusal of this HTTP exchange as expected, not as a failure. */
export function expectExchange(number: number, columns: Columns, http: HttpExchanges): void {
  const exchange = http.get(number);
  if (!exchange) return;
  http.expect(number);
  for (const seq of [...exchange.responses, ...exchange.ends]) columns.setSeverity(seq - 1, undefined);
  if (exchange.method !== 'GET') return;
  for (const seq of exchange.messages) if (columns.kind(seq - 1) === 'error') columns.setStatus(seq - 1, 'refused');
}

/** End codes that are not failures: servers needn't offer a stream, and later frames explain a refused one. */
export const HARMLESS_ENDS: ReadonlySet<string | undefined> = new Set(['no-stream', 'stream-refused']);
