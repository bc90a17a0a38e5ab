import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import { isObject, own } from '@/lib/wire/message';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const headers: Check = (value) => Array.isArray(value) && value.every((pair) => texts(pair) && pair.length === 2);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(own(value, key)));

const certificate = shape({
  subject: text,
  issuer: text,
  names: texts,
  validFrom: text,
  validTo: text,
  fingerprint: text,
});

/** What the doctor reads of each kind: a recording is whatever somebody wrote. */
const SHAPES: { readonly [K in HttpFrame['kind']]: Check } = {
  request: shape({ method: text, url: text, headers }),
  socket: shape({
    host: text,
    port: number,
    addresses: texts,
    address: optional(text),
    dnsMs: optional(number),
    tcpMs: optional(number),
    tlsMs: optional(number),
    tls: optional(shape({ protocol: optional(text), cipher: optional(text), certificate: optional(certificate) })),
    failure: optional(shape({ step: text, code: text, message: text })),
  }),
  response: shape({ status: number, headers }),
  'cors-probe': shape({}),
  body: shape({ text: optional(text) }),
  sse: shape({ event: optional(text) }),
  end: shape({ code: optional(text), message: optional(text) }),
};

/** An http frame with all that is read of it; undefined for anything else. */
export function soundFrame(written: string): HttpFrame | undefined {
  const frame = readHttpFrame(written);
  if (frame === undefined || !Object.hasOwn(SHAPES, frame.kind)) return undefined;
  return number(frame.exchange) && SHAPES[frame.kind](frame) ? frame : undefined;
}
