import { SOCKET_PROTOCOL, TOKEN_HEADER } from '@/lib/wire/api';
import type { PublicUrl } from './addresses';

/**
 * The guard decides whether a request may reach a route or become a WebSocket, before anything else reads the request.
 *
 * The danger: this proxy starts programs, so anybody who may talk to it runs code as the user. Any web page in any tab
 * can send requests to 127.0.0.1. So can a page on another localhost port, a sandboxed frame, and a site whose name an
 * attacker points at 127.0.0.1 (DNS rebinding). Each of these attacks has worked against other inspectors and dev
 * servers.
 *
 * The rules, in order. Each stops an attack that no other rule stops:
 * 1. target: origin form only. With `GET http://other/ HTTP/1.1` the Host header and the target could disagree.
 * 2. host-count: exactly one Host header. Node uses the first of two, other software might use the second.
 * 3. host: one of our names with our port, or that of the public URL. The only defence against rebinding on a GET,
 *    which has no Origin.
 * 4. origin: if present, exactly that of the Host, with scheme and port. Stops cross-site posts and pages on other
 *    ports.
 * 5. upgrade-origin: a WebSocket needs an Origin. Browsers always send one; CORS does not cover WebSockets.
 * 6. path: no unknown path below /api, so that it can't fall through to the page.
 * 7. method: only those of the route table. OPTIONS is not among them, so no preflight succeeds.
 * 8. content-type: a body must be JSON or, for files, octets. Forms, beacons and no-cors fetches can't send these types
 *    without a preflight.
 * 9. token: for everything but the page, /launch and the callback of sign-ins. Never read from cookies, which browsers
 *    share between ports, from queries, or from Authorization, which may belong to a reverse proxy that asks who it is.
 * 10. subprotocol: a WebSocket must offer the protocol that we answer with, or we would have to echo the token.
 *
 * There is no exemption list and no switch to turn this off. A public URL only adds one Host and one Origin. Headers of
 * a reverse proxy (`X-Forwarded-*`, `Forwarded`) are never read. The rules see the path below that of the public URL,
 * whether or not the reverse proxy strips it.
 */

/** A route, as far as the guard needs it. */
export interface RouteShape {
  readonly method: 'GET' | 'POST';
  /** The exact path, without a query. */
  readonly path: string;
  /** True: only as a WebSocket upgrade. */
  readonly upgrade: boolean;
  readonly access: 'open' | 'token';
  /** The body is a file instead of JSON. */
  readonly takesFile?: true;
}

/** A request, as Node's parser saw it. */
export interface RequestFacts {
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  /** Name, value, name, value … as sent. Only here are duplicates visible. */
  readonly rawHeaders: readonly string[];
  readonly upgrade: boolean;
}

export interface GuardPolicy<R extends RouteShape> {
  /** `name:port` of all our names. */
  readonly authorities: ReadonlySet<string>;
  /** One more address, with an Origin and a path of its own. */
  readonly publicUrl?: PublicUrl | undefined;
  readonly routes: readonly R[];
  /** The route of all paths that `routes` does not list. */
  readonly pages: R;
  /** Compares in constant time. Called with `''` when no token was sent. */
  acceptsToken(presented: string): boolean;
  /** Absent: all. A replay has no page and no token. Tests remove rules to prove that each one matters. */
  readonly rules?: readonly GuardRule[];
}

/** Why a request was refused. Stable codes; the response does not contain them. */
export type GuardReason = Refusal['reason'];

/** The guard's decision: a route, or a refusal with a status. */
export type GuardDecision<R extends RouteShape> =
  | {
      readonly allow: true;
      readonly route: R;
      /** Below `base`. */
      readonly path: string;
      /** The path of the public URL if Host is its, else `''`: where the browser sees our root. */
      readonly base: string;
    }
  | ({ readonly allow: false } & Refusal);

type Refusal =
  | { readonly status: 400; readonly reason: 'target-form' | 'host-count' | 'subprotocol' }
  | { readonly status: 401; readonly reason: 'token' }
  | { readonly status: 403; readonly reason: 'host-foreign' | 'origin-foreign' | 'origin-missing' | 'preflight' }
  | { readonly status: 404; readonly reason: 'path-unknown' }
  | { readonly status: 405; readonly reason: 'method' }
  | { readonly status: 415; readonly reason: 'content-type' };

/** A request and the policy to check it against. */
interface Question {
  readonly facts: RequestFacts;
  readonly policy: GuardPolicy<RouteShape>;
  readonly path: string;
  readonly route: RouteShape;
}

export interface GuardRule {
  readonly name: string;
  /** Returns a refusal, or undefined if the rule does not object. */
  refuse(question: Question): Refusal | undefined;
}

