import type { AttemptFacts } from '../attempt-facts';
import { isRedirectStatus, originOf } from '../exchange-facts';
import type { Action, DoctorFinding, Remedy } from '../finding';

/** Paths and hosts of pages where people sign in. */
const SIGN_IN_PAGE =
  /(?:^|[/._-])(?:log[-_]?(?:in|on)|sign[-_]?(?:in|on)|auth(?:n|enticat\w*|ori[sz]e)?|sso|saml\d?|oidc|oauth2?|cas|accounts?|identity|idp|session(?=\/new))(?:[/._-]|$)/i;

const SIGN_IN_ADVICE = 'Add the token or cookie that it asks for as a header, or use a URL without that sign-in.';

const AND = new Intl.ListFormat('en', { type: 'conjunction' });

/** Redirects that were not followed, and those that led to a refusal of another server. */
export const REDIRECTS: readonly Remedy[] = [
  { code: 'redirected', step: 'http', find: notFollowed },
  { code: 'redirected-elsewhere', step: 'http', find: elsewhere },
];

/** Returns the names of headers that the first request of the exchange had, and the last one had not. */
export function droppedHeaders({ exchange }: Pick<AttemptFacts, 'exchange'>): readonly string[] {
  if (!exchange) return [];
  const namesOf = (headers: readonly (readonly [string, string])[]) => headers.map(([name]) => name.toLowerCase());
  const kept = new Set(namesOf(exchange.request.headers));
  return exchange.hops[0]!.request.headers.map(([name]) => name).filter((name) => !kept.has(name.toLowerCase()));
}

/** Recognises a refusal by another origin, which got none of the user's headers. */
function elsewhere(facts: AttemptFacts): DoctorFinding | undefined {
  const { exchange, status, start } = facts;
  const [first] = exchange?.hops ?? [];
  if (!exchange || !first || status === undefined || status < 400) return undefined;
  const { url } = exchange.request;
  const by = first.response;
  const leads = by !== undefined && isRedirectStatus(by.status) && originOf(first.request.url) !== originOf(url);
  if (!leads) return undefined;
  const dropped = droppedHeaders(facts);
  const list = AND.format(dropped);
  const unsent =
    dropped.length === 0 ? '' : ` mcp-inspect did not send ${list} there, because it belongs to the first origin.`;
  return {
    what: `${first.request.url} redirects (HTTP ${by.status}) to another origin: ${url}. That answered HTTP ${status}.${unsent}`,
    advice: `If you trust ${originOf(url)}, use ${url} as the URL${dropped.length === 0 ? '' : ', with the same headers'}.`,
    seq: exchange.response?.seq,
    actions: [{ kind: 'use-url', url, transport: start.transport }],
  };
}

/** Returns true if two URLs differ only in a slash at the end of the path, or in the query. */
function isSamePlace(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin && a.pathname.replace(/\/$/, '') === b.pathname.replace(/\/$/, '');
}

/** True if a redirect that was followed led to another place, where the failure was. */
export function isRedirected({ exchange }: Pick<AttemptFacts, 'exchange'>): boolean {
  const [first] = exchange?.hops ?? [];
  if (!exchange || !first?.response || first.request === exchange.request) return false;
  return isRedirectStatus(first.response.status) && !isSamePlace(first.request.url, exchange.request.url);
}

/**
 * Puts before a finding about the last URL that a redirect led there. `isPlaceWrong`: no MCP server was found there, so
 * the redirect is the cause.
 */
export function addRedirect({ exchange }: AttemptFacts, finding: DoctorFinding, isPlaceWrong: boolean): DoctorFinding {
  const { request, response } = exchange!.hops[0]!;
  const to = exchange!.request.url;
  const what = `${pathIn(request.url)} redirects (HTTP ${response!.status}) to ${to.slice(0, 300)}. ${finding.what}`;
  if (!isPlaceWrong) return { ...finding, what };
  const { hostname, pathname } = URL.canParse(to) ? new URL(to) : { hostname: '', pathname: '' };
  const advice = SIGN_IN_PAGE.test(`${hostname}${pathname}`)
    ? SIGN_IN_ADVICE
    : 'Correct that redirect on the server, or use the URL of the MCP server.';
  return { ...finding, what, advice, actions: [] };
}

