import { readChallenges } from '@/lib/transports/challenge';
import type { SocketFrame } from '@/lib/wire/http-frame';
import type { AttemptFacts } from './attempt-facts';
import { type HttpExchangeFacts, headerIn, isRedirectStatus, type Located } from './exchange-facts';
import type { Evidence, StepId } from './finding';
import { droppedHeaders } from './remedies/redirects';

/** Events of a stream that are quoted. */
const SHOWN_EVENTS = 3;
/** Characters quoted from a body. */
const DOCTOR_QUOTE_CHARS = 300;

/** Facts of one step. */
interface StepEvidence {
  /** Milliseconds; absent if not measured. */
  readonly ms?: number | undefined;
  readonly lines: readonly Evidence[];
}

/** Returns the facts to show, by step. */
export const EVIDENCE: { readonly [S in StepId]: (facts: AttemptFacts) => StepEvidence } = {
  dns: ({ socket }) => {
    if (!socket) return { lines: [] };
    const { host, addresses, dnsMs, failure, seq } = socket;
    const found = addresses.join(', ');
    if (failure?.step === 'dns') return { ms: dnsMs, lines: [{ text: `${host}: ${failure.code}`, seq }] };
    const text =
      found === ''
        ? `${host} does not resolve here, so the HTTP proxy looks it up`
        : found === host
          ? `${host} is an IP address`
          : `${host} resolves to ${found}`;
    return { ms: dnsMs, lines: [{ text, seq }] };
  },

  proxy: ({ sockets }) => {
    const tried = sockets.filter(({ httpProxy }) => httpProxy !== undefined);
    return { ms: tried.at(-1)?.httpProxy?.ms, lines: tried.flatMap(proxyLines) };
  },

  tcp: ({ sockets }) => {
    const tried = sockets.filter(({ address }) => address !== undefined);
    return { ms: tried.at(-1)?.tcpMs, lines: tried.map(tcpLine) };
  },

  tls: ({ socket }) => (socket ? { ms: socket.tlsMs, lines: tlsLines(socket) } : { lines: [] }),

  http: ({ exchange, fellBack, header, status }) => {
    if (!exchange) return { lines: [] };
    const dropped = droppedHeaders({ exchange });
    const { request, response, end, waitedUs } = exchange;
    const server = header('server') ?? header('via');
    return {
      ms: waitedUs === undefined ? undefined : Math.round(waitedUs / 100) / 10,
      lines: [
        ...(fellBack && fellBack.refusal !== exchange ? hopLines(fellBack.refusal.hops) : []),
        ...hopLines(exchange.hops.slice(0, -1)),
        { text: `${request.method} ${request.url}`, seq: request.seq },
        ...unsentLine(dropped, request.seq),
        ...(response ? [{ text: `HTTP ${status}${server ? `, from ${server}` : ''}`, seq: response.seq }] : []),
        ...(!response && end?.message ? [{ text: end.message, seq: end.seq }] : []),
        ...facts(header, ['location', 'allow', 'retry-after'], response?.seq),
      ],
    };
  },

  authorization: (all) => {
    const { exchange, header, status, text } = all;
    const seq = exchange?.response?.seq;
    const challenges = readChallenges(header('www-authenticate') ?? '');
    const asked = challenges.map(({ scheme, parameters }) => {
      const list = Array.from(parameters, ([name, value]) => `${name}=${JSON.stringify(value)}`);
      return { text: [scheme, ...list].join(' '), seq };
    });
    const silent = status === 401 && asked.length === 0 ? [{ text: '401 without WWW-Authenticate', seq }] : [];
    const body = status === 401 || status === 403 || status === 421 ? quote(text, exchange?.body?.seq) : [];
    return { lines: [...asked, ...silent, ...requestLines(all), ...body] };
  },

  content: ({ exchange, header, text }) => {
    const seq = exchange?.response?.seq;
    if (seq === undefined) return { lines: [] };
    const type = header('content-type');
    return {
      lines: [
        { text: type ?? 'no Content-Type', seq },
        ...facts(header, ['content-encoding', 'content-length'], seq),
        ...(exchange?.end?.message ? [{ text: exchange.end.message, seq: exchange.end.seq }] : []),
        ...quote(text, exchange?.body?.seq),
      ],
    };
  },

  mcp: ({ announced, error, exchange, method, start, unmatched }) => ({
    lines: [
      ...(error ? [{ text: `error ${error.error.code}: ${error.error.message}`, seq: error.seq }] : []),
      ...(!error && exchange?.end?.message ? [{ text: exchange.end.message, seq: exchange.end.seq }] : []),
      ...(method === undefined ? [] : [{ text: method, seq: exchange?.sent?.seq }]),
      ...(announced ? [{ text: `event: endpoint, data: ${announced.text}`, seq: announced.event.seq }] : []),
      ...(unmatched ? [{ text: unmatched.text, seq: unmatched.seq }] : []),
      ...ignoredEvents(exchange),
      { text: `requested: ${start.protocol === 'auto' ? 'any version' : start.protocol}` },
    ],
  }),
};

