import { type HttpFrame, MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { isSecretName } from '@/lib/wire/secret-names';
import type { Headers, HttpRequest } from './http-link';
import { maskedUrl, secretsInHeader, secretsInUrl } from './masking';
import { SessionNumbers } from './session-numbers';
import type { HttpSink, MaskedFields } from './transport';

const encoder = new TextEncoder();

/** Logs HTTP requests and responses, with secrets masked. */
export class HttpLogger {
  readonly #sink: Pick<HttpSink, 'appendFrame' | 'onMasked' | 'onSecrets'>;
  readonly #given: Given;
  readonly #secret: ReadonlySet<string>;
  readonly #sessions: SessionNumbers;
  /** The newest event of {@link logMessageEvent} without an id. */
  #messageEvent:
    | { readonly exchange: number; readonly event: string | undefined; readonly bytes: Uint8Array }
    | undefined;

  /** Values of the headers in `given` are always masked, whatever their names. Taps of one log share `sessions`. */
  constructor(
    sink: Pick<HttpSink, 'appendFrame' | 'onMasked' | 'onSecrets'>,
    given: Given,
    sessions: SessionNumbers = new SessionNumbers(),
  ) {
    this.#sink = sink;
    this.#given = given;
    this.#sessions = sessions;
    this.#secret = new Set(given.headers.map(([name]) => name.toLowerCase()));
  }

  logRequest(
    exchange: number,
    method: HttpRequest['method'],
    url: string,
    headers: Headers,
    bytes: number,
    about?: 'authorization' | 'reconnect' | 'server-card',
  ): void {
    this.#reportSecrets([...secretsInUrl(url), ...this.#secretsIn(headers)]);
    const shown = {
      kind: 'request',
      exchange,
      method,
      url: maskedUrl(url),
      headers: this.#masked(headers),
      bytes,
      ...this.#sessionOf(headers),
      ...(about && { about }),
    } as const;
    const seq = this.#write('to-server', shown);
    const whole = shown.url !== url && mayRevealUrl(url, this.#given) ? [['url', url] as const] : [];
    this.#reportMasked(seq, [...whole, ...this.#revealable(headers, shown.headers)]);
  }

  /**
   * Logs the body of the last request, if it is not a message. `text` is already redacted; `bytes` is the real length.
   */
  logRequestBody(exchange: number, text: string, bytes: number): void {
    this.#write('to-server', { kind: 'body', exchange, bytes, text });
  }

  /** `partial`: there may be more headers, which could not be read. */
  logResponse(exchange: number, status: number, headers: Headers, partial?: true): void {
    this.#reportSecrets(this.#secretsIn(headers));
    const shown = this.#masked(headers);
    const seq = this.#write('to-client', {
      kind: 'response',
      exchange,
      status,
      headers: shown,
      ...this.#sessionOf(headers),
      ...(partial && { partial }),
    });
    this.#reportMasked(seq, this.#revealable(headers, shown));
  }

  logStep(frame: HttpFrame): void {
    this.#write('to-client', frame);
  }

  /** Logs an event whose data is a message. The messages of a stream without ids have equal frames. */
  logMessageEvent(exchange: number, id: string | undefined, event: string | undefined): void {
    const known = this.#messageEvent;
    if (id === undefined && known?.exchange === exchange && known.event === event) {
      this.#sink.appendFrame('http', 'to-client', known.bytes, 0, known.bytes.length, 0);
      return;
    }
    const about = { ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
    const bytes = encoder.encode(JSON.stringify({ kind: 'sse', exchange, ...about } satisfies HttpFrame));
    if (id === undefined) this.#messageEvent = { exchange, event, bytes };
    this.#sink.appendFrame('http', 'to-client', bytes, 0, bytes.length, 0);
  }

  #sessionOf(headers: Headers): { readonly session?: number } {
    const session = this.#sessions.numberOf(headers);
    return session === undefined ? {} : { session };
  }

  #masked(headers: Headers): ShownHeaders {
    return headers.map(([name, value]) => {
      if (name.toLowerCase() === 'location') return [name, maskedUrl(value)];
      return [name, this.#isSecret(name) ? MASK : value];
    });
  }

  #isSecret(name: string): boolean {
    return this.#secret.has(name.toLowerCase()) || isSecretName(name, 'header');
  }

  /** Returns the values that {@link #masked} masks. */
  #secretsIn(headers: Headers): readonly string[] {
    return headers.flatMap(([name, value]) =>
      name.toLowerCase() === 'location' || this.#isSecret(name) ? secretsInHeader(name, value) : [],
    );
  }

  #reportSecrets(secrets: readonly string[]): void {
    if (secrets.length > 0) this.#sink.onSecrets?.(secrets);
  }

  #revealable(headers: Headers, shown: ShownHeaders): MaskedFields {
    return headers.flatMap(([name, value], index) =>
      shown[index]![1] === MASK && mayReveal(name, value, this.#given) ? [[index, value] as const] : [],
    );
  }

  #reportMasked(seq: number, fields: MaskedFields): void {
    if (fields.length > 0) this.#sink.onMasked?.(seq, fields);
  }

  #write(direction: 'to-server' | 'to-client', frame: HttpFrame): number {
    const bytes = encoder.encode(JSON.stringify(frame));
    return this.#sink.appendFrame('http', direction, bytes, 0, bytes.length, 0);
  }
}

/** URL and headers that the user gave for this connection. Tokens obtained by OAuth are not included. */
interface Given {
  readonly url: string;
  readonly headers: Headers;
}

/** Headers with values that servers issue for one connection. */
const ISSUED_BY_SERVER: ReadonlySet<string> = new Set(['mcp-session-id', 'set-cookie']);

/** True if the user may reveal a masked header: the exact value that they gave, the session, or a cookie being set. */
export function mayReveal(name: string, value: string, { headers }: Given): boolean {
  const key = name.toLowerCase();
  return ISSUED_BY_SERVER.has(key) || headers.some(([given, own]) => given.toLowerCase() === key && own === value);
}

/** True if the user may reveal a masked URL: the one that they gave, or one with only a session masked (HTTP+SSE). */
export function mayRevealUrl(url: string, given: Given): boolean {
  const other = url.replace(/([?&])session[-_]?id=[^&#]*/gi, '$1s=');
  return url === given.url || maskedUrl(other) === other;
}
