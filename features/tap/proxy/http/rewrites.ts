import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Headers } from '@/lib/transports/http-link';
import { withoutBrowserCookies } from './browser-requests';

/** The origins of a tapped server and of its tap, such as `https://example.com` and `http://127.0.0.1:6280`. */
export interface Origins {
  readonly server: string;
  readonly tap: string;
  /** The server’s `Host`. */
  readonly host: string;
}

/**
 * Headers that concern one connection, and never pass (RFC 9110, 7.6.1). The reader of the body answers `expect`.
 * `proxy-*` is meant for us.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns headers without those of the connection, and without those that its `Connection` header names. */
export function endToEnd(headers: Headers): Headers {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase()))
    // The length of the body must not be hidden from one of two parsers.
    .filter((name) => name !== 'content-length');
  return headers.filter(([name]) => {
    const key = name.toLowerCase();
    return !HOP_BY_HOP.has(key) && !named.includes(key);
  });
}

/**
 * Returns the headers of a request as the server gets them: its own host and origin, no cookies of a browser, and no
 * compression, which would hide messages from the recording.
 */
export function rewrittenRequestHeaders(headers: Headers, { server, tap, host }: Origins): Headers {
  const passed: (readonly [string, string])[] = [['Host', host]];
  for (const field of withoutBrowserCookies(endToEnd(headers))) {
    const [name, value] = field;
    const key = name.toLowerCase();
    if (key === 'origin' && value === tap) passed.push([name, server]);
    else if (key === 'referer') passed.push([name, moved(value, tap, server)]);
    else if (key !== 'host' && key !== 'accept-encoding') passed.push(field);
  }
  passed.push(['Accept-Encoding', 'identity']);
  return passed;
}

/** Returns the headers of a response as the host gets them: where they lead to the server, they lead to the tap. */
export function responseHeaders(headers: Headers, { server, tap }: Origins): Headers {
  return endToEnd(headers).map(([name, value]): readonly [string, string] => {
    const key = name.toLowerCase();
    if (key === 'location' || key === 'content-location') return [name, moved(value, server, tap)];
    return key === 'www-authenticate' ? [name, movedChallenge(value, server, tap)] : [name, value];
  });
}

/** Returns the reason of a status line. Node reads more characters there than it writes. */
export function responseReason({ statusMessage = '' }: { readonly statusMessage?: string | undefined }): string {
  return statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}

/** Returns a URL that has the origin `from` with the origin `to`, and any other text as it is. */
export function moved(text: string, from: string, to: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== from) return text;
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(text)?.[1];
  return rest === undefined ? text : `${to}${rest}`;
}

/** Moves the URL of the metadata in a challenge (RFC 9728, 5.1). The rest of the header stays as it is. */
function movedChallenge(value: string, from: string, to: string): string {
  return value.replace(
    /(\bresource_metadata\s*=\s*)(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi,
    (whole, name: string, quoted: string | undefined, bare: string | undefined) => {
      const url = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
      const there = moved(url, from, to);
      return there === url ? whole : `${name}"${there}"`;
    },
  );
}

/** Returns the path of the metadata that a challenge names, if it is at this origin. */
export function metadataPath(headers: Headers, origin: string): string | undefined {
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'www-authenticate') continue;
    const [, quoted, bare] = /\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s",]+))/i.exec(value) ?? [];
    const url = quoted ?? bare ?? '';
    if (URL.canParse(url) && new URL(url).origin === origin) return new URL(url).pathname;
  }
  return undefined;
}

/** True for the paths of protected resource metadata (RFC 9728, 3). */
export function isResourceMetadata(path: string): boolean {
  return /^\/\.well-known\/oauth-protected-resource(?:\/|$)/.test(path);
}

/** True for the paths of authorization server metadata (RFC 8414, 3, and OpenID Connect Discovery, 4). */
export function isServerMetadata(path: string): boolean {
  return (
    /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/|$)/.test(path) ||
    /\/\.well-known\/openid-configuration$/.test(path)
  );
}

/**
 * Rewrites authorization server metadata at the server's own origin, where clients of 2025-03-26 look for it: a host
 * compares `issuer` with the URL that it asked (RFC 8414, 3.3). All else stays. Returns undefined if nothing changes.
 */
export function rewriteIssuer(text: string, { server, tap }: Origins): string | undefined {
  let metadata: unknown;
  try {
    metadata = parseBounded(text);
  } catch {
    return undefined;
  }
  const issuer = isObject(metadata) ? own(metadata, 'issuer') : undefined;
  if (typeof issuer !== 'string' || own(metadata as JsonObject, '__proto__') !== undefined) return undefined;
  const there = moved(issuer, server, tap);
  return there === issuer ? undefined : JSON.stringify({ ...(metadata as JsonObject), issuer: there });
}

/** Bytes of an incomplete event that are held back. One that names an endpoint has a few dozen. */
const HELD_BYTES = 16 * 1024;
/** Two line ends, of any kinds. */
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/;

/**
 * Rewrites the `endpoint` event of HTTP+SSE, which is the first of its stream. Usually it is a path, which leads to the
 * tap anyway. Only the first event waits until it is complete; before that, nobody can read it.
 */
export class EndpointRewriter {
  readonly #origins: Origins;
  #held: Buffer | undefined = Buffer.alloc(0);

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  /** Returns what passes in place of a chunk: nothing while the first event is incomplete. */
  rewrite(chunk: Buffer): Buffer {
    if (this.#held === undefined) return chunk;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const text = bytes.toString('latin1');
    for (let at = 0; ; ) {
      const blank = BLANK_LINE.exec(text.slice(at));
      const end = blank ? at + blank.index : text.length;
      const event = text.slice(at, end);
      // Comments may come before it.
      if (blank && !/^(?:event|data)\b/m.test(event)) {
        at = end + blank[0].length;
        continue;
      }
      if (!blank && bytes.length - at < HELD_BYTES) {
        this.#held = bytes.subarray(at);
        return bytes.subarray(0, at);
      }
      this.#held = undefined;
      if (!blank || !/^event: ?endpoint\r?$/m.test(event)) return bytes;
      const { server, tap } = this.#origins;
      const there = event.replace(/^(data: ?)([^\r\n]*)/m, (_, field, url) => `${field}${moved(url, server, tap)}`);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(there, 'latin1'), bytes.subarray(end)]);
    }
  }

  /** Returns what is still held at the end of the stream. */
  end(): Buffer {
    const held = this.#held ?? Buffer.alloc(0);
    this.#held = undefined;
    return held;
  }
}

/** Returns raw headers as pairs. */
export function pairs(raw: readonly string[]): Headers {
  const headers: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) headers.push([raw[at]!, raw[at + 1]!]);
  return headers;
}
