import type { HttpRequest } from '@/lib/transports/http-link';
import type { Clock } from '@/lib/wire/clock';
import type { CorsProbeFrame } from '@/lib/wire/cors';
import type { Failure } from '@/lib/wire/lifecycle';
import type { Fetch } from './fetch-link';

/** How long one request may take by which a page finds out why an answer was kept from it. */
export const CORS_PROBE_MS = 5000;

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
  const names = request.headers.filter(([name]) => needsPreflight(name));
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
    const callOff = clock.after(CORS_PROBE_MS, stop);
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

/** What is known about a request whose answer the browser kept from the page. */
export interface CorsFacts {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Of the page. */
  readonly origin: string;
  /** The page is https, the server plain http on another machine. */
  readonly mixed: boolean;
  /** The browser does not let this page reach the local network. */
  readonly localDenied: boolean;
  /** Any answer came to a request that nobody may read. */
  readonly reachable: boolean;
  /** The answer to a request without any headers could be read. */
  readonly readable: boolean;
  /** Headers of the request, in lower case, that by themselves made it fail. */
  readonly refused: readonly string[];
}

interface Rule {
  readonly code: string;
  holds(facts: CorsFacts): boolean;
  message(facts: CorsFacts): string;
  readonly advice: string;
}

const EVERYWHERE =
  'Have the server send it with every answer, preflights and errors included; through the proxy no CORS is needed.';

/** Headers that only requests of the modern era have. */
const MODERN = ['mcp-method', 'mcp-name', 'mcp-protocol-version'];

/** In order: the first that holds is the verdict. */
const RULES: readonly Rule[] = [
  {
    code: 'mixed-content',
    holds: ({ mixed }) => mixed,
    message: ({ url }) =>
      `This page was loaded by https, so its browser forbids it the plain http of ${originOf(url)}.`,
    advice: 'Reach the server by https, or connect through the proxy.',
  },
  {
    code: 'local-network-denied',
    holds: ({ localDenied, reachable }) => localDenied && !reachable,
    message: ({ url }) => `The browser does not let this page reach ${originOf(url)}, which is on the local network.`,
    advice: 'Allow the local network for this page in the browser’s site settings, or connect through the proxy.',
  },
  {
    code: 'unreachable',
    holds: ({ reachable, readable }) => !reachable && !readable,
    message: ({ url }) => `${originOf(url)} does not answer the browser at all.`,
    advice:
      'Check that the server runs and the URL is right; for https, open the URL in a tab to see whether the browser trusts its certificate.',
  },
  {
    code: 'cors-origin',
    holds: ({ readable }) => !readable,
    message: ({ origin, url }) =>
      `${originOf(url)} answers, but lets no page of ${origin} read it: the header Access-Control-Allow-Origin is missing, or names another origin.`,
    advice: EVERYWHERE,
  },
  {
    code: 'cors-modern',
    holds: ({ refused }) => refused.length > 0 && refused.every((name) => MODERN.includes(name)),
    message: refusedHeaders,
    advice: EVERYWHERE,
  },
  { code: 'cors-headers', holds: ({ refused }) => refused.length > 0, message: refusedHeaders, advice: EVERYWHERE },
  {
    code: 'cors-methods',
    holds: ({ method }) => method === 'DELETE',
    message: () =>
      'The server does not let this page send DELETE: it is missing from the Access-Control-Allow-Methods of its answer to the preflight.',
    advice: EVERYWHERE,
  },
  {
    code: 'cors-answer',
    holds: () => true,
    message: ({ method }) =>
      `The server’s answer to this ${method} could not be read: it broke off, or has no Access-Control-Allow-Origin although others have it.`,
    advice: 'See that errors (401, 404, 500) have the CORS headers too; through the proxy no CORS is needed.',
  },
];

function refusedHeaders({ refused }: CorsFacts): string {
  const names = refused.join(', ');
  return `The server does not let this page send ${names}: missing from the Access-Control-Allow-Headers of its answer to the preflight (OPTIONS).`;
}

/** Why the browser kept the answer, with the header that is missing by its name. */
export function corsVerdict(facts: CorsFacts): Failure {
  const rule = RULES.find(({ holds }) => holds(facts))!;
  return { code: rule.code, message: rule.message(facts), advice: rule.advice };
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** Header names that browsers keep to themselves (Fetch standard, forbidden request-header). */
const FORBIDDEN = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'access-control-request-private-network',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

/** True for a header that no page may set; a browser would drop it without a word. */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return FORBIDDEN.has(lower) || lower.startsWith('proxy-') || lower.startsWith('sec-');
}

/** Request headers that need no server's leave. The values that MCP sends of these are harmless ones. */
const SAFE = new Set(['accept', 'accept-language', 'content-language']);

/** True for a header that a preflight has to ask the server about. */
function needsPreflight(name: string): boolean {
  return !SAFE.has(name.toLowerCase());
}
