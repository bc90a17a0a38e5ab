import type { Clock } from '@/lib/wire/clock';
import type { HttpAuthorizer } from './http-authorizer';
import type { HttpSurroundings } from './http-exchange';
import type { Headers, HttpLink } from './http-link';
import { HttpTap } from './http-tap';
import type { HttpSink } from './transport';

/** What a transport over HTTP needs. */
export interface HttpConfig {
  readonly url: string;
  /** Sent with every request, and never shown. */
  readonly headers: Headers;
  readonly sink: HttpSink;
  readonly link: HttpLink;
  readonly clock: Clock;
  /** True if these bytes, one message, may concern the engine. Absent: all may. */
  readonly concerns?: (bytes: Uint8Array) => boolean;
  /** Absent: what the server refuses stays refused, as with an `Authorization` of the person's own. */
  readonly authorizer?: HttpAuthorizer;
}

/** What its exchanges have in common. */
export function surroundingsOf({ sink, link, concerns, url, headers, authorizer }: HttpConfig): HttpSurroundings {
  const tap = new HttpTap(sink, { url, headers });
  return { sink, link, tap, ...(concerns && { concerns }), ...(authorizer && { authorizer }) };
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const callOff = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      callOff();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
