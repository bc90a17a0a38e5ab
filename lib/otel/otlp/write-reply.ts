import type { OtlpEncoding, Signal } from './read-export';

/** Names of the number of refused items, as each signal has it. */
const REJECTED: Readonly<Record<Signal, string>> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

/** Media types of both encodings. */
export const MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

/** Writes the response to an export that was accepted, perhaps without some of its items. */
export function writeAccepted(signal: Signal, encoding: OtlpEncoding, rejected: number, why: string): Uint8Array {
  const isWhole = rejected === 0;
  if (encoding === 'json') {
    return utf8(
      JSON.stringify(isWhole ? {} : { partialSuccess: { [REJECTED[signal]]: String(rejected), errorMessage: why } }),
    );
  }
  return isWhole ? new Uint8Array(0) : bytesField(1, joined([varintField(1, rejected), bytesField(2, utf8(why))]));
}

/** Writes a `google.rpc.Status`, which the response to a refused export has. */
export function writeStatus(encoding: OtlpEncoding, code: number, message: string): Uint8Array {
  if (encoding === 'json') return utf8(JSON.stringify({ code, message }));
  return joined([varintField(1, code), bytesField(2, utf8(message))]);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function varintField(number: number, value: number): Uint8Array {
  return Uint8Array.from([number << 3, ...varint(value)]);
}

function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([(number << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
