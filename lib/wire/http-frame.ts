import {
  anyCheck,
  type Checked,
  type Guard,
  isCount,
  isFlag,
  isNumber,
  isText,
  isTextList,
  isTrue,
  kindsWith,
  listOf,
  objectWith,
  oneOf,
  optional,
} from '@/lib/json/value';

/** Replaces a secret value. */
export const MASK = '•••';

/** Accepts whole numbers in these bounds. */
const wholeNumber =
  (least: number, most: number): Guard<number> =>
  (value): value is number =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const EXCHANGE = { exchange: wholeNumber(1, Number.MAX_SAFE_INTEGER) };

const isField = (pair: unknown): pair is readonly [name: string, value: string] =>
  isTextList(pair) && pair.length === 2;
const headers = listOf(isField);
/** Header fields as on the wire, in order and with duplicates. Secret values are {@link MASK}. */
export type ShownHeaders = Checked<typeof headers>;

/** Statuses that HTTP parsers accept. 0 is a redirect in a page, whose browser hides the status. */
const status = anyCheck(wholeNumber(0, 0), wholeNumber(100, 999));
const ids = optional(listOf(anyCheck(isText, isNumber)));

/**
 * Number of the id in `Mcp-Session-Id`, which is masked: from 1, by first appearance in the log. 0 for an invalid id.
 * Absent without an id, and in logs of older versions.
 */
const session = optional(isCount);
export type SessionNumber = number;

/** A server's certificate. Texts are cut to `LIMITS.certificateChars`. */
const certificate = objectWith({
  subject: isText,
  issuer: isText,
  /** Subject alternative names, such as `DNS:localhost`; at most `CERTIFICATE_NAMES`. */
  names: isTextList,
  /** ISO 8601. */
  validFrom: isText,
  validTo: isText,
  /** SHA-256, in hexadecimal pairs. */
  fingerprint: isText,
});
export type CertificateFacts = Checked<typeof certificate>;

/** Result of a TLS handshake. */
const tls = objectWith({
  /** For example `TLSv1.3`. */
  protocol: optional(isText),
  cipher: optional(isText),
  /** Negotiated application protocol. */
  alpn: optional(isText),
  /** True if the certificate was verified. */
  verified: isFlag,
  certificate: optional(certificate),
});
export type TlsFacts = Checked<typeof tls>;

/** The HTTP proxy that connected to a server. Has no user name and no password. */
const httpProxy = objectWith({
  /** Scheme, host and port: `http://proxy.example:3128`. */
  url: isText,
  /** The environment variable that names it. */
  variable: isText,
  /** Address of the HTTP proxy. Absent: it could not be reached. */
  address: optional(isText),
  /** Host and port that it was asked for: `mcp.example:443`. */
  target: isText,
  /** HTTP status of its answer. */
  status: optional(isNumber),
  /** Milliseconds until it answered. */
  ms: optional(isNumber),
});
export type HttpProxyHop = Checked<typeof httpProxy>;

/** Steps of opening a socket, in order: resolving the host name, connecting by an HTTP proxy or directly, TLS. */
const step = oneOf('dns', 'proxy', 'tcp', 'tls');
export type SocketStep = Checked<typeof step>;

/**
 * Accepts the JSON of a frame on the `http` channel. `exchange` numbers the HTTP requests of a connection from 1. The
 * bytes of a message are a `protocol` frame, and the `http` frame right before it (`request`, `body` or `sse`) names
 * its exchange. A redirect is another `response` and `request` of the same exchange.
 */
