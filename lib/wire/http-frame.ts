import {
  anyCheck,
  isFlag,
  isNumber,
  isObject,
  isText,
  isTextList,
  isTrue,
  listOf,
  objectWith,
  oneOf,
  optional,
  own,
  type TypeCheck,
} from '@/lib/json/value';
import type { CorsProbeFrame } from './cors';
import type { RequestId } from './message';

/** Steps of opening a socket, in order: resolving the host name, connecting by an HTTP proxy or directly, TLS. */
export type SocketStep = 'dns' | 'proxy' | 'tcp' | 'tls';

/** A server's certificate. Texts are cut to `LIMITS.certificateChars`. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** Subject alternative names, such as `DNS:localhost`; at most `CERTIFICATE_NAMES`. */
  readonly names: readonly string[];
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256, in hexadecimal pairs. */
  readonly fingerprint: string;
}

/** Result of a TLS handshake. */
export interface TlsFacts {
  /** For example `TLSv1.3`. */
  readonly protocol?: string;
  readonly cipher?: string;
  /** Negotiated application protocol. */
  readonly alpn?: string;
  /** True if the certificate was verified. */
  readonly verified: boolean;
  readonly certificate?: CertificateFacts;
}

/** The HTTP proxy that connected to a server. Has no user name and no password. */
export interface HttpProxyHop {
  /** Scheme, host and port: `http://proxy.example:3128`. */
  readonly url: string;
  /** The environment variable that names it. */
  readonly variable: string;
  /** Address of the HTTP proxy. Absent: it could not be reached. */
  readonly address?: string;
  /** Host and port that it was asked for: `mcp.example:443`. */
  readonly target: string;
  /** HTTP status of its answer. */
  readonly status?: number;
  /** Milliseconds until it answered. */
  readonly ms?: number;
}

/**
 * One attempt to open a socket for an exchange. A reused socket has no such frame. Steps that were not reached have no
 * time; `failure` names the step that failed.
 */
export interface SocketFrame {
  readonly kind: 'socket';
  readonly exchange: number;
  readonly host: string;
  readonly port: number;
  /** Resolved addresses, in the order to try. Empty if only the HTTP proxy can resolve the host. */
  readonly addresses: readonly string[];
  /** Address of this attempt. Absent if the HTTP proxy chooses it. */
  readonly address?: string;
  /** Absent: a direct connection. */
  readonly httpProxy?: HttpProxyHop;
  /** Duration of each step in milliseconds. */
  readonly dnsMs?: number;
  readonly tcpMs?: number;
  readonly tlsMs?: number;
  readonly tls?: TlsFacts;
  /** `code` is Node's or our own: `ENOTFOUND`, `ECONNREFUSED`, `address-refused`, `CERT_HAS_EXPIRED`. */
  readonly failure?: { readonly step: SocketStep; readonly code: string; readonly message: string };
}

/** Header fields as on the wire, in order and with duplicates. Secret values are {@link MASK}. */
export type ShownHeaders = readonly (readonly [name: string, value: string])[];

/**
 * Number of the id in `Mcp-Session-Id`, which is masked: from 1, by first appearance in the log. 0 for an invalid id.
 * Absent without an id, and in logs of older versions.
 */
export type SessionNumber = number;

/** Replaces a secret value. */
export const MASK = '•••';

/**
 * The JSON of a frame on the `http` channel. `exchange` numbers the HTTP requests of a connection from 1. The bytes of
 * a message are a `protocol` frame, and the `http` frame right before it (`request`, `body` or `sse`) names its
 * exchange. A redirect is another `response` and `request` of the same exchange.
 */
