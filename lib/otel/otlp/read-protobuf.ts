import type { JsonObject } from '@/lib/json/value';
import { type FieldType, MESSAGES, type OtlpField } from './messages';

/** The body of an export can't be read. The message is a sentence for the log and for the sender. */
export class OtlpError extends Error {}

/** Most levels of messages in one another. Values of attributes can be lists of lists. */
const MESSAGE_DEPTH = 32;
/** Most messages and values in one body. An empty one takes two bytes of a body and a hundred of memory. */
const BODY_VALUES = 500_000;

/** How a value stands on the wire. */
const WIRE = { varint: 0, eight: 1, bytes: 2, four: 5 } as const;

/** A range of the body. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const decoder = new TextDecoder('utf-8');

/**
 * Reads messages of a protobuf body as OTLP/JSON has them. Unknown fields are skipped. All methods throw OtlpError for
 * bytes that are not protobuf, or are too many.
 */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Returns the ranges of all messages in field `number` of the message at `within`. */
  ranges(number: number, within: Range = { start: 0, end: this.#bytes.length }): readonly Range[] {
    const found: Range[] = [];
    this.#eachField(within, (field, wire) => {
      const range = this.#skip(wire, within.end);
      if (field === number && wire === WIRE.bytes) {
        this.#countValue();
        found.push(range);
      }
    });
    return found;
  }

  /** Reads the last text in field `number` of the message at `within`. */
  text(number: number, within: Range): string | undefined {
    const range = this.ranges(number, within).at(-1);
    return range && this.#textOf(range);
  }

  /** Reads the message at `range` as the table says. */
  message(type: FieldType, range: Range, depth = 0): JsonObject {
    const fields = MESSAGES.get(type)!;
    if (depth > MESSAGE_DEPTH) throw new OtlpError(`Values are nested deeper than ${MESSAGE_DEPTH}.`);
    const read: Record<string, unknown> = {};
    this.#eachField(range, (number, wire) => {
      const field = fields.get(number);
      if (field === undefined) this.#skip(wire, range.end);
      else if (field.repeated) this.#readItems(read, field, wire, range.end, depth);
      else read[field.name] = this.#value(field.type, wire, range.end, depth);
    });
    return read;
  }

  /** Adds to a list. Numbers may be packed, without a tag for each. */
  #readItems(read: Record<string, unknown>, { name, type }: OtlpField, wire: number, end: number, depth: number): void {
    read[name] ??= [];
    const list = read[name] as unknown[];
    const packedAs = NUMBERS.get(type)?.wire;
    if (packedAs === undefined || wire !== WIRE.bytes) {
      list.push(this.#value(type, wire, end, depth));
      return;
    }
    const range = this.#skip(wire, end);
    this.#at = range.start;
    while (this.#at < range.end) list.push(this.#value(type, packedAs, range.end, depth));
  }

  #value(type: FieldType, wire: number, end: number, depth: number): unknown {
    this.#countValue();
    const number = NUMBERS.get(type);
    if (wire !== (number?.wire ?? WIRE.bytes)) throw new OtlpError('A field has the wrong wire type.');
    const range = this.#skip(wire, end);
    if (number) return number.read(this.#view, range.start, range.end);
    if (type === 'text') return this.#textOf(range);
    if (type === 'hex') return hexOf(this.#bytes.subarray(range.start, range.end));
    if (type === 'base64') return base64Of(this.#bytes.subarray(range.start, range.end));
    const value = this.message(type, range, depth + 1);
    this.#at = range.end;
    return value;
  }

  /** Calls `read` for each field of a message, which has to read or skip its value. */
  #eachField({ start, end }: Range, read: (number: number, wire: number) => void): void {
    this.#at = start;
    while (this.#at < end) {
      const tag = this.#varint(end);
      const number = Math.floor(tag / 8);
      if (number === 0) throw new OtlpError('A field has the number 0.');
      read(number, tag % 8);
    }
  }

  /** Moves behind a value, and returns its range: of a varint with its bytes, of bytes without their length. */
  #skip(wire: number, end: number): Range {
    let start = this.#at;
    if (wire === WIRE.varint) this.#varint(end);
    else if (wire === WIRE.eight) this.#at += 8;
    else if (wire === WIRE.four) this.#at += 4;
    else if (wire === WIRE.bytes) {
      const length = this.#varint(end);
      start = this.#at;
      this.#at += length;
    } else throw new OtlpError(`The wire type ${wire} does not exist.`);
    if (this.#at > end) throw new OtlpError('A value is longer than its message.');
    return { start, end: this.#at };
  }

  /** Reads a varint of up to 64 bits. Beyond 2^53 it is not exact, and such tags and lengths are refused anyway. */
  #varint(end: number): number {
    let value = 0;
    for (let factor = 1; this.#at < end && factor < 2 ** 70; factor *= 128) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new OtlpError('A number does not end.');
  }

  #textOf({ start, end }: Range): string {
    return decoder.decode(this.#bytes.subarray(start, end));
  }

  #countValue(): void {
    if (++this.#values > BODY_VALUES) throw new OtlpError(`The body has more than ${BODY_VALUES} values.`);
  }
}

/** Reads a varint exactly. */
function varint64({ buffer, byteOffset }: DataView, start: number, end: number): bigint {
  let value = 0n;
  const bytes = new Uint8Array(buffer, byteOffset + start, end - start);
  for (const [index, byte] of bytes.entries()) value |= BigInt(byte & 0x7f) << BigInt(7 * index);
  return value;
}

/** Numbers by their type: how they stand on the wire, and how they are read as JSON. */
const NUMBERS: ReadonlyMap<
  FieldType,
  { readonly wire: number; readonly read: (view: DataView, start: number, end: number) => unknown }
> = new Map([
  ['bool', { wire: WIRE.varint, read: (view, start, end) => varint64(view, start, end) !== 0n }],
  ['int32', { wire: WIRE.varint, read: (view, start, end) => Number(BigInt.asIntN(32, varint64(view, start, end))) }],
  [
    'sint32',
    { wire: WIRE.varint, read: (view, start, end) => unzigzag(BigInt.asUintN(32, varint64(view, start, end))) },
  ],
  ['int64', { wire: WIRE.varint, read: (view, start, end) => String(BigInt.asIntN(64, varint64(view, start, end))) }],
  ['uint64', { wire: WIRE.varint, read: (view, start, end) => String(BigInt.asUintN(64, varint64(view, start, end))) }],
  ['fixed32', { wire: WIRE.four, read: (view, start) => view.getUint32(start, true) }],
  ['fixed64', { wire: WIRE.eight, read: (view, start) => String(view.getBigUint64(start, true)) }],
  ['sfixed64', { wire: WIRE.eight, read: (view, start) => String(view.getBigInt64(start, true)) }],
  ['double', { wire: WIRE.eight, read: (view, start) => jsonNumber(view.getFloat64(start, true)) }],
]);

function unzigzag(value: bigint): number {
  return Number((value >> 1n) ^ -(value & 1n));
}

/** JSON has no NaN and no infinity. Its mapping of protobuf writes them as text. */
function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
