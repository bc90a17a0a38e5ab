import type { HttpRequest } from '@/lib/transports/http-link';
import type { Clock } from '@/lib/wire/clock';
import type { CorsProbeFrame } from '@/lib/wire/cors-probe';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { corsVerdict } from './cors-verdict';
import type { Fetch } from './fetch-link';
import { needsLeave } from './page-headers';

/** What a diagnosis knows and asks besides the server. */
export interface DiagnosisDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Of the page. */
  readonly origin: string;
  /** Whether the browser was told to keep this page from the local network. */
  isLocalDenied(): Promise<boolean>;
}

/** A browser says nothing about why it kept an answer from a page: so a few harmless requests are tried, each a frame. */
export async function diagnose(request: HttpRequest, deps: DiagnosisDeps): Promise<Failure> {
  const { url, method } = request;
  const known = {
    method,
    url,
    origin: deps.origin,
    mixed: isMixed(deps.origin, url),
    localDenied: false,
    reachable: false,
    readable: false,
    refused: [],
  };
  if (known.mixed) return corsVerdict(known);
  // What takes a body is asked for nothing, which no server can take for a message.
  const asked = method === 'POST' ? 'POST' : 'GET';
  const plain = asked === 'POST' ? { method: asked, body: '' } : { method: asked };
  const probe = prober(request, deps);
  const reachable = await probe('reachable', { method: 'GET', mode: 'no-cors' });
  const readable = await probe('readable', plain);
  if (!readable) {
    return corsVerdict({
      ...known,
      reachable,
      localDenied: !reachable && !request.signal.aborted && (await deps.isLocalDenied()),
    });
  }
  const names = request.headers.filter(([name]) => needsLeave(name));
  const passed = await Promise.all(
    names.map(([name]) => probe({ header: name.toLowerCase() }, { ...plain, headers: [[name, harmless(name)]] })),
  );
  const refused = names.filter((_, index) => !passed[index]).map(([name]) => name.toLowerCase());
  return corsVerdict({ ...known, reachable, readable, refused });
}

/** Leave is asked for names alone, and probes follow redirects: so what a person gave stays out of them. */
function harmless(name: string): string {
  return name.toLowerCase() === 'content-type' ? 'application/json' : 'x';
}

/** Makes one probe after the other as frames of the request's exchange. True if it passed. Once the request is aborted, nothing more is asked or told. */
function prober(request: HttpRequest, { fetch, clock }: DiagnosisDeps) {
  return async (asks: CorsProbeFrame['asks'], init: RequestInit & { method: string }): Promise<boolean> => {
    if (request.signal.aborted) return false;
    const over = new AbortController();
    const stop = (): void => over.abort();
    request.signal.addEventListener('abort', stop, { once: true });
    const callOff = clock.after(LIMITS.corsProbeMs, stop);
    let response: Response | undefined;
    try {
      response = await fetch(request.url, { ...init, redirect: 'follow', signal: over.signal });
    } catch {
      // That it failed is what it was to find out.
    }
    callOff();
    request.signal.removeEventListener('abort', stop);
    over.abort();
    if (request.signal.aborted) return false;
    const status = response && response.status > 0 ? { status: response.status } : {};
    request.onProbe?.({ method: init.method, asks, passed: response !== undefined, ...status });
    return response !== undefined;
  };
}

/** What browsers never let an https page reach: plain http, but for this machine itself. */
function isMixed(origin: string, url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return origin.startsWith('https:') && protocol === 'http:' && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}
