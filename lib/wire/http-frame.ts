import { anyOf, type Check, isNumber, isObject, isText, isTextList, objectWith, optional, own } from '@/lib/json/value';
import type { CorsProbeFrame } from './cors';
import type { RequestId } from './message';

/** How far a new socket comes, in this order: its host's name resolved, connected, encrypted. */
export type SocketStep = 'dns' | 'tcp' | 'tls';

/** What a certificate says. Texts are the server's, cut to `LIMITS.certificateChars`. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** The names it is for, as in `DNS:localhost`, at most `CERTIFICATE_NAMES`. */
  readonly names: readonly string[];
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256, in hexadecimal pairs. */
  readonly fingerprint: string;
}

/** What a TLS handshake agreed on. */
export interface TlsFacts {
  /** As in `TLSv1.3`. */
  readonly protocol?: string;
  readonly cipher?: string;
  /** The application protocol, if one was agreed on. */
  readonly alpn?: string;
  /** The certificate was found to be the server's own. */
  readonly verified: boolean;
  readonly certificate?: CertificateFacts;
}

/**
 * One attempt at a new socket for an exchange: a frame each, none where an open socket is used again. Steps that were not
 * reached have no time; `failure` says which one went wrong.
 */
export interface SocketFrame {
  readonly kind: 'socket';
  readonly exchange: number;
  readonly host: string;
  readonly port: number;
  /** What the host resolved to, in the order to try. */
  readonly addresses: readonly string[];
  /** The one that this attempt was about. */
  readonly address?: string;
  /** Milliseconds that each step took. */
  readonly dnsMs?: number;
  readonly tcpMs?: number;
  readonly tlsMs?: number;
  readonly tls?: TlsFacts;
  /** `code` is Node's or our own: `ENOTFOUND`, `ECONNREFUSED`, `address-refused`, `CERT_HAS_EXPIRED`. */
  readonly failure?: { readonly step: SocketStep; readonly code: string; readonly message: string };
}

/** Header fields as they are on the wire, in order, repeated ones repeated. Secret values are {@link MASK}. */
export type ShownHeaders = readonly (readonly [name: string, value: string])[];

/** Stands for a value that is not shown. */
export const MASK = '•••';

/**
 * What happens on HTTP around messages: the JSON of a frame on the `http` channel. `exchange` numbers the requests of one
 * connection from 1. A message's own bytes are a `protocol` frame, and the `http` frame right before it (`request`, `body`
 * or `sse`) says on which exchange it travelled. A redirect is another `response` and `request` of the same exchange.
 */
export type HttpFrame =
  | {
      readonly kind: 'request';
      readonly exchange: number;
      readonly method: 'GET' | 'POST' | 'DELETE';
      readonly url: string;
      readonly headers: ShownHeaders;
      /** Length of the body. */
      readonly bytes: number;
      /**
       * Why it carries no message. `authorization`: it is about who we are (OAuth); its bodies are `body` frames,
       * without secrets. `reconnect`: an attempt to reach a server that went away.
       */
      readonly about?: 'authorization' | 'reconnect';
    }
  /** A socket was opened for it, or could not be: between `request` and `response`. */
  | SocketFrame
  | {
      readonly kind: 'response';
      readonly exchange: number;
      /** 0: a redirect, seen by a page, which is told no more of it. */
      readonly status: number;
      readonly headers: ShownHeaders;
      /** A page sees only the headers that the server exposes (Access-Control-Expose-Headers); there may be more. */
      readonly partial?: true;
    }
  | CorsProbeFrame
  /**
   * A whole body that is not an event stream, or one of ours that is not a message. `text` holds up to
   * `LIMITS.httpTextBytes` of a body that is not a protocol frame: text, or the JSON of a refusal that is not a
   * message.
   */
  | { readonly kind: 'body'; readonly exchange: number; readonly bytes: number; readonly text?: string }
  /** Something of an event stream. `data` is there only if it is not a message: those are protocol frames. */
  | {
      readonly kind: 'sse';
      readonly exchange: number;
      readonly event?: string;
      readonly id?: string;
      /** Milliseconds. */
      readonly retry?: number;
      readonly comment?: string;
      readonly data?: string;
    }
  /**
   * An exchange ended otherwise than by a body: `server` ended its stream, `client` closed it, or it `failed`.
   * `unanswered` are ids of our requests that nothing can answer any more, `cancelled` those that we gave up by closing.
   */
  | {
      readonly kind: 'end';
      readonly exchange: number;
      readonly by: 'server' | 'client' | 'failure';
      /** Of the failure, as in a `Failure`. */
      readonly code?: string;
      readonly message?: string;
      readonly unanswered?: readonly RequestId[];
      readonly cancelled?: readonly RequestId[];
      /** The server is still unreachable; milliseconds until the next attempt. */
      readonly retryMs?: number;
    };

const isFlag: Check = (value) => typeof value === 'boolean';
const isTrue: Check = (value) => value === true;
const wholeNumber =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isCount = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const headers = listOf((pair) => isTextList(pair) && (pair as readonly string[]).length === 2);
/** What an HTTP parser takes for a status; 0 is a redirect that a page is told no more of. */
const status = anyOf((value) => value === 0, wholeNumber(100, 999));
const ids = optional(listOf(anyOf(isText, isNumber)));

const certificate = objectWith({
  subject: isText,
  issuer: isText,
  names: isTextList,
  validFrom: isText,
  validTo: isText,
  fingerprint: isText,
});

/** All members of each kind, but `exchange`, which every one has. */
const KIND_CHECKS: { readonly [K in HttpFrame['kind']]: Check } = {
  request: objectWith({
    method: oneOf('GET', 'POST', 'DELETE'),
    url: isText,
    headers,
    bytes: isCount,
    about: optional(oneOf('authorization', 'reconnect')),
  }),
  socket: objectWith({
    host: isText,
    port: isNumber,
    addresses: isTextList,
    address: optional(isText),
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
    failure: optional(objectWith({ step: oneOf('dns', 'tcp', 'tls'), code: isText, message: isText })),
  }),
  response: objectWith({ status, headers, partial: optional(isTrue) }),
  'cors-probe': objectWith({
    method: isText,
    asks: anyOf(oneOf('reachable', 'readable'), objectWith({ header: isText })),
    passed: isFlag,
    status: optional(status),
  }),
  body: objectWith({ bytes: isCount, text: optional(isText) }),
  sse: objectWith({
    event: optional(isText),
    id: optional(isText),
    retry: optional(isNumber),
    comment: optional(isText),
    data: optional(isText),
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
 * Reads an http frame's text. In a recording it is whatever somebody wrote: undefined unless every member that is read of its
 * kind is what its type says, and then it is text, and says nothing of an exchange. So is one of a kind that is not known.
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