const isHttpFrame = kindsWith('kind', {
  request: {
    ...EXCHANGE,
    method: oneOf('GET', 'POST', 'DELETE', 'OPTIONS'),
    url: isText,
    headers,
    /** Length of the body. */
    bytes: isCount,
    session,
    /**
     * Why the request carries no message. `authorization`: an OAuth request, whose bodies are `body` frames without
     * secrets. `reconnect`: an attempt to reach an unreachable server. `server-card`: asks for the Server Card.
     */
    about: optional(oneOf('authorization', 'reconnect', 'server-card')),
  },
  /**
   * One attempt to open a socket for an exchange, between `request` and `response`. A reused socket has no such frame.
   * Steps that were not reached have no time; `failure` names the step that failed.
   */
  socket: {
    ...EXCHANGE,
    host: isText,
    port: isNumber,
    /** Resolved addresses, in the order to try. Empty if only the HTTP proxy can resolve the host. */
    addresses: isTextList,
    /** Address of this attempt. Absent if the HTTP proxy chooses it. */
    address: optional(isText),
    /** Absent: a direct connection. */
    httpProxy: optional(httpProxy),
    /** Duration of each step in milliseconds. */
    dnsMs: optional(isNumber),
    tcpMs: optional(isNumber),
    tlsMs: optional(isNumber),
    tls: optional(tls),
    /** `code` is Node's or our own: `ENOTFOUND`, `ECONNREFUSED`, `address-refused`, `CERT_HAS_EXPIRED`. */
    failure: optional(objectWith({ step, code: isText, message: isText })),
  },
  response: {
    ...EXCHANGE,
    status,
    headers,
    session,
    /** There may be more headers. A page sees only those in Access-Control-Expose-Headers. */
    partial: optional(isTrue),
  },
  /**
   * A small request that a page sends to find out why its browser blocked a server's response. Its frame follows that
   * of the failed `request`, with the same exchange number.
   */
  'cors-probe': {
    ...EXCHANGE,
    method: isText,
    /** The question: does the server answer at all, may the page read the answer, or may it send this header? */
    asks: anyCheck(oneOf('reachable', 'readable'), objectWith({ header: isText })),
    /** True if the page may read the answer; for `reachable`, if any answer came. */
    passed: isFlag,
    /** HTTP status, if the page may see it. */
    status: optional(status),
  },
  /**
   * A complete body, except for event streams. If the body is not a `protocol` frame, `text` holds its first
   * `LIMITS.httpTextBytes`: text, or JSON that is not a message. `cut`: what had come, of a body or of an event, when
   * mcp-inspect stopped reading.
   */
  body: {
    ...EXCHANGE,
    bytes: isCount,
    text: optional(isText),
    cut: optional(isTrue),
  },
  /**
   * A part of an event stream. Messages are `protocol` frames, so `data` holds only other data. `unfinished`: the
   * stream ended before the blank line after this event, so clients ignore it. Its `data` is cut to
   * `LIMITS.httpTextBytes`.
   */
  sse: {
    ...EXCHANGE,
    event: optional(isText),
    id: optional(isText),
    /** Milliseconds. */
    retry: optional(isNumber),
    comment: optional(isText),
    data: optional(isText),
    unfinished: optional(isTrue),
  },
  /**
   * An exchange ended without a body: the `server` ended its stream, the `client` closed it, or it failed.
   * `unanswered`: ids of our requests that can't be answered any more. `cancelled`: ids of those that we cancelled by
   * closing.
   */
  end: {
    ...EXCHANGE,
    by: oneOf('server', 'client', 'failure'),
    /** Code of the failure, as in a `Failure`. */
    code: optional(isText),
    message: optional(isText),
    unanswered: ids,
    cancelled: ids,
    /** The server is still unreachable; milliseconds until the next attempt. */
    retryMs: optional(isNumber),
  },
});
export type HttpFrame = Checked<typeof isHttpFrame>;
export type SocketFrame = Extract<HttpFrame, { readonly kind: 'socket' }>;
export type CorsProbeFrame = Extract<HttpFrame, { readonly kind: 'cors-probe' }>;

/**
 * Reads and validates the text of an http frame, which anybody can have written into a recording. Returns undefined for
 * an unknown kind or a member of the wrong type. Such a frame is shown as text.
 */
export function readHttpFrame(text: string): HttpFrame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isHttpFrame(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
