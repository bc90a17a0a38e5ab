import { SOCKET_PROTOCOL } from '@/lib/wire/api';
import type { PublicUrl } from './addresses';

/**
 * The guard: whether a request may reach a route or become a WebSocket. Asked before anything else looks at the request.
 *
 * The danger: this proxy starts programs. Whoever may talk to it runs code as the user, and any web page in any tab may
 * send requests to 127.0.0.1. So may a page on another localhost port, a sandboxed frame, and a site whose name an
 * attacker points at 127.0.0.1 (DNS rebinding). Other inspectors and dev servers fell to each of these.
 *
 * The rules, in this order. Each stops something that none of the others does:
 * 1. target: origin form only. With `GET http://other/ HTTP/1.1` the Host header and the target could disagree.
 * 2. host-count: exactly one Host header. Node takes the first of two, something else might take the second.
 * 3. host: one of our names, with our port, or that of the public URL. The only defence against rebinding on a GET,
 *    which carries no Origin.
 * 4. origin: if there is one, exactly that of the Host, with scheme and port. Stops cross-site posts and pages on other
 *    ports.
 * 5. upgrade-origin: a WebSocket needs an Origin. Browsers always send one; CORS does not cover WebSockets.
 * 6. path: nothing unknown below /api, so that it can't fall through to the page.
 * 7. method: only what the route table says. OPTIONS is nobody's method: no preflight is ever answered.
 * 8. content-type: a body must be JSON, or where a file is taken, octets. Forms, beacons and no-cors fetches can't say that without a preflight.
 * 9. token: everything but the page, /launch and the callback of sign-ins. Cookies and queries are not read: cookies ride along between ports.
 * 10. subprotocol: a WebSocket must offer the protocol we answer with, or we would have to echo the token.
 *
 * There is no exemption list and no switch that turns this off. A public URL adds one Host and one Origin, and takes
 * nothing away: no header of a reverse proxy (`X-Forwarded-*`, `Forwarded`) is ever read. Below its path the rules see
 * the rest of the path; a reverse proxy that strips the path itself gets the same answers.
 */

/** What the guard knows of a route. Routes may hold more. */
export interface RouteShape {
  readonly method: 'GET' | 'POST';
  /** The exact path, without a query. */
  readonly path: string;
  /** True: only as a WebSocket upgrade. */
  readonly upgrade: boolean;
  readonly access: 'open' | 'token';
  /** The body is a file, and no JSON. */
  readonly takesFile?: true;
}

/** What was asked, as the parser saw it. */
export interface RequestFacts {
  readonly method: string;
  /** The request target, raw. */
  readonly target: string;
  /** Name, value, name, value … as sent: duplicates are visible here and nowhere else. */
  readonly rawHeaders: readonly string[];
  readonly upgrade: boolean;
}

/** What the guard decides by. */
export interface GuardPolicy<R extends RouteShape> {
  /** `name:port` of every name we answer to. */
  readonly authorities: ReadonlySet<string>;
  /** One more address, with an Origin and a path of its own. */
  readonly publicUrl?: PublicUrl | undefined;
  readonly routes: readonly R[];
  /** The route of every path that `routes` does not list. */
  readonly pages: R;
  /** Compares in constant time. Asked with `''` when no token was sent. */
  acceptsToken(presented: string): boolean;
  /** Absent: all. A replay has no page and no token; tests take rules away to prove that each one matters. */
  readonly rules?: readonly GuardRule[];
}

/** Why a request was refused. Stable codes; the answer itself tells none of this. */
export type GuardReason = Refusal['reason'];

/** The guard's answer: the route to take, or the status to give and nothing else. */
export type Decision<R extends RouteShape> =
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

/** One request against one policy, taken apart once for all rules. */
interface Question {
  readonly facts: RequestFacts;
  readonly policy: GuardPolicy<RouteShape>;
  readonly path: string;
  readonly route: RouteShape;
}

/** A named reason to refuse. */
export interface GuardRule {
  readonly name: string;
  /** What to answer, or undefined if this rule has nothing against it. */
  refuse(question: Question): Refusal | undefined;
}

/** One `/` first, then visible ASCII: no second slash, no fragment, no control characters. */
const ORIGIN_FORM = /^\/(?!\/)[!-"$-~]*$/;
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
/** As little as JSON can a form, a beacon or a no-cors fetch say this. */
const FILE_TYPE = /^application\/octet-stream$/i;
const BEARER = /^Bearer ([\w-]+)$/;
const BEARER_PROTOCOL = /^bearer\.([\w-]+)$/;

/** All rules, in the order they are asked. */
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
      // A Host that is not ours is for the rule before to refuse.
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

/** Decides. Pure and total: no request makes it throw. The first rule that objects gives the answer. */
export function guard<R extends RouteShape>(facts: RequestFacts, policy: GuardPolicy<R>): Decision<R> {
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

/** The Origins that our page has under this Host; none if it is not ours. */
function originsOf(host: string, { authorities, publicUrl }: GuardPolicy<RouteShape>): readonly string[] {
  return [
    ...(authorities.has(host) ? [`http://${host}`] : []),
    ...(publicUrl?.authority === host ? [publicUrl.origin] : []),
  ];
}

function baseOf(facts: RequestFacts, { publicUrl }: GuardPolicy<RouteShape>): string {
  return publicUrl && headerValues(facts, 'host')[0] === publicUrl.authority ? publicUrl.base : '';
}

/** All values of a header, in the order sent. `name` is lower case. */
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

/** The one token that was sent in the one place where this kind of request may have it, else `''`. */
function presentedToken(facts: RequestFacts): string {
  const [places, form] = facts.upgrade
    ? [offeredProtocols(facts).filter((protocol) => protocol !== SOCKET_PROTOCOL), BEARER_PROTOCOL]
    : [headerValues(facts, 'authorization'), BEARER];
  return (places.length === 1 && form.exec(places[0]!)?.[1]) || '';
}
