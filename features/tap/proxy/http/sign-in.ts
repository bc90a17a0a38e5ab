import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import { collect } from '@/lib/transports/http-exchange';
import type { Headers, HttpLink, HttpResponse } from '@/lib/transports/http-link';
import { ConnectionError } from '@/lib/transports/transport';
import { isLoopbackName } from '@/lib/wire/url';
import { bareReply, jsonReply, sendReply } from '@/proxy/http/reply';
import type { RecordedExchange } from './exchange-feed';
import { endToEnd, moved, type Origins } from './rewrites';

/** Bytes of metadata, of a token request and of its response. */
const BODY_BYTES = 256 * 1024;
/** Milliseconds to wait for metadata, and for a token. */
const METADATA_MS = 5000;
const TOKEN_MS = 30_000;
/** Authorization servers that a server may name, and those that are remembered. */
const MOST_NAMED = 5;
const MOST_SERVERS = 20;
/** Path below which the tap stands in for authorization servers. */
const PREFIX = '/.mcp-inspect/as/';
const WELL_KNOWN = /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?=\/)/;
const APPENDED = /\/\.well-known\/openid-configuration$/;
/** Client authentication that names the authorization server in a signature. */
const SIGNED = /_jwt$/;

/** An authorization server that the tap stands in for. */
interface StoodIn {
  /** Its metadata, as the host gets it. */
  readonly shown: JsonObject;
  readonly authorize: string;
  readonly token: string;
}

export interface SignInOptions {
  readonly link: Pick<HttpLink, 'send'>;
  readonly origins: Origins;
  /** Begins the recording of an exchange with another URL. */
  record(method: 'GET' | 'POST', url: string, headers: Headers): RecordedExchange | undefined;
}

/**
 * Makes sign-in work although the host knows the server by another URL. The host asks for tokens for the tap (RFC
 * 8707), which a strict authorization server does not issue, and a strict server does not accept. So the tap stands in
 * for the authorization server: it puts the server's own URL in the place of its own, in authorization and token
 * requests. It does not for one that names itself in its responses (RFC 9207), since the host would compare the name.
 */
export class SignIns {
  readonly #options: SignInOptions;
  readonly #servers = new Map<string, StoodIn>();
  /** The resource as the server names itself, by the name that the host gets. */
  readonly #resources = new Map<string, string>();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** True for the paths at which the tap answers itself. */
  handles(path: string): boolean {
    return path.replace(WELL_KNOWN, '').startsWith(PREFIX);
  }

