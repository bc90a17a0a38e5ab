import { readChallenges } from '@/lib/transports/challenge';
import type { AttemptFacts } from '../attempt-facts';
import { headerIn, mediaTypeOf } from '../exchange-facts';
import { type Action, type DoctorFinding, LEAVE_OUT_TRANSPORT, type Remedy } from '../finding';

const LOG = 'Check the server’s log.';

/** Advises to look for the right path, unless the URL has proved to be right. */
function pathAdvice({ exchange, opened, url }: AttemptFacts): string {
  if (opened) return LOG;
  const used = pathOf(exchange?.request.url) ?? url?.pathname ?? '';
  if (/\/mcp\/?$/.test(used)) return 'Check the path and the server’s routes. Older servers use /sse.';
  if (/\/sse\/?$/.test(used)) return 'Check the path and the server’s routes. Most servers use /mcp.';
  return 'Check the path: most servers use /mcp, older ones /sse.';
}

function pathOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined;
}

/** Returns the body, or the message of the JSON-RPC error in it. */
function serverMessage({ error, text }: AttemptFacts): string {
  return error?.error.message ?? text;
}

/** Makes a remedy for one or more statuses. */
function forStatus(
  status: number | readonly number[],
  row: Omit<Remedy, 'find' | 'step'> & { readonly step?: Remedy['step'] },
  find: (facts: AttemptFacts) => DoctorFinding | undefined,
): Remedy {
  const statuses = [status].flat();
  return {
    step: 'http',
    ...row,
    find: (facts) => {
      if (facts.status === undefined || !statuses.includes(facts.status)) return undefined;
      const found = find(facts);
      return found && { ...found, seq: found.seq ?? facts.exchange?.response?.seq };
    },
  };
}

function isHostRefused(facts: AttemptFacts): boolean {
  const words =
    /(invalid|disallowed|forbidden|not allowed|bad|blocked)[^.]{0,30}\b(host|origin)\b|\b(host|origin)\b[^.]{0,30}(not allowed|invalid|forbidden|blocked)/i;
  return facts.status === 421 || words.test(serverMessage(facts));
}

function originRefused(facts: AttemptFacts): DoctorFinding {
  const origin = headerIn(facts.exchange?.request.headers, 'origin');
  return {
    what: `The server refused the request with HTTP ${facts.status}${quotedAnswer(facts)}. It accepts only certain Origin headers, and this request had ${origin === undefined ? 'none' : 'another one'}.`,
    advice:
      origin === undefined
        ? 'Add one that it accepts as a header, or let the server accept requests without Origin: only browsers send it.'
        : 'Add this origin to its allowed origins: allowed_origins of TransportSecuritySettings in Python, allowedOrigins in TypeScript.',
  };
}