/** Names the headers that the request really had, which may be fewer than the user gave, and its Host. */
function requestLines(all: AttemptFacts): readonly Evidence[] {
  const { exchange } = all;
  if (!exchange) return [];
  const { headers, method, url, seq } = exchange.request;
  const names = headers.map(([name]) => name);
  const dropped = droppedHeaders(all);
  const host = URL.canParse(url) ? (headerIn(headers, 'host') ?? new URL(url).host) : undefined;
  return [
    { text: `${method} ${url}`, seq },
    ...(host === undefined ? [] : [{ text: `Host: ${host}`, seq }]),
    { text: names.length === 0 ? 'no headers sent' : `headers sent: ${names.join(', ')}`, seq },
    ...unsentLine(dropped, seq),
  ];
}

function unsentLine(dropped: readonly string[], seq: number): readonly Evidence[] {
  return dropped.length === 0 ? [] : [{ text: `not sent after the redirect: ${dropped.join(', ')}`, seq }];
}

/** Returns a line for each request that was redirected or asked for a sign-in, and for its response. */
function hopLines(hops: HttpExchangeFacts['hops']): readonly Evidence[] {
  return hops.flatMap(({ request, response }) => {
    const asked = { text: `${request.method} ${request.url}`, seq: request.seq };
    if (!response) return [asked];
    const to = headerIn(response.headers, 'location');
    const leads = isRedirectStatus(response.status) && to !== undefined ? `, location: ${to}` : '';
    return [asked, { text: `HTTP ${response.status}${leads}`, seq: response.seq }];
  });
}

/** Returns a line for each event of a stream that is not read: of another type, or without its end. */
function ignoredEvents(exchange: HttpExchangeFacts | undefined): readonly Evidence[] {
  return (exchange?.events ?? [])
    .filter(({ event, data, unfinished }) => event !== 'endpoint' && (data !== undefined || unfinished))
    .slice(0, SHOWN_EVENTS)
    .map(({ event = 'message', data = '', unfinished, seq }) => {
      const name = `event: ${event}${unfinished ? ', without its end' : ''}`;
      return { text: [name, ...quote(data, undefined).map(({ text }) => text)].join(', data: '), seq };
    });
}

function facts(header: AttemptFacts['header'], names: readonly string[], seq: number | undefined): readonly Evidence[] {
  return names.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [{ text: `${name}: ${value}`, seq }];
  });
}

function tcpLine({ address, port, tcpMs, failure, seq }: Located<SocketFrame>): Evidence {
  const where = `${address?.includes(':') ? `[${address}]` : address}:${port}`;
  const how = failure?.step === 'tcp' ? failure.code : `connected in ${tcpMs} ms`;
  return { text: `${where} ${how}`, seq };
}

function proxyLines({ httpProxy, failure, seq }: Located<SocketFrame>): readonly Evidence[] {
  if (!httpProxy) return [];
  const { url, variable, address, target, status } = httpProxy;
  const at = address === undefined || url.includes(address) ? '' : ` at ${address}`;
  const broke = failure?.step === 'proxy' && status === undefined ? `: ${failure.code}` : '';
  const answer = status === undefined ? [] : [{ text: `CONNECT ${target}: HTTP ${status}`, seq }];
  return [{ text: `${url}${at}, from ${variable}${broke}`, seq }, ...answer];
}

function tlsLines({ tls, failure, seq }: Located<SocketFrame>): readonly Evidence[] {
  const broke = failure?.step === 'tls' ? [{ text: failure.code, seq }] : [];
  if (!tls) return broke;
  const { protocol, cipher, alpn, certificate, verified } = tls;
  const agreed = [protocol, cipher, alpn && `ALPN ${alpn}`].filter(Boolean).join(', ');
  const lines = [agreed, `certificate ${verified ? 'verified' : 'NOT verified'}`];
  if (certificate) {
    lines.push(
      `subject ${certificate.subject}`,
      `issuer ${certificate.issuer}`,
      `names ${certificate.names.join(', ') || 'none'}`,
      `valid ${certificate.validFrom.slice(0, 10)} to ${certificate.validTo.slice(0, 10)}`,
      `SHA-256 ${certificate.fingerprint}`,
    );
  }
  return [...broke, ...lines.map((text) => ({ text, seq }))];
}

function quote(text: string, seq: number | undefined): readonly Evidence[] {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  return [{ text: words.length > DOCTOR_QUOTE_CHARS ? `${words.slice(0, DOCTOR_QUOTE_CHARS)}…` : words, seq }];
}