function pathIn(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Recognises a redirect that was not followed. */
function notFollowed(facts: AttemptFacts): DoctorFinding | undefined {
  const { status, exchange, failure } = facts;
  if (failure.code === 'redirect-loop') return endless(facts);
  const location = facts.header('location');
  if (failure.code !== 'redirect-refused') return undefined;
  const seq = exchange?.response?.seq;
  const from = exchange && URL.canParse(exchange.request.url) ? new URL(exchange.request.url) : undefined;
  const to = location !== undefined && from && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (!to || !from) return { what: failure.message, advice: failure.advice, seq };
  const web = (to.protocol === 'http:' || to.protocol === 'https:') && !to.username && !to.password;
  const safe = web && !(from.protocol === 'https:' && to.protocol === 'http:');
  const actions: readonly Action[] =
    safe && !to.href.includes('%E2%80%A2') ? [{ kind: 'use-url', url: to.href, transport: facts.start.transport }] : [];
  const shown = to.href.slice(0, 300);
  const how =
    facts.opened && facts.method !== undefined
      ? `After the handshake, ${facts.method} was redirected (HTTP ${status}) from ${from.pathname} to ${shown}`
      : `${from.pathname} redirects (HTTP ${status}) to ${shown}`;
  const give = { seq, actions };
  if (to.pathname !== from.pathname && SIGN_IN_PAGE.test(`${to.hostname}${to.pathname}`)) {
    return {
      what: `${how}, which looks like a sign-in page for browsers.`,
      advice: SIGN_IN_ADVICE,
      seq,
    };
  }
  if (to.host === from.host && to.protocol !== from.protocol && to.protocol === 'https:') {
    return {
      ...give,
      what: `${how}: it requires HTTPS.`,
      advice: 'Write https in the URL. Following this redirect would lose the message.',
    };
  }
  if (to.origin === from.origin && to.pathname.replace(/\/$/, '') === from.pathname.replace(/\/$/, '')) {
    return {
      ...give,
      what: `${how}: only the trailing slash differs.`,
      advice: `Use ${to.href} as the URL. mcp-inspect did not follow the redirect, because ${status} turns a POST into a GET.`,
    };
  }
  const why = /was not followed: (.+)\.$/.exec(failure.message)?.[1];
  const unfollowed = `mcp-inspect did not follow it${why ? `: ${why}` : ''}.`;
  if (!safe || to.origin === from.origin) return { ...give, what: `${how}. ${unfollowed}`, advice: failure.advice };
  const headers = facts.start.headerNames.length === 0 ? '' : ', with the same headers';
  return {
    ...give,
    what: `${from.pathname} redirects (HTTP ${status}) to another origin: ${shown}. ${unfollowed}`,
    advice: `If you trust ${to.origin}, use ${shown} as the URL${headers}.`,
  };
}

/** Names the URLs that redirect in a circle, or the last URL of too many redirects. */
function endless({ exchange, failure }: AttemptFacts): DoctorFinding {
  const seq = exchange?.response?.seq;
  const redirects = (exchange?.hops ?? []).filter(({ response }) => response && isRedirectStatus(response.status));
  const urls = redirects.map(({ request }) => request.url);
  const last = urls.pop();
  if (last === undefined) return { what: failure.message, advice: failure.advice, seq };
  const before = urls.lastIndexOf(last);
  const circle = new Set(before < 0 ? [] : urls.slice(before));
  // Two URLs look the same if they differ only in a masked secret.
  if (circle.size === 0 || [...circle].some((url) => /•|%E2%80%A2/i.test(url))) {
    const what = `The server redirects more than ${urls.length} times. The last URL was ${last.slice(0, 300)}.`;
    return { what, advice: failure.advice, seq };
  }
  const isOneOrigin = [...circle].every((url) => originOf(url) === originOf(last));
  const names = [...new Set(urls)]
    .filter((url) => circle.has(url))
    .map((url) => (isOneOrigin ? url.slice(originOf(url).length) : url).slice(0, 300));
  const [only] = names;
  const how =
    names.length === 1
      ? `${only} redirects to itself`
      : `${AND.format(names)} redirect ${names.length === 2 ? 'to each other' : 'in a circle'}`;
  const advice = 'Fix the redirects on the server, or on a proxy in front of it.';
  return { what: `${how} (HTTP ${exchange?.response?.status}).`, advice, seq };
}