export type HttpFrame =
  | {
      readonly kind: 'request';
      readonly exchange: number;
      readonly method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
      readonly url: string;
      readonly headers: ShownHeaders;
      /** Length of the body. */
      readonly bytes: number;
      readonly session?: SessionNumber;
      /**
       * Why the request carries no message. `authorization`: an OAuth request, whose bodies are `body` frames without
       * secrets. `reconnect`: an attempt to reach an unreachable server. `server-card`: asks for the Server Card.
       */
      readonly about?: 'authorization' | 'reconnect' | 'server-card';
    }
  /** An attempt to open a socket, between `request` and `response`. */
  | SocketFrame
  | {
      readonly kind: 'response';
      readonly exchange: number;
      /** 0 for a redirect in a page, whose browser hides the status. */
      readonly status: number;
      readonly headers: ShownHeaders;
      readonly session?: SessionNumber;
      /** There may be more headers. A page sees only those in Access-Control-Expose-Headers. */
      readonly partial?: true;
    }
  | CorsProbeFrame
  /**
   * A complete body, except for event streams. If the body is not a `protocol` frame, `text` holds its first
   * `LIMITS.httpTextBytes`: text, or JSON that is not a message. `cut`: what
   * had come, of a body or of an event, when mcp-inspect stopped reading.
   */
  | {
      readonly kind: 'body';
      readonly exchange: number;
      readonly bytes: number;
      readonly text?: string;
      readonly cut?: true;
    }
  /**
   * A part of an event stream. Messages are `protocol` frames, so `data` holds only other data. `unfinished`: the
   * stream ended before the blank line after this event, so clients ignore it. Its `data` is cut to
   * `LIMITS.httpTextBytes`.
   */
  | {
      readonly kind: 'sse';
      readonly exchange: number;
      readonly event?: string;
      readonly id?: string;
      /** Milliseconds. */
      readonly retry?: number;
      readonly comment?: string;
      readonly data?: string;
      readonly unfinished?: true;
    }
  /**
   * An exchange ended without a body: the `server` ended its stream, the `client` closed it, or it failed.
   * `unanswered`: ids of our requests that can't be answered any more. `cancelled`: ids of those that we cancelled by
   * closing.
   */
  | {
      readonly kind: 'end';
      readonly exchange: number;
      readonly by: 'server' | 'client' | 'failure';
      /** Code of the failure, as in a `Failure`. */
      readonly code?: string;
      readonly message?: string;
      readonly unanswered?: readonly RequestId[];
      readonly cancelled?: readonly RequestId[];
      /** The server is still unreachable; milliseconds until the next attempt. */
      readonly retryMs?: number;
    };

const wholeNumber =
  (least: number, most: number): TypeCheck =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isCount = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const headers = listOf((pair) => isTextList(pair) && (pair as readonly string[]).length === 2);
/** Statuses that HTTP parsers accept. 0 is a redirect in a page, whose browser hides the status. */
const status = anyCheck((value) => value === 0, wholeNumber(100, 999));
const ids = optional(listOf(anyCheck(isText, isNumber)));

const certificate = objectWith({
  subject: isText,
  issuer: isText,
  names: isTextList,
  validFrom: isText,
  validTo: isText,
  fingerprint: isText,
});

/** The members of each kind, except `exchange`, which all kinds have. */
const KIND_CHECKS: { readonly [K in HttpFrame['kind']]: TypeCheck } = {
  request: objectWith({
    method: oneOf('GET', 'POST', 'DELETE'),
    url: isText,
    headers,
    bytes: isCount,
    session: optional(isCount),
    about: optional(oneOf('authorization', 'reconnect', 'server-card')),
  }),
  socket: objectWith({
    host: isText,
    port: isNumber,
    addresses: isTextList,
    address: optional(isText),
    httpProxy: optional(
      objectWith({
        url: isText,
        variable: isText,
        address: optional(isText),
        target: isText,
        status: optional(isNumber),
        ms: optional(isNumber),
      }),
    ),
    dnsMs: optional(isNumber),
    tcpMs: optional(isNumber),
    tlsMs: optional(isNumber),
    tls: optional(
      objectWith({
        protocol: optional(isText),
        cipher: optional(isText),
        alpn: optional(isText),
        verified: isFlag,
        certificate: optional(certificate),
      }),
    ),
    failure: optional(objectWith({ step: oneOf('dns', 'proxy', 'tcp', 'tls'), code: isText, message: isText })),
  }),
  response: objectWith({ status, headers, session: optional(isCount), partial: optional(isTrue) }),
  'cors-probe': objectWith({
    method: isText,
    asks: anyCheck(oneOf('reachable', 'readable'), objectWith({ header: isText })),
    passed: isFlag,
    status: optional(status),
  }),
  body: objectWith({ bytes: isCount, text: optional(isText), cut: optional(isTrue) }),
  sse: objectWith({
    event: optional(isText),
    id: optional(isText),
    retry: optional(isNumber),
    comment: optional(isText),
    data: optional(isText),
    unfinished: optional(isTrue),
  }),
  end: objectWith({
    by: oneOf('server', 'client', 'failure'),
    code: optional(isText),
    message: optional(isText),
    unanswered: ids,
    cancelled: ids,
    retryMs: optional(isNumber),
  }),
};

const isExchange = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/**
 * Reads and validates the text of an http frame, which anybody can have written into a recording. Returns undefined for
 * an unknown kind or a member of the wrong type. Such a frame is shown as text.
 */
export function readHttpFrame(text: string): HttpFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const kind = isObject(value) ? own(value, 'kind') : undefined;
  if (!isObject(value) || typeof kind !== 'string' || !Object.hasOwn(KIND_CHECKS, kind)) return undefined;
  const isSound = KIND_CHECKS[kind as HttpFrame['kind']](value) && isExchange(own(value, 'exchange'));
  return isSound ? (value as unknown as HttpFrame) : undefined;
}
