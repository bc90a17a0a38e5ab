import { readChallenges } from '@/lib/transports/challenge';
import type { AttemptFacts } from '../attempt-facts';
import type { Action, Finding, Remedy } from '../finding';

const PATH = 'Check the path: most servers are at /mcp, older ones at /sse.';
const LOG = 'Look at its answer in the message log, and at the server’s own log.';

/** Returns the body, or the message of the JSON-RPC error in it. */
function said({ error, text }: AttemptFacts): string {
  return error?.error.message ?? text;
}

/** Makes a remedy for one or more statuses. */
function on(
  status: number | readonly number[],
  row: Omit<Remedy, 'find' | 'step'> & { readonly step?: Remedy['step'] },
  find: (facts: AttemptFacts) => Finding | undefined,
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

/** Statuses of the server, or of a proxy in front of it. */
export const STATUSES: readonly Remedy[] = [
  { code: 'redirected', step: 'http', find: redirected },
  {
    code: 'session-invalid',
    step: 'http',
    find: (facts) => {
      const asked = facts.exchange?.request.headers.some(([name]) => name.toLowerCase() === 'mcp-session-id');
      const lost = facts.failure.code === 'session-lost';
      if (!lost && !(asked && (facts.status === 404 || facts.status === 400) && /session/i.test(said(facts))))
        return undefined;
      return {
        what: 'The server does not know the session that it gave us.',
        advice:
          'See whether it restarted, or whether several instances behind one address do not share their sessions, then connect again.',
        seq: facts.exchange?.response?.seq,
      };
    },
  },
  on(401, { code: 'unauthorized', step: 'authorization' }, unauthorized),
  on([403, 421, 400], { code: 'host-refused', step: 'authorization' }, (facts) =>
    /(invalid|disallowed|forbidden|not allowed|bad|blocked)[^.]{0,30}\b(host|origin)\b|\b(host|origin)\b[^.]{0,30}(not allowed|invalid|forbidden|blocked)/i.test(
      said(facts),
    ) || facts.status === 421
      ? {
          what: `The server lets in only certain Host or Origin headers, as a protection against DNS rebinding, and ${facts.url?.host ?? 'this one'} is none of them.`,
          advice:
            'Use the name that it expects, often localhost, or add this one to its allowed hosts (allowedHosts, allowed_hosts).',
        }
      : undefined,
  ),
  on(403, { code: 'forbidden', step: 'authorization' }, (facts) => ({
    what: `The server knows who asks, or does not care, and does not allow it${challengeWords(facts)}.`,
    advice: 'Check the token’s scopes and account, and firewalls that look at the address or the user agent.',
  })),
  on(404, { code: 'not-found', elsewhere: true }, (facts) => ({
    what: `There is nothing at ${facts.url?.pathname ?? 'this path'}${facts.type === 'text/html' ? ': the server answers with a web page that says 404' : ', says the server'}.`,
    advice: PATH,
  })),
  on(405, { code: 'method-refused', elsewhere: true }, (facts) => {
    const allowed = facts.header('allow');
    const stream = allowed !== undefined && /\bGET\b/i.test(allowed) && !/\bPOST\b/i.test(allowed);
    return {
      what: `The address takes no ${facts.exchange?.request.method ?? 'such'} requests${allowed === undefined ? '' : `; it allows ${allowed}`}.`,
      advice: stream ? 'It may be a server of HTTP+SSE: connect with that transport.' : PATH,
      actions: stream && facts.url && facts.start.transport === 'http' ? use(facts.url.href, 'sse') : [],
    };
  }),
  on(406, { code: 'not-acceptable', elsewhere: true }, (facts) => ({
    what: 'The server can answer neither in JSON nor as an event stream, which is what an MCP client accepts.',
    advice:
      facts.exchange?.request.method === 'GET'
        ? 'It may want Streamable HTTP, which begins with a POST: connect with transport auto or http.'
        : 'Check that this address is the MCP server and not another API, and that no proxy changes the Accept header.',
  })),
  on(415, { code: 'media-type-refused', elsewhere: true }, () => ({
    what: 'The address takes no JSON.',
    advice: 'Check that it is the MCP server; a proxy on the way may drop the Content-Type header.',
  })),
  on(429, { code: 'too-many-requests' }, (facts) => {
    const after = facts.header('retry-after');
    return {
      what: 'The server has had too many requests from here.',
      advice: `${waitWords(after)} If that does not help, look for its rate limits.`,
    };
  }),
  on([502, 503, 504], { code: 'gateway' }, (facts) => {
    const { status } = facts;
    const who = facts.header('server') ?? facts.header('via');
    return {
      what: `A proxy in front of the server${who ? ` (${who})` : ''} answered ${status}: ${GATEWAY.get(status!)}.`,
      advice:
        'Check that the server behind it runs, and which host and port the proxy sends to; its own log says more.',
    };
  }),
  on([520, 521, 522, 523, 524, 525, 526], { code: 'gateway' }, ({ status }) => ({
    what: `Cloudflare answered ${status}: it could not talk to the server behind it.`,
    advice: 'Check that the server runs, lets Cloudflare in, and has a certificate that Cloudflare accepts.',
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
            what: `The server refused the request with HTTP ${facts.status}${quoted(facts)}.`,
            advice: facts.type === 'text/html' ? PATH : LOG,
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
            what: `The server failed itself, with HTTP ${facts.status}${quoted(facts)}.`,
            advice: 'Its own log says why; if requests pass a proxy, so does the proxy’s.',
            seq: facts.exchange?.response?.seq,
          }
        : undefined,
  },
];

const GATEWAY: ReadonlyMap<number, string> = new Map([
  [502, 'it got no proper answer from the server behind it'],
  [503, 'the server behind it is not ready, or there is none'],
  [504, 'the server behind it did not answer in time'],
]);

function use(url: string, transport: 'auto' | 'http' | 'sse'): readonly Action[] {
  return [{ kind: 'use-url', url, transport }];
}

/** Returns the text of a short response that is not a web page. */
function quoted(facts: AttemptFacts): string {
  const words = said(facts).trim();
  return words === '' || words.startsWith('<') ? '' : `: ${JSON.stringify(words.slice(0, 200))}`;
}

function waitWords(after: string | undefined): string {
  if (after === undefined) return 'Wait a little, then try again.';
  return /^\d+$/.test(after)
    ? `Wait ${after} seconds, as it asks, then try again.`
    : `Wait until ${after}, as it asks, then try again.`;
}

function challengeWords(facts: AttemptFacts): string {
  const [challenge] = readChallenges(facts.header('www-authenticate') ?? '');
  const why = challenge?.parameters.get('error_description') ?? challenge?.parameters.get('error');
  return why === undefined ? '' : `: ${JSON.stringify(why)}`;
}

function unauthorized(facts: AttemptFacts): Finding {
  const [challenge] = readChallenges(facts.header('www-authenticate') ?? '');
  const gave = facts.start.headerNames.some((name) => name.toLowerCase() === 'authorization');
  const what = gave
    ? `The server does not accept the credentials that were sent${challengeWords(facts)}.`
    : `The server wants to know who asks${challenge ? `, by ${challenge.scheme.toLowerCase() === 'bearer' ? 'a bearer token' : challenge.scheme}` : ', and does not say how'}.`;
  const metadata = challenge?.parameters.get('resource_metadata');
  const scope = challenge?.parameters.get('scope');
  const wants = scope === undefined ? '' : ` with scope ${JSON.stringify(scope)}`;
  if (metadata !== undefined) {
    return {
      what,
      advice: gave
        ? `Give a token that it accepts, or take the Authorization header away to sign in with OAuth${wants}, which it describes at ${metadata}.`
        : `Sign in with OAuth${wants}, which it describes at ${metadata}, or give a token in an Authorization header.`,
    };
  }
  return {
    what,
    advice: gave
      ? `Get a new token${wants}, and check that it is for this server.`
      : `Give an Authorization header with a token${wants}.`,
  };
}

/** Recognises a redirect that was not followed. */
function redirected(facts: AttemptFacts): Finding | undefined {
  const { status, url, exchange, failure } = facts;
  const location = facts.header('location');
  if (failure.code !== 'redirect-refused' && failure.code !== 'redirect-loop') return undefined;
  const seq = exchange?.response?.seq ?? exchange?.redirects.at(-1)?.seq;
  const to =
    location !== undefined && url && URL.canParse(location, exchange?.request.url)
      ? new URL(location, exchange?.request.url)
      : undefined;
  if (failure.code === 'redirect-loop' || !to || !url) return { what: failure.message, advice: failure.advice, seq };
  const web = (to.protocol === 'http:' || to.protocol === 'https:') && !to.username && !to.password;
  const safe = web && !(url.protocol === 'https:' && to.protocol === 'http:');
  const actions = safe && !to.href.includes('%E2%80%A2') ? use(to.href, facts.start.transport) : [];
  const how = `The server answers HTTP ${status} and sends on to ${to.href.slice(0, 300)}`;
  const give = { seq, actions };
  if (
    /\b(log-?in|sign-?in|auth|sso|oauth2?|account)\b/i.test(`${to.hostname} ${to.pathname}`) &&
    to.pathname !== url.pathname
  ) {
    return {
      what: `${how}, which looks like a login page: something in front of the server wants a browser to sign in.`,
      advice: 'Give the token or cookie that it asks for as a header, or use an address without that login.',
      seq,
    };
  }
  if (to.host === url.host && to.protocol !== url.protocol && to.protocol === 'https:') {
    return {
      ...give,
      what: `${how}: it wants https.`,
      advice: 'Write https in the URL: a redirect like this would lose the message.',
    };
  }
  if (to.origin === url.origin && to.pathname.replace(/\/$/, '') === url.pathname.replace(/\/$/, '')) {
    return {
      ...give,
      what: `${how}: only the slash at the end differs.`,
      advice: 'Give the URL with the slash as the server has it: a redirect like this would lose the message.',
    };
  }
  return { ...give, what: `${how}, which was not followed.`, advice: failure.advice };
}
