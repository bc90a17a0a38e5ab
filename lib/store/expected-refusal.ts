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
  http.expect(number);
  for (const seq of [...exchange.responses, ...exchange.ends]) columns.setSeverity(seq - 1, undefined);
  for (const seq of exchange.messages) {
    if (columns.kind(seq - 1) !== 'error' || columns.peer(seq - 1) !== undefined) continue;
    columns.setStatus(seq - 1, 'refused');
    columns.setPeer(seq - 1, request);
    if (columns.peer(request - 1) === undefined) columns.setPeer(request - 1, seq);
  }
}
