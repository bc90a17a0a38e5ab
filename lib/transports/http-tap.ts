import { isSecretField } from '@/lib/wire/header-fields';
import type { HttpFrame, ShownHeaders } from '@/lib/wire/http-frame';
import { MASK } from '@/lib/wire/http-frame';
import type { Headers, HttpRequest } from './http-link';
import type { HttpSink } from './transport';

const encoder = new TextEncoder();

/** Writes what happens on HTTP into the log, without the secrets. */
export class HttpTap {
  readonly #sink: HttpSink;
  readonly #secret: ReadonlySet<string>;

  /** `secretNames`: headers whose values are never shown, whatever they are called. */
  constructor(sink: HttpSink, secretNames: Iterable<string>) {
    this.#sink = sink;
    this.#secret = new Set(Array.from(secretNames, (name) => name.toLowerCase()));
  }

  /** A request goes out as part of `exchange`. */
  request(exchange: number, method: HttpRequest['method'], url: string, headers: Headers, bytes: number): void {
    this.#write('to-server', {
      kind: 'request',
      exchange,
      method,
      url: maskedUrl(url),
      headers: this.#masked(headers),
      bytes,
    });
  }

  /** `partial`: only these headers could be seen. */
  response(exchange: number, status: number, headers: Headers, partial?: true): void {
    this.note({ kind: 'response', exchange, status, headers: this.#masked(headers), ...(partial && { partial }) });
  }

  note(frame: HttpFrame): void {
    this.#write('to-client', frame);
  }

  #masked(headers: Headers): ShownHeaders {
    return headers.map(([name, value]) => {
      if (name.toLowerCase() === 'location') return [name, maskedUrl(value)];
      return [name, this.#secret.has(name.toLowerCase()) || isSecretField(name) ? MASK : value];
    });
  }

  #write(direction: 'to-server' | 'to-client', frame: HttpFrame): void {
    const bytes = encoder.encode(JSON.stringify(frame));
    this.#sink.frame('http', direction, bytes, 0, bytes.length, 0);
  }
}

/** Without password, and with the values of parameters masked that are named like secrets. The rest stays as written. */
export function maskedUrl(url: string): string {
  const bare = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${MASK}@`);
  const query = bare.indexOf('?');
  if (query < 0) return bare;
  return bare.slice(0, query) + bare.slice(query).replace(/([?&])([^=&#]+)=([^&#]*)/g, hideSecret);
}

function hideSecret(whole: string, mark: string, name: string): string {
  return isSecretField(name) || /^(code|state|sig)$/i.test(name) ? `${mark}${name}=${MASK}` : whole;
}