/** One `/`, then visible ASCII: no second slash, no fragment, no control characters. */
const ORIGIN_FORM = /^\/(?!\/)[!-"$-~]*$/;
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
/** Like JSON, a type that forms, beacons and no-cors fetches can't send. */
const FILE_TYPE = /^application\/octet-stream$/i;
const TOKEN = /^([\w-]+)$/;
const BEARER_PROTOCOL = /^bearer\.([\w-]+)$/;

/** All rules, in the order in which they are checked. */
export const GUARD_RULES: readonly GuardRule[] = [
  {
    name: 'target',
    refuse: ({ facts }) => (ORIGIN_FORM.test(facts.target) ? undefined : { status: 400, reason: 'target-form' }),
  },
  {
    name: 'host-count',
    refuse: ({ facts }) => {
      const hosts = headerValues(facts, 'host');
      return hosts.length === 1 && hosts[0] !== '' ? undefined : { status: 400, reason: 'host-count' };
    },
  },
  {
    name: 'host',
    refuse: ({ facts, policy }) =>
      headerValues(facts, 'host').every((host) => originsOf(host, policy).length > 0)
        ? undefined
        : { status: 403, reason: 'host-foreign' },
  },
  {
    name: 'origin',
    refuse: ({ facts, policy }) => {
      const origins = headerValues(facts, 'origin');
      const host = headerValues(facts, 'host')[0] ?? '';
      const known = originsOf(host, policy);
      // A foreign Host is refused by the rule before.
      const ours = known.length > 0 ? known : [`http://${host}`];
      return origins.length <= 1 && origins.every((origin) => ours.includes(origin))
        ? undefined
        : { status: 403, reason: 'origin-foreign' };
    },
  },
  {
    name: 'upgrade-origin',
    refuse: ({ facts }) =>
      facts.upgrade && headerValues(facts, 'origin').length === 0
        ? { status: 403, reason: 'origin-missing' }
        : undefined,
  },
  {
    name: 'path',
    refuse: ({ path, policy, route }) =>
      route === policy.pages && /^\/api(?:\/|$)/.test(path) ? { status: 404, reason: 'path-unknown' } : undefined,
  },
  {
    name: 'method',
    refuse: ({ facts, route }) => {
      if (fits(facts, route)) return undefined;
      return facts.method === 'OPTIONS' ? { status: 403, reason: 'preflight' } : { status: 405, reason: 'method' };
    },
  },
  {
    name: 'content-type',
    refuse: ({ facts, route }) => {
      const types = headerValues(facts, 'content-type');
      const wanted = route.takesFile ? FILE_TYPE : JSON_TYPE;
      return facts.method !== 'POST' || (types.length === 1 && wanted.test(types[0]!))
        ? undefined
        : { status: 415, reason: 'content-type' };
    },
  },
  {
    name: 'token',
    refuse: ({ facts, policy, route }) =>
      route.access === 'open' || policy.acceptsToken(presentedToken(facts))
        ? undefined
        : { status: 401, reason: 'token' },
  },
  {
    name: 'subprotocol',
    refuse: ({ facts }) =>
      facts.upgrade && !offeredProtocols(facts).includes(SOCKET_PROTOCOL)
        ? { status: 400, reason: 'subprotocol' }
        : undefined,
  },
];

/** Decides about a request by the first rule that objects. Pure; never throws. */
export function guard<R extends RouteShape>(facts: RequestFacts, policy: GuardPolicy<R>): GuardDecision<R> {
  const asked = facts.target.split('?', 1)[0] ?? '';
  const base = baseOf(facts, policy);
  const path = base !== '' && `${asked}/`.startsWith(`${base}/`) ? asked.slice(base.length) || '/' : asked;
  const listed = policy.routes.filter((route) => route.path === path);
  const route = listed.find((candidate) => fits(facts, candidate)) ?? listed[0] ?? policy.pages;
  for (const rule of policy.rules ?? GUARD_RULES) {
    const refusal = rule.refuse({ facts, policy, path, route });
    if (refusal) return { allow: false, ...refusal };
  }
  return { allow: true, route, path, base };
}

/** Returns the Origins that our page has under a Host. None if the Host is foreign. */
function originsOf(host: string, { authorities, publicUrl }: GuardPolicy<RouteShape>): readonly string[] {
  return [
    ...(authorities.has(host) ? [`http://${host}`] : []),
    ...(publicUrl?.authority === host ? [publicUrl.origin] : []),
  ];
}

function baseOf(facts: RequestFacts, { publicUrl }: GuardPolicy<RouteShape>): string {
  return publicUrl && headerValues(facts, 'host')[0] === publicUrl.authority ? publicUrl.base : '';
}

/** Returns all values of a header, in the order sent. `name` is lower case. */
export function headerValues(facts: RequestFacts, name: string): readonly string[] {
  return facts.rawHeaders.filter((_, i) => i % 2 === 1 && facts.rawHeaders[i - 1]!.toLowerCase() === name);
}

function fits(facts: RequestFacts, route: RouteShape): boolean {
  const method = facts.method === 'HEAD' && !facts.upgrade ? 'GET' : facts.method;
  return route.method === method && route.upgrade === facts.upgrade;
}

function offeredProtocols(facts: RequestFacts): readonly string[] {
  return headerValues(facts, 'sec-websocket-protocol').flatMap((value) => value.split(',').map((part) => part.trim()));
}

/** Returns the token, if there is exactly one in the place where this kind of request may have it, else `''`. */
function presentedToken(facts: RequestFacts): string {
  const [places, form] = facts.upgrade
    ? [offeredProtocols(facts).filter((protocol) => protocol !== SOCKET_PROTOCOL), BEARER_PROTOCOL]
    : [headerValues(facts, TOKEN_HEADER), TOKEN];
  return (places.length === 1 && form.exec(places[0]!)?.[1]) || '';
}
