import type { HttpFrame } from './http-frame';
import { isObject, own } from './message';
import { anyOf, areTexts, type Check, isNumber, isText, optional, shape } from './shape';

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

const headers = listOf((pair) => areTexts(pair) && (pair as readonly string[]).length === 2);
/** What an HTTP parser takes for a status; 0 is a redirect that a page is told no more of. */
const status = anyOf((value) => value === 0, wholeNumber(100, 999));
const ids = optional(listOf(anyOf(isText, isNumber)));

const certificate = shape({
  subject: isText,
  issuer: isText,
  names: areTexts,
  validFrom: isText,
  validTo: isText,
  fingerprint: isText,
});

/** All members of each kind, but `exchange`, which every one has. */
const SHAPES: { readonly [K in HttpFrame['kind']]: Check } = {
  request: shape({
    method: oneOf('GET', 'POST', 'DELETE'),
    url: isText,
    headers,
    bytes: isCount,
    about: optional(oneOf('authorization', 'reconnect')),
  }),
  socket: shape({
    host: isText,
    port: isNumber,
    addresses: areTexts,
    address: optional(isText),
    dnsMs: optional(isNumber),
    tcpMs: optional(isNumber),
    tlsMs: optional(isNumber),
    tls: optional(
      shape({
        protocol: optional(isText),
        cipher: optional(isText),
        alpn: optional(isText),
        verified: isFlag,
        certificate: optional(certificate),
      }),
    ),
    failure: optional(shape({ step: oneOf('dns', 'tcp', 'tls'), code: isText, message: isText })),
  }),
  response: shape({ status, headers, partial: optional(isTrue) }),
  'cors-probe': shape({
    method: isText,
    asks: anyOf(oneOf('reachable', 'readable'), shape({ header: isText })),
    passed: isFlag,
    status: optional(status),
  }),
  body: shape({ bytes: isCount, text: optional(isText) }),
  sse: shape({
    event: optional(isText),
    id: optional(isText),
    retry: optional(isNumber),
    comment: optional(isText),
    data: optional(isText),
  }),
  end: shape({
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
  if (!isObject(value) || typeof kind !== 'string' || !Object.hasOwn(SHAPES, kind)) return undefined;
  const isSound = SHAPES[kind as HttpFrame['kind']](value) && isExchange(own(value, 'exchange'));
  return isSound ? (value as unknown as HttpFrame) : undefined;
}
