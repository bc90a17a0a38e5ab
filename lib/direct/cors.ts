import type { HttpRequest } from '@/lib/transports/http-link';
import type { Clock } from '@/lib/wire/clock';
import type { CorsProbeFrame } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import type { Fetch } from './fetch-link';

/** Time for one probe, in ms: a probe that hangs must not delay the answer for long. */
export const CORS_PROBE_MS = 5000;

/** The services that a diagnosis uses. */
interface DiagnosisDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Origin of the page. */
  readonly origin: string;
  /** Returns true if the browser forbids this page to use the local network. */
  isLocalDenied(): Promise<boolean>;
}

/**
 * Finds out why a browser hid a response from the page, which browsers never say. It sends a few harmless requests;
 * each is a frame.
 */
export async function diagnoseCors(request: HttpRequest, deps: DiagnosisDeps): Promise<Failure> {
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
  // No server takes an empty POST body for a message.
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

/**
 * Returns a header value to probe with. Preflights ask only about names, and a redirect could leak the user's own
 * value.
 */
function harmless(name: string): string {
  return name.toLowerCase() === 'content-type' ? 'application/json' : 'x';
}

/**
 * Returns a function that sends a probe, logs it, and returns true if it passed. It does nothing once the request is
 * aborted.
 */
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
      // A failed probe is a result too.
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

/** Returns true for plain http from an https page, which browsers block except for localhost. */
function isMixed(origin: string, url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return origin.startsWith('https:') && protocol === 'http:' && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

/** The known facts about a request whose response the browser hid from the page. */
export interface CorsFacts {
  readonly method: HttpRequest['method'];
  readonly url: string;
  /** Origin of the page. */
  readonly origin: string;
  /** True if the page is https, and the server is plain http on another machine. */
  readonly mixed: boolean;
  /** True if the browser forbids this page to use the local network. */
  readonly localDenied: boolean;
  /** True if a request with an opaque response was answered. */
  readonly reachable: boolean;
  /** True if the response to a request without headers could be read. */
  readonly readable: boolean;
  /** Request headers, in lower case. Each one made a probe fail. */
  readonly refused: readonly string[];
}

interface Rule {
  readonly code: string;
  holds(facts: CorsFacts): boolean;
  message(facts: CorsFacts): string;
  readonly advice: string;
}

const EVERYWHERE =
  'Send it with every response, including preflights and errors. Or connect through the proxy, which needs no CORS.';

/** Headers that only modern requests have. */
const MODERN = ['mcp-method', 'mcp-name', 'mcp-protocol-version'];

/** The verdicts. The first whose condition holds is used. */
const RULES: readonly Rule[] = [
  {
    code: 'mixed-content',
    holds: ({ mixed }) => mixed,
    message: ({ url }) => `The browser blocks plain http to ${originOf(url)}, because this page was loaded over https.`,
    advice: 'Use the server’s https URL, or connect through the proxy.',
  },
  {
    code: 'local-network-denied',
    holds: ({ localDenied, reachable }) => localDenied && !reachable,
    message: ({ url }) => `The browser blocks this page from ${originOf(url)}, which is on the local network.`,
    advice: 'Allow local network access in the browser’s site settings, or connect through the proxy.',
  },
  {
    code: 'unreachable',
    holds: ({ reachable, readable }) => !reachable && !readable,
    message: ({ url }) => `${originOf(url)} does not respond to the browser.`,
    advice:
      'Check that the server runs and the URL is right. For https, open the URL in a tab to check its certificate.',
  },
  {
    code: 'cors-origin',
    holds: ({ readable }) => !readable,
    message: ({ origin, url }) =>
      `${originOf(url)} responds, but pages of ${origin} may not read it: Access-Control-Allow-Origin is missing or names another origin.`,
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
      'This page may not send DELETE: it is missing from Access-Control-Allow-Methods in the preflight response.',
    advice: EVERYWHERE,
  },
  {
    code: 'cors-answer',
    holds: () => true,
    message: ({ method }) =>
      `The page could not read the response to this ${method}: it broke off, or lacks Access-Control-Allow-Origin.`,
    advice: 'Send CORS headers with errors (401, 404, 500) too. Or connect through the proxy, which needs no CORS.',
  },
];

function refusedHeaders({ refused }: CorsFacts): string {
  const names = refused.join(', ');
  return `This page may not send ${names}: missing from Access-Control-Allow-Headers in the preflight response (OPTIONS).`;
}

/** Returns why the browser hid the response, and names the missing header. */
export function corsVerdict(facts: CorsFacts): Failure {
  const rule = RULES.find(({ holds }) => holds(facts))!;
  return { code: rule.code, message: rule.message(facts), advice: rule.advice };
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** Header names that browsers reserve for themselves (Fetch standard, forbidden request-header). */
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

/** Returns true for a header that pages may not set. Browsers drop it silently. */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return FORBIDDEN.has(lower) || lower.startsWith('proxy-') || lower.startsWith('sec-');
}

/** Request headers that need no preflight, with the values that MCP sends. */
const SAFE = new Set(['accept', 'accept-language', 'content-language']);

/** Returns true for a header that a preflight asks the server about. */
function needsPreflight(name: string): boolean {
  return !SAFE.has(name.toLowerCase());
}
