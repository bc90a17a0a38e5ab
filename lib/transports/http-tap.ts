import { isSecretField } from '@/lib/wire/header-fields';
import { type HttpFrame, MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import type { Headers, HttpRequest } from './http-link';
import { maskedUrl, secretsInHeader, secretsInUrl } from './masking';
import type { HttpSink, MaskedFields } from './transport';

const encoder = new TextEncoder();

/** Writes what happens on HTTP into the log, without the secrets. */
export class HttpTap {
  readonly #sink: Pick<HttpSink, 'frame' | 'onMasked' | 'onSecrets'>;
  readonly #given: Given;
  readonly #secret: ReadonlySet<string>;

  /** The values of headers that are `given` are never shown, whatever they are called. */
  constructor(sink: Pick<HttpSink, 'frame' | 'onMasked' | 'onSecrets'>, given: Given) {
    this.#sink = sink;
    this.#given = given;
    this.#secret = new Set(given.headers.map(([name]) => name.toLowerCase()));
  }

  /** A request goes out as part of `exchange`. */
  logRequest(
    exchange: number,
    method: HttpRequest['method'],
    url: string,
    headers: Headers,
    bytes: number,
    about?: 'authorization' | 'reconnect',
  ): void {
    this.#tell([...secretsInUrl(url), ...this.#secretsIn(headers)]);
    const shown = {
      kind: 'request',
      exchange,
      method,
      url: maskedUrl(url),
      headers: this.#masked(headers),
      bytes,
      ...(about && { about }),
    } as const;
    const seq = this.#write('to-server', shown);
    const whole = shown.url !== url && mayRevealUrl(url, this.#given) ? [['url', url] as const] : [];
    this.#keep(seq, [...whole, ...this.#revealable(headers, shown.headers)]);
  }

  /** The body of the request before it, if that is no message. `text` may be shown as it is; `bytes` is its true length. */
  logRequestBody(exchange: number, text: string, bytes: number): void {
    this.#write('to-server', { kind: 'body', exchange, bytes, text });
  }

  /** `partial`: only these headers could be seen. */
  logResponse(exchange: number, status: number, headers: Headers, partial?: true): void {
    this.#tell(this.#secretsIn(headers));
    const shown = this.#masked(headers);
    const frame = { kind: 'response', exchange, status, headers: shown, ...(partial && { partial }) } as const;
    const seq = this.#write('to-client', frame);
    this.#keep(seq, this.#revealable(headers, shown));
  }

  logStep(frame: HttpFrame): void {
    this.#write('to-client', frame);
  }

  #masked(headers: Headers): ShownHeaders {
    return headers.map(([name, value]) => {
      if (name.toLowerCase() === 'location') return [name, maskedUrl(value)];
      return [name, this.#isSecret(name) ? MASK : value];
    });
  }

  #isSecret(name: string): boolean {
    return this.#secret.has(name.toLowerCase()) || isSecretField(name);
  }

  /** What {@link #masked} masks. */
  #secretsIn(headers: Headers): readonly string[] {
    return headers.flatMap(([name, value]) =>
      name.toLowerCase() === 'location' || this.#isSecret(name) ? secretsInHeader(name, value) : [],
    );
  }

  #tell(secrets: readonly string[]): void {
    if (secrets.length > 0) this.#sink.onSecrets?.(secrets);
  }

  #revealable(headers: Headers, shown: ShownHeaders): MaskedFields {
    return headers.flatMap(([name, value], index) =>
      shown[index]![1] === MASK && mayReveal(name, value, this.#given) ? [[index, value] as const] : [],
    );
  }

  #keep(seq: number, fields: MaskedFields): void {
    if (fields.length > 0) this.#sink.onMasked?.(seq, fields);
  }

  #write(direction: 'to-server' | 'to-client', frame: HttpFrame): number {
    const bytes = encoder.encode(JSON.stringify(frame));
    return this.#sink.frame('http', direction, bytes, 0, bytes.length, 0);
  }
}

/** What the person themself gave for this connection. Tokens that were obtained for them by OAuth are not among it. */
export interface Given {
  readonly url: string;
  readonly headers: Headers;
}

/** What servers hand out for this connection alone. */
const SERVERS_OWN: ReadonlySet<string> = new Set(['mcp-session-id', 'set-cookie']);

/**
 * True if a masked header may be shown to the person on asking: the very value that they gave, the session, cookies as they
 * are set. Whatever else is masked stays so.
 */
export function mayReveal(name: string, value: string, { headers }: Given): boolean {
  const key = name.toLowerCase();
  return SERVERS_OWN.has(key) || headers.some(([given, own]) => given.toLowerCase() === key && own === value);
}

/** The same for a URL: the one that they gave, and one of which only the session is masked, as over HTTP+SSE. */
export function mayRevealUrl(url: string, given: Given): boolean {
  const other = url.replace(/([?&])session[-_]?id=[^&#]*/gi, '$1s=');
  return url === given.url || maskedUrl(other) === other;
}
