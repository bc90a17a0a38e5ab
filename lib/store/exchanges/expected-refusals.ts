import { PROBE_ID } from '@/lib/mcp/probe-id';
import type { Frame } from '@/lib/wire/frame';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Classified } from '../classify';
import type { Columns } from '../columns/columns';
import type { AddedHttpFrame, Derivation } from '../derivation';
import type { Exchanges } from './exchanges';
import { HARMLESS_ENDS, type HttpExchanges } from './http-exchanges';
import type { Latencies } from './latencies';

/** The parts of a log in which refusals are marked. */
interface Refused {
  readonly columns: Columns;
  readonly exchanges: Exchanges;
  readonly http: HttpExchanges;
  readonly latencies: Latencies;
}

/**
 * Marks refusals as expected: of requests that auto mode sends to servers of the other era or transport, of requests
 * after a lost session, and of the event stream.
 */
export class ExpectedRefusals implements Derivation {
  readonly #log: Refused;
  /** The request whose refusal made auto mode try HTTP+SSE. The refusal counts as expected once HTTP+SSE opens. */
  #fellBackFrom: number | undefined;
  /** HTTP exchanges that were refused because the server lost the session. */
  readonly #forgotten: number[] = [];
  /** Auto mode's request that was answered too late to count. */
  #lateHandshake: number | undefined;

  constructor(log: Refused) {
    this.#log = log;
  }

  addEvent(_seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'probe') this.#onProbe(event.era);
    else if (event?.event === 'fallback') this.#fellBackFrom = this.#log.exchanges.latestRequest('initialize');
    else if (event?.event === 'open') this.#onOpen();
  }

  addHttp({ exchange, end }: AddedHttpFrame): void {
    if (HARMLESS_ENDS.has(end?.code)) this.#excuseExchange(exchange);
    if (end?.code === 'session-lost') this.#forgotten.push(exchange);
  }

  add({ seq }: Frame, { kind }: Classified): void {
    const late = this.#lateHandshake;
    if (kind !== 'error' || late === undefined) return;
    if (this.#log.columns.peer(seq - 1) === late) this.#log.exchanges.excuseLateRefusal(late);
  }

  /** Marks earlier refusals: of an unsupported transport, or of a lost session. */
  #onOpen(): void {
    const { columns, http } = this.#log;
    this.#excuseRequest(this.#fellBackFrom);
    for (const number of this.#forgotten.splice(0)) {
      this.#excuseExchange(number);
      for (const seq of http.get(number)!.messages) if (columns.kind(seq - 1) === 'request') this.#excuseRequest(seq);
    }
  }

  /**
   * Called when auto mode has chosen an era. Gives up its request for the other era, or marks the refusal of that
   * request.
   */
  #onProbe(era: Era): void {
    const { columns, exchanges } = this.#log;
    const probe = exchanges.latestRequest('server/discover');
    const initialize = exchanges.latestRequest('initialize');
    const sentBoth = probe !== undefined && initialize !== undefined && initialize > probe;
    const other = era === 'legacy' ? probe : sentBoth ? initialize : undefined;
    if (other === undefined) return;
    exchanges.markCancelled([columns.id(other - 1)]);
    this.#lateHandshake = other;
    this.#excuseRequest(other);
  }

  /** Marks the refusal of a request. Over HTTP, a refusal without an id answers the only request of its exchange. */
  #excuseRequest(request: number | undefined): void {
    const { columns, exchanges, http, latencies } = this.#log;
    if (request === undefined || !exchanges.excuseRefusal(request)) return;
    const number = columns.exchange(request - 1);
    if (number !== undefined && http.get(number)) {
      this.#excuseExchange(number);
      for (const seq of http.get(number)!.messages) {
        if (columns.kind(seq - 1) !== 'error' || columns.peer(seq - 1) !== undefined) continue;
        columns.setStatus(seq - 1, 'refused');
        columns.setPeer(seq - 1, request);
        if (columns.peer(request - 1) === undefined) columns.setPeer(request - 1, seq);
      }
    }
    // The probe is not counted.
    if (columns.id(request - 1) !== PROBE_ID) latencies.uncountError(columns.method(request - 1));
  }

  /** Marks the refusal of an HTTP exchange. */
  #excuseExchange(number: number): void {
    const { columns, http } = this.#log;
    const exchange = http.get(number);
    if (!exchange) return;
    http.markExpected(number);
    for (const seq of [...exchange.responses, ...exchange.ends]) columns.setSeverity(seq - 1, undefined);
    if (exchange.method !== 'GET') return;
    for (const seq of exchange.messages) if (columns.kind(seq - 1) === 'error') columns.setStatus(seq - 1, 'refused');
  }
}
