import { isSecretField } from '@/lib/wire/header-fields';
import { type HttpFrame, MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import type { Headers, HttpRequest } from './http-link';
import { maskedUrl, secretsInUrl } from './masked-url';
import { secretsInHeader } from './masked-values';
import { type Given, mayReveal, mayRevealUrl } from './revealable';
import type { HttpSink, MaskedFields } from './transport';

const encoder = new TextEncoder();

/** Writes what happens on HTTP into the log, without the secrets. */
export class HttpTap {
  readonly #sink: Pick<HttpSink, 'frame' | 'masked' | 'secrets'>;
  readonly #given: Given;
  readonly #secret: ReadonlySet<string>;

  /** The values of headers that are `given` are never shown, whatever they are called. */
  constructor(sink: Pick<HttpSink, 'frame' | 'masked' | 'secrets'>, given: Given) {
    this.#sink = sink;
    this.#given = given;
    this.#secret = new Set(given.headers.map(([name]) => name.toLowerCase()));
  }

  /** A request goes out as part of `exchange`. */
  request(
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
  sentBody(exchange: number, text: string, bytes: number): void {
    this.#write('to-server', { kind: 'body', exchange, bytes, text });
  }

  /** `partial`: only these headers could be seen. */
  response(exchange: number, status: number, headers: Headers, partial?: true): void {
    this.#tell(this.#secretsIn(headers));
    const shown = this.#masked(headers);
    const frame = { kind: 'response', exchange, status, headers: shown, ...(partial && { partial }) } as const;
    const seq = this.#write('to-client', frame);
    this.#keep(seq, this.#revealable(headers, shown));
  }

  note(frame: HttpFrame): void {
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
    if (secrets.length > 0) this.#sink.secrets?.(secrets);
  }

  #revealable(headers: Headers, shown: ShownHeaders): MaskedFields {
    return headers.flatMap(([name, value], index) =>
      shown[index]![1] === MASK && mayReveal(name, value, this.#given) ? [[index, value] as const] : [],
    );
  }

  #keep(seq: number, fields: MaskedFields): void {
    if (fields.length > 0) this.#sink.masked?.(seq, fields);
  }

  #write(direction: 'to-server' | 'to-client', frame: HttpFrame): number {
    const bytes = encoder.encode(JSON.stringify(frame));
    return this.#sink.frame('http', direction, bytes, 0, bytes.length, 0);
  }
}
