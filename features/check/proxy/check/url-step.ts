import { networkInterfaces } from 'node:os';
import type { CheckFinding, CheckStep } from '@/features/check/lib/report';
import type { Negotiated } from '@/lib/mcp/handshake';
import { type SpecTopic, specPage } from '@/lib/protocol/spec-pages';
import { type Headers, headerOf } from '@/lib/transports/http-link';
import { parseOutgoing, requestHeaders } from '@/lib/transports/request-headers';
import { systemClock } from '@/lib/wire/clock';
import { META_KEY } from '@/lib/wire/protocol-names';
import { ParamHeaders } from '@/lib/wire/repeated-headers';
import type { ProxyUrlLaunch } from '@/proxy/connection/launch';
import { classOf } from '@/proxy/egress/address-policy';
import { Egress } from '@/proxy/egress/egress';

/** Milliseconds for one request. */
const REQUEST_MS = 3000;
/** Bytes of an answer that are read. */
const ANSWER_BYTES = 256 * 1024;
/** Addresses of this machine that are tried. */
const MOST_ADDRESSES = 8;
/** Days before the end of a certificate from which a finding says so. */
const EXPIRY_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A host that nobody owns (RFC 2606). */
const FOREIGN = 'rebinding.example';

/** The parts that the step needs. Tests replace `addresses`. */
export interface UrlProbe {
  readonly launch: ProxyUrlLaunch;
  readonly negotiated: Negotiated;
  readonly version: string;
  readonly allowLocal: boolean;
  /** Addresses of this machine other than loopback. */
  readonly addresses?: readonly string[];
}

/** Checks how a server at a URL protects itself: against foreign web pages and hosts, and on the way to it. */
export async function checkUrl(probe: UrlProbe): Promise<CheckStep> {
  const began = performance.now();
  const step = (more: Partial<CheckStep>): CheckStep => ({
    name: 'protection of the URL',
    ms: performance.now() - began,
    findings: [],
    ...more,
  });
  const url = new URL(probe.launch.url);
  const request = requestOf(probe);
  const findings: CheckFinding[] = [];
  const add = (rule: keyof typeof RULES, message: string): void => void findings.push(finding(probe, rule, message));
  const plain = await send(probe, url.href, request);
  const isLoopback = isLoopbackHost(url.hostname);
  if (url.protocol === 'http:' && !isLoopback) add('no-encryption', `${url.origin} is reached without TLS.`);
  const days = plain.expires === undefined ? undefined : (Date.parse(plain.expires) - Date.now()) / DAY_MS;
  if (days !== undefined && days < EXPIRY_DAYS)
    add('certificate-expires', `The certificate of ${url.host} is valid until ${plain.expires?.slice(0, 10)}.`);
  if (!plain.isAnswered) return step({ findings, skipped: notAnswered(plain.status) });

  const port = url.port === '' ? '' : `:${url.port}`;
  const origin = `http://${FOREIGN}${port}`;
  const crossSite = await send(probe, url.href, { ...request, headers: [...request.headers, ['Origin', origin]] });
  if (crossSite.isAnswered) {
    add(
      isLoopback ? 'foreign-origin-accepted' : 'any-origin-accepted',
      `The server answered a request with \`Origin: ${origin}\`.`,
    );
  }
  // A browser asks first, and sends the request if this answer allows it.
  const preflight = crossSite.isAnswered
    ? await send(probe, url.href, preflightOf(request, origin), 'OPTIONS')
    : undefined;
  const cors = [crossSite, preflight].flatMap((answer) => (answer?.headers ? corsOf(answer.headers) : []));
  const allowing = cors.find(({ allowed }) => allowed === origin || allowed === '*');
  if (cors.some(({ allowed, credentials }) => allowed === origin && credentials))
    add('cors-credentials', `The server allows \`${origin}\` to send requests with cookies.`);
  else if (isLoopback && allowing)
    add(
      'cors-any-origin',
      `The server answered \`Access-Control-Allow-Origin: ${allowing.allowed}\` to \`${origin}\`.`,
    );

  if (isLoopback) {
    const host: Headers = [
      ['Host', `${FOREIGN}${port}`],
      ['Origin', origin],
    ];
    const rebound = await send(probe, url.href, { ...request, headers: [...request.headers, ...host] });
    if (rebound.isAnswered) add('dns-rebinding', `The server answered a request with \`Host: ${FOREIGN}${port}\`.`);
    for (const address of (probe.addresses ?? ownAddresses()).slice(0, MOST_ADDRESSES)) {
      const there = new URL(url);
      there.hostname = address.includes(':') ? `[${address}]` : address;
      if (!(await send(probe, there.href, request)).isAnswered) continue;
      add('listens-beyond-loopback', `The server also answers at ${there.host}, without authorization.`);
      break;
    }
  }
  return step({ findings });
}

