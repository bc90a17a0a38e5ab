import type { HttpRequest } from '@/lib/transports/http-link';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type Answer, type HttpFixture, startHttp } from '@/proxy/connection/fixtures/http-fixture';
import { Egress, type EgressOptions } from '../egress';

/** Closed after each test. */
export const open = closedAfterEach();

/** Returns an egress that is closed after the test. */
export function egress(options: Partial<EgressOptions> = {}): Egress {
  const made = new Egress({ clock: systemClock, version: 'test', allowLocal: false, ...options });
  open.push(made);
  return made;
}

/** Starts a server that is closed after the test. */
export async function fixture(answer: Answer): Promise<HttpFixture> {
  const started = await startHttp(answer);
  open.push(started);
  return started;
}

/** Returns a `GET` with some parts replaced. */
export function request(url: string, over: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: [], signal: new AbortController().signal, onRedirect: () => {}, ...over };
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