/** HTTP statuses with known causes, from the server or from a proxy in front of it. */
export const HTTP_STATUSES: readonly Remedy[] = [
  {
    code: 'session-invalid',
    step: 'http',
    find: (facts) => {
      const { exchange, status, failure } = facts;
      const asked = headerIn(exchange?.request.headers, 'mcp-session-id') !== undefined;
      const lost = failure.code === 'session-lost';
      const refused = asked && (status === 404 || status === 400) && /session|initiali[sz]/i.test(serverMessage(facts));
      if (!lost && !refused) return undefined;
      const answered = status === undefined ? '' : ` It answered HTTP ${status}${quotedAnswer(facts)}.`;
      return {
        what: `The server does not recognise the session that it created.${answered}`,
        advice:
          status === 400
            ? 'Make it answer 404 to an unknown session: only then clients begin a new one. It may have restarted, or instances behind one address may not share sessions.'
            : 'It may have restarted, or several instances behind one address may not share sessions. Connect again.',
        seq: exchange?.response?.seq,
      };
    },
  },
  forStatus([400, 404], { code: 'session-missing' }, (facts) =>
    facts.opened &&
    !facts.isSse &&
    headerIn(facts.exchange?.request.headers, 'mcp-session-id') === undefined &&
    /session/i.test(serverMessage(facts))
      ? {
          what: `The server wants an Mcp-Session-Id header, but mcp-inspect found none in its response to initialize. It answered ${facts.method ?? 'the request'} with HTTP ${facts.status}${quotedAnswer(facts)}.`,
          advice: 'Make it send Mcp-Session-Id with that response, and check that no proxy removes the header.',
        }
      : undefined,
  ),
  forStatus([400, 405, 406], { code: 'not-sse' }, ({ start, exchange, status, url }) =>
    start.transport === 'sse' && exchange?.request.method === 'GET'
      ? {
          what: `The server answered the GET request that starts HTTP+SSE with HTTP ${status}. It probably uses Streamable HTTP.`,
          advice: LEAVE_OUT_TRANSPORT,
          actions: url ? offerUrl(url.href, 'auto') : [],
        }
      : undefined,
  ),
  forStatus(401, { code: 'unauthorized', step: 'authorization' }, unauthorized),
  forStatus([403, 400], { code: 'origin-refused', step: 'authorization' }, (facts) =>
    /\borigin\b/i.test(serverMessage(facts)) && !/\bhost\b/i.test(serverMessage(facts)) && isHostRefused(facts)
      ? originRefused(facts)
      : undefined,
  ),
  forStatus([403, 421, 400], { code: 'host-refused', step: 'authorization' }, (facts) =>
    isHostRefused(facts)
      ? {
          what: `The server refused the request with HTTP ${facts.status}${quotedAnswer(facts)}. To prevent DNS rebinding, it accepts only certain Host or Origin headers, and ${hostOf(facts)} is not among them.`,
          advice: `Add ${hostOf(facts)} to its allowed hosts: allowed_hosts of TransportSecuritySettings in Python, allowedHosts in TypeScript. Or use the host that it expects, often localhost.`,
        }
      : undefined,
  ),
  forStatus(403, { code: 'forbidden', step: 'authorization' }, (facts) => ({
    what: `The server denied access${challengeReason(facts)}.`,
    advice: 'Check the token’s scopes and account, and firewalls that filter addresses or user agents.',
  })),
  forStatus(404, { code: 'not-found', elsewhere: true }, (facts) => ({
    what: facts.opened
      ? `The server answered ${facts.method ?? 'a request'} with HTTP 404, at a URL where the handshake worked.`
      : `The server found nothing at ${pathOf(facts.exchange?.request.url) ?? 'this path'} (HTTP 404${facts.type === 'text/html' ? ' with a web page' : ''}).`,
    advice: pathAdvice(facts),
  })),
  forStatus(405, { code: 'method-refused', elsewhere: true }, (facts) => {
    const allowed = facts.header('allow');
    const stream = !facts.isSse && allowed !== undefined && /\bGET\b/i.test(allowed) && !/\bPOST\b/i.test(allowed);
    return {
      what: `This URL does not accept ${facts.exchange?.request.method ?? 'such'} requests${allowed === undefined ? '' : `, only ${allowed}`}.${afterFallback(facts)}`,
      advice: stream ? 'It may be an HTTP+SSE server: connect with that transport.' : pathAdvice(facts),
      actions: stream && facts.url && facts.start.transport === 'http' ? offerUrl(facts.url.href, 'sse') : [],
    };
  }),
  forStatus(406, { code: 'not-acceptable', elsewhere: true }, (facts) => ({
    what: 'The server cannot respond with JSON or an event stream, the types that an MCP client accepts.',
    advice:
      facts.exchange?.request.method === 'GET'
        ? 'It may use Streamable HTTP, which starts with a POST: connect with transport auto or http.'
        : 'Check that this URL is the MCP server and not another API, and that no proxy changes the Accept header.',
  })),
  forStatus(415, { code: 'media-type-refused', elsewhere: true }, () => ({
    what: 'This URL does not accept JSON.',
    advice: 'Check that it is the MCP server. A proxy in between may drop the Content-Type header.',
  })),
  forStatus(429, { code: 'too-many-requests' }, (facts) => {
    const after = facts.header('retry-after');
    return {
      what: 'The server received too many requests from this machine.',
      advice: `${waitAdvice(after)} If that does not help, check its rate limits.`,
    };
  }),
  forStatus([502, 503, 504], { code: 'gateway' }, (facts) => {
    const status = facts.status!;
    const who = facts.header('server') ?? facts.header('via');
    const after = facts.header('retry-after');
    const isProxy = who === undefined ? status !== 503 : facts.header('via') !== undefined || PROXIES.test(who);
    return {
      what: isProxy
        ? `A proxy in front of the server${who ? ` (${who})` : ''} answered ${status}: ${GATEWAY.get(status)}.`
        : `The server, or a proxy in front of it, answered ${status}${quotedAnswer(facts) || `: ${GATEWAY.get(status)}`}.`,
      advice: `${after === undefined ? '' : `${waitAdvice(after)} `}Check that the server runs, and the host and port that a proxy uses. Their logs say more.`,
    };
  }),
  forStatus([520, 521, 522, 523, 524, 525, 526], { code: 'gateway' }, ({ status }) => ({
    what: `Cloudflare answered ${status}: it could not reach the server.`,
    advice: 'Check that the server runs, lets Cloudflare through, and has a certificate that Cloudflare accepts.',
  })),
];

