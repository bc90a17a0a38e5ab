import { isObject } from '@/lib/json/value';
import { asConnectionError, collect } from '@/lib/transports/http-exchange';
import type { Headers as HeaderList, HttpLink, HttpRequest } from '@/lib/transports/http-link';
import { HttpLogger } from '@/lib/transports/http-tap';
import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError, type HttpSink } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { MASK } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { isLoopbackName } from '@/lib/wire/url';

const OAUTH_MS = 30_000;
const OAUTH_BODY_BYTES = 256 * 1024;

/** The parts of a connection that its OAuth requests use. */
export interface OAuthLink {
  /** The server's own URL. */
  readonly server: string;
  readonly link: HttpLink;
  readonly sink: HttpSink;
  readonly clock: Clock;
}

/** The type of fetch that the SDK expects. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Returns a fetch for OAuth requests. It uses the connection's own link, and logs each request as an exchange with
 * redacted bodies. URLs come from servers, so they must be https, or http on this machine or the server's own origin.
 * The caller may add secrets to the array later. The fetch rejects with a ConnectionError.
 */
export function oauthFetch(connection: OAuthLink, secrets: readonly string[], signal: AbortSignal): FetchLike {
  return async (target, init = {}) => {
    const { link, sink, clock } = connection;
    const url = String(target);
    requireSafe(url, connection.server);
    const method: HttpRequest['method'] = init.method === 'POST' ? 'POST' : 'GET';
    const headers: HeaderList = [...new Headers(init.headers)];
    const text = init.body === undefined || init.body === null ? undefined : String(init.body);
    const body = text === undefined ? undefined : encoder.encode(text);
    const tap = new HttpLogger(sink, { url: '', headers: [] });
    const exchange = sink.nextExchange();
    const limit = new AbortController();
    const cancelTimer = clock.after(OAUTH_MS, () => limit.abort());
    const abort = (): void => limit.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    tap.logRequest(exchange, method, url, headers, body?.length ?? 0, 'authorization');
    sink.onSecrets?.([...secrets, ...secretsInBody(text ?? '')]);
    if (text !== undefined) tap.logRequestBody(exchange, redactBody(text, secrets), body!.length);
    try {
      const answer = await link.send({
        method,
        url,
        headers,
        ...(body && { body }),
        fromServer: true,
        signal: limit.signal,
        onSocket: (attempt) => tap.logStep({ kind: 'socket', exchange, ...attempt }),
        onRedirect: (redirect, next) => {
          tap.logResponse(exchange, redirect.status, redirect.headers);
          if (next === undefined) return;
          // The request holds secrets, and the response is trusted because of its origin.
          if (new URL(next.url).origin !== new URL(url).origin) throw leavesOrigin(url, next.url);
          tap.logRequest(exchange, next.method, next.url, next.headers, body?.length ?? 0, 'authorization');
        },
      });
      tap.logResponse(exchange, answer.status, answer.headers);
      const bytes = await collect(answer.body, OAUTH_BODY_BYTES);
      const said = decoder.decode(bytes);
      sink.onSecrets?.(secretsInBody(said));
      if (bytes.length > 0) {
        const shown = redactBody(said, secrets).slice(0, LIMITS.httpTextBytes);
        tap.logStep({ kind: 'body', exchange, bytes: bytes.length, text: shown });
      }
      const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
      return new Response(empty ? null : said, { status: answer.status, headers: usable(answer.headers) });
    } catch (error) {
      const failure = limit.signal.aborted && !signal.aborted ? tooSlow(url) : asConnectionError(error);
      const { code, message } = failure;
      tap.logStep({ kind: 'end', exchange, by: signal.aborted ? 'client' : 'failure', code, message });
      throw failure;
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', abort);
    }
  };
}

/** Returns the headers that are valid for a Response. Servers may send others. */
function usable(headers: HeaderList): Headers {
  const result = new Headers();
  for (const [name, value] of headers) {
    try {
      result.append(name, value);
    } catch {
      // Metadata and tokens can be read without this header.
    }
  }
  return result;
}

function requireSafe(text: string, server: string): void {
  const url = new URL(text);
  const encrypted = url.protocol === 'https:';
  const near = url.protocol === 'http:' && (isLoopbackName(url.hostname) || url.origin === new URL(server).origin);
  if ((encrypted || near) && url.username === '' && url.password === '') return;
  throw new ConnectionError({
    code: 'authorization-url-refused',
    message: `The server names ${JSON.stringify(maskedUrl(text).slice(0, 200))} for authorization, which is neither https nor on this machine, so it was not used.`,
    advice: 'Use https URLs in the server’s OAuth metadata.',
  });
}

function leavesOrigin(from: string, to: string): ConnectionError {
  return new ConnectionError({
    code: 'redirect-refused',
    message: `${new URL(from).origin} redirects an OAuth request to ${new URL(to).origin}, which was not followed.`,
    advice: 'Use the final URL in the metadata.',
  });
}

function tooSlow(url: string): ConnectionError {
  return new ConnectionError({
    code: 'authorization-timeout',
    message: `${new URL(url).origin} did not answer an OAuth request within ${OAUTH_MS / 1000} seconds.`,
    advice: 'Check that the authorization server runs, then restart the connection.',
  });
}

/** Names of secrets in OAuth bodies, JSON or form. */
const SECRETS = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'code',
  'token',
  'code_verifier',
  'device_code',
  'assertion',
  'client_assertion',
  'subject_token',
  'actor_token',
  'registration_access_token',
  'password',
]);

/** Names of secrets that are ordinary words in other text. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['code', 'token']);

/**
 * Redacts the body of an OAuth exchange. In JSON and forms, masks the values of secret members. Masks other text whole
 * if it names a secret. Masks the `known` secrets everywhere.
 */
export function redactBody(text: string, known: readonly string[]): string {
  return known.filter((secret) => secret.length >= 8).reduce((shown, one) => shown.replaceAll(one, MASK), byName(text));
}

/** Returns the values that {@link redactBody} masks by name. */
export function secretsInBody(text: string): readonly string[] {
  const values: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (SECRETS.has(name) && typeof value === 'string') values.push(value);
    });
  } catch {
    for (const [name, value] of new URLSearchParams(text)) if (SECRETS.has(name.toLowerCase())) values.push(value);
  }
  return values;
}

function byName(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, hide));
  } catch {
    // Not JSON.
  }
  if (/^[\w.~%+*-]+=[^\s]*$/.test(text)) return redactForm(text);
  return [...SECRETS].some((name) => !COMMON_WORDS.has(name) && text.includes(name)) ? MASK : text;
}

function hide(name: string, value: unknown): unknown {
  if (!SECRETS.has(name)) return value;
  // Some servers send errors with a numeric `code`, which is not a secret.
  return typeof value === 'string' || isObject(value) || Array.isArray(value) ? MASK : value;
}

function redactForm(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return SECRETS.has(name.toLowerCase()) ? `${name}=${MASK}` : pair;
    })
    .join('&');
}