  /** Returns resource metadata (RFC 9728) as the host gets it; undefined if nothing changes. Never rejects. */
  async rewriteResource(text: string): Promise<string | undefined> {
    const { server, tap } = this.#options.origins;
    const metadata = objectIn(text);
    const resource = metadata && own(metadata, 'resource');
    if (metadata === undefined || typeof resource !== 'string') return undefined;
    const there = moved(resource, server, tap);
    // The host compares it with the URL that it uses, and refuses another one.
    if (there === resource) return undefined;
    if (this.#resources.size < MOST_SERVERS) this.#resources.set(there, resource);
    const named = own(metadata, 'authorization_servers');
    const servers = Array.isArray(named)
      ? await Promise.all(named.map((one, at) => (at < MOST_NAMED ? this.#standIn(one) : one)))
      : undefined;
    return JSON.stringify({ ...metadata, resource: there, ...(servers && { authorization_servers: servers }) });
  }

  /** Returns the issuer for the host: one at the tap, or the real one. Never rejects. */
  async #standIn(issuer: unknown): Promise<unknown> {
    if (typeof issuer !== 'string' || !URL.canParse(issuer)) return issuer;
    const metadata = await this.#metadataOf(issuer);
    const id = createHash('sha256').update(issuer).digest('hex').slice(0, 16);
    const own = `${this.#options.origins.tap}${PREFIX}${id}`;
    const server = metadata && this.#shown(metadata, issuer, own);
    if (!server || (this.#servers.size >= MOST_SERVERS && !this.#servers.has(id))) return issuer;
    this.#servers.set(id, server);
    return own;
  }

  /** Returns metadata in which the tap stands in; undefined if that can't work. */
  #shown(metadata: JsonObject, issuer: string, standIn: string): StoodIn | undefined {
    const [authorize, token] = [own(metadata, 'authorization_endpoint'), own(metadata, 'token_endpoint')];
    if (typeof token !== 'string' || !this.#isSafe(token)) return undefined;
    if (typeof authorize !== 'string' || !this.#isSafe(authorize)) return undefined;
    // The host would compare these with the metadata, and refuse.
    if (own(metadata, 'issuer') !== issuer) return undefined;
    if (own(metadata, 'authorization_response_iss_parameter_supported') === true) return undefined;
    if (own(metadata, 'pushed_authorization_request_endpoint') !== undefined) return undefined;
    const methods = own(metadata, 'token_endpoint_auth_methods_supported');
    const plain = Array.isArray(methods) ? methods.filter((one) => !SIGNED.test(textOrJson(one))) : undefined;
    if (plain?.length === 0) return undefined;
    const shown = {
      ...metadata,
      issuer: standIn,
      authorization_endpoint: `${standIn}/authorize`,
      token_endpoint: `${standIn}/token`,
      ...(plain && { token_endpoint_auth_methods_supported: plain }),
    };
    return { shown, authorize, token };
  }

  /** True for https, and for http on this machine or at the server's own origin. */
  #isSafe(text: string): boolean {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.username !== '' || url.password !== '') return false;
    const isNear = isLoopbackName(url.hostname) || url.origin === this.#options.origins.server;
    return url.protocol === 'https:' || (url.protocol === 'http:' && isNear);
  }

  /** Reads the metadata of an authorization server, from the places that RFC 8414 and OpenID Connect name. */
  async #metadataOf(issuer: string): Promise<JsonObject | undefined> {
    if (!this.#isSafe(issuer)) return undefined;
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, '');
    const places = [
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
    ];
    for (const url of places) {
      try {
        const { answer, body } = await this.#exchange('GET', url, [['Accept', 'application/json']], METADATA_MS);
        const found = answer.status === 200 ? objectIn(body.toString()) : undefined;
        if (found) return found;
      } catch {
        // The host will find out itself.
        return undefined;
      }
    }
    return undefined;
  }

  /** Answers a request for which the tap stands in for an authorization server. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    const rest = path.replace(WELL_KNOWN, '').replace(APPENDED, '').slice(PREFIX.length);
    const [id = '', what = ''] = rest.split('/', 2);
    const server = this.#servers.get(id);
    const isMetadata = WELL_KNOWN.test(path) || APPENDED.test(path);
    if (request.method === 'GET' && server && isMetadata && what === '') {
      sendReply(response, jsonReply(200, server.shown));
    } else if (request.method === 'GET' && server && what === 'authorize') {
      const there = new URL(server.authorize);
      const asked = this.#withResource(query);
      there.search = there.search === '' ? asked : `${there.search}&${asked}`;
      response.writeHead(302, { Location: there.href, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
    } else if (request.method === 'POST' && what === 'token') await this.#answerToken(request, response, server);
    else sendReply(response, bareReply(404), true);
  }

  async #answerToken(request: IncomingMessage, response: ServerResponse, server: StoodIn | undefined): Promise<void> {
    // The tap was restarted: a new sign-in begins at the server.
    if (!server) return sendReply(response, jsonReply(400, { error: 'invalid_grant' }), true);
    try {
      const form = Buffer.from(await collect(request as AsyncIterable<Buffer>, BODY_BYTES)).toString();
      const given: (readonly [string, string])[] = [];
      const { rawHeaders } = request;
      for (let at = 0; at + 1 < rawHeaders.length; at += 2) given.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
      const headers = endToEnd(given).filter(([name]) => !OWN_HEADERS.test(name));
      const body = Buffer.from(this.#withResource(form));
      const { answer, body: granted } = await this.#exchange('POST', server.token, headers, TOKEN_MS, body);
      const kept = endToEnd(answer.headers).filter(([name]) => !/^content-(?:length|encoding)$/i.test(name));
      response.sendDate = false;
      response.writeHead(answer.status, [...kept.flat(), 'Content-Length', String(granted.length)]);
      response.end(granted);
    } catch (error) {
      if (!response.headersSent) {
        sendReply(response, { ...bareReply(502), body: `mcp-inspect tap: ${(error as Error).message}\n` }, true);
      }
    }
  }

  /** Puts the server's name for itself in the place of the tap's in a form or query. The rest stays as written. */
  #withResource(form: string): string {
    return form
      .split('&')
      .map((pair) => {
        const [name, value] = [...new URLSearchParams(pair)][0] ?? [];
        const real = name === 'resource' ? this.#resources.get(value ?? '') : undefined;
        return real === undefined ? pair : `resource=${encodeURIComponent(real)}`;
      })
      .join('&');
  }

  /** Sends a request to an authorization server and reads the response. Rejects with a ConnectionError. */
  async #exchange(
    method: 'GET' | 'POST',
    url: string,
    headers: Headers,
    mostMs: number,
    body?: Buffer,
  ): Promise<{ readonly answer: HttpResponse; readonly body: Buffer }> {
    const exchange = this.#options.record(method, url, headers);
    if (body) void exchange?.onBody('request', body);
    exchange?.onRequestEnd();
    try {
      const answer = await this.#options.link.send({
        method,
        url,
        headers,
        fromServer: true,
        signal: AbortSignal.timeout(mostMs),
        ...(body && { body }),
        onSocket: (attempt) => exchange?.onSocket(attempt),
        onRedirect(_redirect, next) {
          // The request may hold secrets, and the response is trusted because of its origin.
          if (next && new URL(next.url).origin !== new URL(url).origin) throw leavesOrigin();
        },
      });
      exchange?.onResponse(
        answer.status,
        answer.headers.filter(([name]) => !/^content-encoding$/i.test(name)),
      );
      const read = Buffer.from(await collect(answer.body, BODY_BYTES));
      void exchange?.onBody('response', read);
      exchange?.onEnd({ by: 'server' });
      return { answer, body: read };
    } catch (error) {
      const { code, message } = error as ConnectionError;
      exchange?.onEnd({ by: 'failure', code: String(code), message });
      throw error;
    }
  }
}

/** Headers that the egress writes itself, and those of a page. */
const OWN_HEADERS = /^(?:host|content-length|accept-encoding|user-agent|origin|referer)$/i;

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseBounded(text);
    return isObject(value) && own(value, '__proto__') === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

function leavesOrigin(): ConnectionError {
  return new ConnectionError({
    code: 'redirect-refused',
    message: 'The authorization server redirects to another origin, which was not followed.',
    advice: 'Use the final URL in the metadata.',
  });
}
