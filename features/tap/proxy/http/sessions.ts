import type { JsonObject } from '@/lib/json/value';
import { isObject, own, textOrJson } from '@/lib/json/value';
import { type Headers, headerOf } from '@/lib/transports/http-link';
import { META_KEY } from '@/lib/wire/protocol-names';

/** Sessions that are known. The one that was quiet the longest is forgotten first. */
export const MOST_SESSIONS = 1000;

/** Keys that lead to them. A session usually has two or three. */
const MOST_KEYS = 10 * MOST_SESSIONS;

/** The facts of a request by which its session is found. */
export interface SessionRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  /** The body, if it is one JSON object. */
  readonly message?: JsonObject | undefined;
}

/** A session as far as it has to be found again. */
export interface Found {
  /** Identifies it, in the recording too. */
  readonly name: string;
  /** True once client and server agreed on a version. */
  readonly isOpen: boolean;
  /** True if an `endpoint` event began it (HTTP+SSE). */
  readonly hasEndpoint: boolean;
}

/**
 * Finds the session that a request belongs to. A legacy session has an id, or an endpoint of its own (HTTP+SSE).
 * Without these, requests of one program belong together: by `User-Agent`, and in the modern era by the name and
 * version of the client, which every request has.
 */
export class TappedSessions<S extends Found> {
  readonly #create: (name?: string) => S;
  readonly #onForgotten: (session: S) => void;
  readonly #onBound: (session: S, key: string) => void;
  /** By every key that leads to it: an id, an endpoint, a program, a client. Oldest first. */
  readonly #keys = new Map<string, S>();
  /** By name. The one that was quiet the longest is first. */
  readonly #sessions = new Map<string, S>();

  /** `onBound` gets each new key of a session. */
  constructor(
    create: (name?: string) => S,
    onForgotten: (session: S) => void,
    onBound: (session: S, key: string) => void = () => {},
  ) {
    this.#create = create;
    this.#onForgotten = onForgotten;
    this.#onBound = onBound;
  }

  all(): Iterable<S> {
    return this.#sessions.values();
  }

  get(name: string): S | undefined {
    return this.#sessions.get(name);
  }

  /** Returns the session with a name, perhaps a new one. */
  named(name: string): S {
    return this.#sessions.get(name) ?? this.#use(this.#create(name));
  }

  /** Returns the session of a request, perhaps a new one. `given`: the name of the session that it is part of. */
  sessionOf(request: SessionRequest, given?: string): S {
    const id = headerOf(request.headers, 'mcp-session-id');
    const keys = [id === undefined ? `endpoint ${request.target}` : `id ${id}`];
    const program = `program ${headerOf(request.headers, 'user-agent') ?? ''}`;
    const client = clientOf(request.message);
    const latest = this.#keys.get(program);
    if (client !== undefined) keys.push(`${program} client ${client}`);
    let session =
      given === undefined ? keys.map((key) => this.#keys.get(key)).find((one) => one !== undefined) : this.named(given);
    // A session that is not open yet goes on: after a sign-in, or with another version.
    if (!session && id === undefined && latest && !begins(request, latest, client)) session = latest;
    session ??= this.#create();
    if (id !== undefined || client !== undefined) this.#bind(session, keys.at(client === undefined ? 0 : -1)!);
    this.#bind(session, program);
    return this.#use(session);
  }

  /** Returns the session of a request that has begun, as far as its headers tell. */
  find({ target, headers }: Pick<SessionRequest, 'target' | 'headers'>): S | undefined {
    const id = headerOf(headers, 'mcp-session-id');
    const own = this.#keys.get(id === undefined ? `endpoint ${target}` : `id ${id}`);
    return own ?? (id === undefined ? this.#keys.get(`program ${headerOf(headers, 'user-agent') ?? ''}`) : undefined);
  }

  #use(session: S): S {
    this.#sessions.delete(session.name);
    this.#sessions.set(session.name, session);
    if (this.#sessions.size > MOST_SESSIONS) this.forget(this.#sessions.values().next().value!);
    return session;
  }

  /** Makes a session the one of an id that its server has given. */
  bindId(session: S, id: string): void {
    this.#bind(session, `id ${id}`);
  }

  /** Makes a session the one of an endpoint (HTTP+SSE): path and query. */
  bindEndpoint(session: S, target: string): void {
    this.#bind(session, `endpoint ${target}`);
  }

  /** Makes a session the one of a key that another table has reported. */
  adopt(name: string, key: string): S {
    const session = this.named(name);
    this.#bind(session, key);
    return session;
  }

  /** Forgets a session that has ended. */
  forget(session: S): void {
    for (const [key, one] of this.#keys) if (one === session) this.#keys.delete(key);
    if (this.#sessions.delete(session.name)) this.#onForgotten(session);
  }

  #bind(session: S, key: string): void {
    if (this.#keys.get(key) === session) return;
    this.#onBound(session, key);
    this.#keys.set(key, session);
    if (this.#keys.size > MOST_KEYS) this.#keys.delete(this.#keys.keys().next().value!);
  }
}

/** True if a request begins a session of its own, although its program has one. */
function begins({ method, headers, message }: SessionRequest, latest: Found, client: string | undefined): boolean {
  if (!latest.isOpen && !latest.hasEndpoint) return false;
  if (message && own(message, 'method') === 'initialize') return !latest.hasEndpoint || latest.isOpen;
  if (client !== undefined) return true;
  const isStream = method === 'GET' && /text\/event-stream/i.test(headerOf(headers, 'accept') ?? '');
  return isStream && latest.hasEndpoint;
}

/** Characters of a name of a host. */
const HOST_CHARACTERS = 100;
/** Programs in `User-Agent` that say nothing about the host. */
const UNTELLING = /^(?:mozilla|node|undici|axios|python-httpx|go-http-client|curl)$/i;

/** Returns the name of the program that sends a request, as it names itself. */
export function requestingHost(message: JsonObject | undefined, headers: Headers): string | undefined {
  const params = message && own(message, 'params');
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const given = isObject(params) ? own(params, 'clientInfo') : undefined;
  const info = given ?? (isObject(meta) ? own(meta, META_KEY.clientInfo) : undefined);
  const named = isObject(info) ? own(info, 'name') : undefined;
  const agent = headerOf(headers, 'user-agent')?.split(/[/\s]/, 1)[0] ?? '';
  const host = typeof named === 'string' ? named : UNTELLING.test(agent) ? '' : agent;
  return host.replace(/\p{C}/gu, '').trim().slice(0, HOST_CHARACTERS) || undefined;
}

/** Returns the client of a modern request: name and version. */
function clientOf(message: JsonObject | undefined): string | undefined {
  const params = message && own(message, 'params');
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  if (!isObject(meta) || typeof own(meta, META_KEY.protocolVersion) !== 'string') return undefined;
  const info = own(meta, META_KEY.clientInfo);
  if (!isObject(info)) return 'unnamed';
  return JSON.stringify([textOrJson(own(info, 'name')).slice(0, 200), textOrJson(own(info, 'version')).slice(0, 200)]);
}
