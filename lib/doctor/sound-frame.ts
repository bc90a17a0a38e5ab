import { type HttpFrame, readHttpFrame } from '@/lib/wire/http-frame';
import { areTexts, type Check, isNumber, isText, optional, shape } from '@/lib/wire/shape';

const headers: Check = (value) => Array.isArray(value) && value.every((pair) => areTexts(pair) && pair.length === 2);

const certificate = shape({
  subject: isText,
  issuer: isText,
  names: areTexts,
  validFrom: isText,
  validTo: isText,
  fingerprint: isText,
});

/** What the doctor reads of each kind: a recording is whatever somebody wrote. */
const SHAPES: { readonly [K in HttpFrame['kind']]: Check } = {
  request: shape({ method: isText, url: isText, headers }),
  socket: shape({
    host: isText,
    port: isNumber,
    addresses: areTexts,
    address: optional(isText),
    dnsMs: optional(isNumber),
    tcpMs: optional(isNumber),
    tlsMs: optional(isNumber),
    tls: optional(shape({ protocol: optional(isText), cipher: optional(isText), certificate: optional(certificate) })),
    failure: optional(shape({ step: isText, code: isText, message: isText })),
  }),
  response: shape({ status: isNumber, headers }),
  'cors-probe': shape({}),
  body: shape({ text: optional(isText) }),
  sse: shape({ event: optional(isText) }),
  end: shape({ code: optional(isText), message: optional(isText) }),
};

/** An http frame with all that is read of it; undefined for anything else. */
export function soundFrame(written: string): HttpFrame | undefined {
  const frame = readHttpFrame(written);
  if (frame === undefined || !Object.hasOwn(SHAPES, frame.kind)) return undefined;
  return isNumber(frame.exchange) && SHAPES[frame.kind](frame) ? frame : undefined;
}