const RULES = {
  'dns-rebinding': [
    'error',
    'Foreign Host accepted (DNS rebinding)',
    'Refuse a Host header other than localhost and its addresses, with HTTP 403. Else any web page can reach the server.',
  ],
  'foreign-origin-accepted': [
    'error',
    'Foreign Origin accepted',
    'Refuse an Origin header that is not yours, with HTTP 403. Else any web page can send requests to the server.',
  ],
  'any-origin-accepted': [
    'info',
    'Any Origin accepted',
    'If only some web pages may use the server, refuse other Origin headers with HTTP 403.',
  ],
  'cors-credentials': [
    'error',
    'CORS with cookies for any origin',
    'Allow credentials only for origins that you know. Else any web page can act as its visitor.',
  ],
  'cors-any-origin': [
    'warning',
    'CORS for any origin on this machine',
    'Allow only origins that you know. Else any web page can read what this server answers.',
  ],
  'listens-beyond-loopback': [
    'warning',
    'Reachable from the network without authorization',
    'Listen on 127.0.0.1 only, or ask for authorization.',
  ],
  'no-encryption': ['warning', 'No TLS', 'Serve it by https. Everybody on the way can read and change messages.'],
  'certificate-expires': ['warning', 'Certificate that ends soon', 'Renew the certificate.'],
} as const satisfies Record<string, readonly [CheckFinding['severity'], string, string]>;

const TOPIC: SpecTopic = 'http';

function finding({ negotiated }: UrlProbe, rule: keyof typeof RULES, message: string): CheckFinding {
  const [severity, title, advice] = RULES[rule];
  return {
    rule,
    severity,
    title,
    message,
    path: undefined,
    frames: [],
    advice,
    spec: specPage(TOPIC, negotiated.version).url,
  };
}

function notAnswered(status: number | undefined): string {
  if (status === 401 || status === 403) return 'The server asks for authorization, which these requests do not have.';
  return status === undefined
    ? 'A first request without a session got no response in time, or a redirect.'
    : `A first request without a session was answered with HTTP ${status}, and no result.`;
}

interface Request {
  readonly headers: Headers;
  readonly text: string;
}

/** Makes the first request of a client, without headers that the user gave: a foreign page does not know them. */
function requestOf({ negotiated: { era, version }, version: ours }: UrlProbe): Request {
  const clientInfo = { name: 'mcp-inspect', version: ours };
  const message =
    era === 'legacy'
      ? { method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } }
      : {
          method: 'server/discover',
          params: {
            _meta: {
              [META_KEY.protocolVersion]: version,
              [META_KEY.clientInfo]: clientInfo,
              [META_KEY.clientCapabilities]: {},
            },
          },
        };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return { text, headers: requestHeaders(parseOutgoing(text), era, version, new ParamHeaders()) };
}

/** Returns the request by which a browser asks whether a page of `origin` may send `request`. */
function preflightOf({ headers }: Request, origin: string): Request {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => name !== 'accept');
  return {
    text: '',
    headers: [
      ['Origin', origin],
      ['Access-Control-Request-Method', 'POST'],
      ['Access-Control-Request-Headers', names.join(',')],
    ],
  };
}

function corsOf(headers: Headers): { readonly allowed: string | undefined; readonly credentials: boolean } {
  return {
    allowed: headerOf(headers, 'access-control-allow-origin'),
    credentials: headerOf(headers, 'access-control-allow-credentials') === 'true',
  };
}

interface Answer {
  /** True for a result. */
  readonly isAnswered: boolean;
  /** undefined if there was no response. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** End of the server’s certificate, ISO 8601. */
  readonly expires: string | undefined;
}

/** Sends a request and ends its session, if it began one. Never rejects. */
async function send(
  { launch, version, allowLocal }: UrlProbe,
  url: string,
  { headers, text }: Request,
  method: 'POST' | 'OPTIONS' = 'POST',
): Promise<Answer> {
  const egress = new Egress({
    clock: systemClock,
    version,
    allowLocal,
    environment: process.env,
    ...(launch.tls && { tls: launch.tls }),
  });
  const abort = new AbortController();
  const callOff = systemClock.after(REQUEST_MS, () => abort.abort());
  let expires: string | undefined;
  const shared = { url, signal: abort.signal, onRedirect: () => abort.abort() };
  try {
    const response = await egress.send({
      ...shared,
      method,
      headers,
      ...(method === 'POST' && { body: Buffer.from(text) }),
      onSocket: ({ tls }) => {
        expires = tls?.certificate?.validTo ?? expires;
      },
    });
    const body = await firstBytes(response.body);
    const isAnswered = response.status === 200 && /"result"\s*:/.test(body);
    const session = headerOf(response.headers, 'mcp-session-id');
    if (session !== undefined) {
      const ended = [...headers, ['Mcp-Session-Id', session] as const];
      await egress.send({ ...shared, method: 'DELETE', headers: ended }).catch(() => {});
    }
    return { isAnswered, status: response.status, headers: response.headers, expires };
  } catch {
    return { isAnswered: false, status: undefined, headers: undefined, expires };
  } finally {
    callOff();
    egress.close();
  }
}

/** Reads a body until it has the answer, which a stream may leave open. */
async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString();
    if (text.length > ANSWER_BYTES || /"(?:result|error)"\s*:/.test(text)) break;
  }
  return text;
}

function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' || host.endsWith('.localhost') || (/^[\d.]+$|:/.test(host) && classOf(host) === 'loopback')
  );
}

/** Lists the addresses of this machine that others can reach. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, address }) => !internal && classOf(address) !== 'local')
    .map(({ address }) => address);
}