/** Remaining statuses, checked after JSON-RPC errors. */
export const OTHER_STATUSES: readonly Remedy[] = [
  {
    code: 'bad-request',
    step: 'http',
    elsewhere: true,
    find: (facts) =>
      facts.status !== undefined && facts.status >= 400 && facts.status < 500
        ? {
            what: `The server refused the request with HTTP ${facts.status}${quotedAnswer(facts)}.`,
            advice: facts.type === 'text/html' ? pathAdvice(facts) : LOG,
            seq: facts.exchange?.response?.seq,
          }
        : undefined,
  },
  {
    code: 'server-error',
    step: 'http',
    find: (facts) =>
      facts.status !== undefined && facts.status >= 500
        ? {
            what: `The server failed with HTTP ${facts.status}${quotedAnswer(facts)}.`,
            advice: 'The server’s log says why. If requests pass through a proxy, check its log too.',
            seq: facts.exchange?.response?.seq,
          }
        : undefined,
  },
];

/** Programs that pass requests on to a server. Servers themselves also answer 503, for example while they start. */
const PROXIES =
  /nginx|openresty|caddy|traefik|envoy|haproxy|varnish|cloud|akamai|awselb|google|gws|vercel|heroku|kong|apache|iis|squid/i;

const GATEWAY: ReadonlyMap<number, string> = new Map([
  [502, 'it got an invalid response from the server'],
  [503, 'the server is not running or not ready'],
  [504, 'the server did not answer in time'],
]);

/** Says how the server answered the GET of HTTP+SSE, which auto mode tried after a refused POST. */
function afterFallback({ fellBack, exchange }: AttemptFacts): string {
  const { refusal, get } = fellBack ?? {};
  if (!get?.response || refusal !== exchange) return '';
  const type = mediaTypeOf(get);
  const content = get.response.status === 200 && type !== '' ? ` and ${type}` : '';
  return ` It answered GET with HTTP ${get.response.status}${content}, so HTTP+SSE does not work here either.`;
}

function offerUrl(url: string, transport: 'auto' | 'http' | 'sse'): readonly Action[] {
  return [{ kind: 'use-url', url, transport }];
}

/** Returns `: ` and the quoted start of the server's message; '' for none and for a web page without an error in it. */
export function quotedAnswer(facts: AttemptFacts): string {
  const message = serverMessage(facts).trim();
  const words = message.startsWith('<') ? errorOnPage(message) : message;
  return words === '' ? '' : `: ${JSON.stringify(words.slice(0, 200))}`;
}

/** Characters of a page that are searched for an error. */
const SEARCHED = 4000;

/** Returns the first line of the first `<pre>`, where Express and others put an exception and its stack; or "". */
function errorOnPage(page: string): string {
  const [, line = ''] = /<pre[^>]*>([^\n<]*)/i.exec(page.slice(0, SEARCHED)) ?? [];
  return line.replace(/&(#39|quot|lt|gt|amp);/g, (_, name: string) => ENTITIES[name]!).trim();
}

const ENTITIES: Readonly<Record<string, string>> = { '#39': "'", quot: '"', lt: '<', gt: '>', amp: '&' };

function waitAdvice(after: string | undefined): string {
  if (after === undefined) return 'Wait a moment, then try again.';
  return /^\d+$/.test(after)
    ? `Wait ${after} ${after === '1' ? 'second' : 'seconds'}, as the server asks, then try again.`
    : `Wait until ${after}, as the server asks, then try again.`;
}

/** Returns the Host header of the request: the user's own, or that of its URL. */
function hostOf({ exchange, start }: AttemptFacts): string {
  const given = headerIn(exchange?.request.headers, 'host');
  const url = exchange?.request.url ?? start.url;
  return given ?? (URL.canParse(url) ? new URL(url).host : 'this host');
}

function challengeReason(facts: AttemptFacts): string {
  const [challenge] = readChallenges(facts.header('www-authenticate') ?? '');
  const why = challenge?.parameters.get('error_description') ?? challenge?.parameters.get('error');
  return why === undefined ? '' : `: ${JSON.stringify(why)}`;
}

function unauthorized(facts: AttemptFacts): DoctorFinding {
  const [challenge] = readChallenges(facts.header('www-authenticate') ?? '');
  const gave = headerIn(facts.exchange?.request.headers, 'authorization') !== undefined;
  const what = gave
    ? `The server rejected the credentials${challengeReason(facts)}.`
    : `The server requires sign-in${challenge ? ` with ${challenge.scheme.toLowerCase() === 'bearer' ? 'a bearer token' : challenge.scheme}` : ' but does not say how'}.`;
  const metadata = challenge?.parameters.get('resource_metadata');
  const scope = challenge?.parameters.get('scope');
  const scopeText = scope === undefined ? '' : ` with scope ${JSON.stringify(scope)}`;
  if (metadata !== undefined) {
    return {
      what,
      advice: gave
        ? `Use a token that it accepts, or remove the Authorization header to sign in with OAuth${scopeText} (see ${metadata}).`
        : `Sign in with OAuth${scopeText} (see ${metadata}), or add an Authorization header with a token.`,
    };
  }
  return {
    what,
    advice: gave
      ? `Get a new token${scopeText}, and check that it is for this server.`
      : `Add an Authorization header with a token${scopeText}.`,
  };
}
