import { topLevelMembers } from '@/lib/json/members';
import { parseBounded } from '@/lib/json/parse';
import { BYTE } from '@/lib/json/scan';
import { isCount, isObject, type JsonObject, own } from '@/lib/json/value';
import { cutFrame } from '@/lib/wire/cut-message';
import { toChannel } from '@/lib/wire/frame';
import { MASK } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { fromBase64, fromBase64Bytes } from './base64';
import { type BlobLookup, findBlobs, type RecordedBlob } from './blobs';
import { type FrameToRecord, LONGEST_HEAD } from './encode-lines';
import { RECORDING_VERSION, type RecordingEnd, upgradeLine } from './format';
import { readPlainLine } from './plain-line';

/** A decoded line. `unknown`: a kind that this version does not know. */
export type DecodedLine =
  | {
      readonly is: 'frame';
      readonly n: number;
      readonly frame: FrameToRecord;
      readonly masked: number;
      /** Bytes of the frame that came from blobs. */
      readonly restoredBytes: number;
      /** True if the frame's bytes are JSON that was parsed. */
      readonly isJson: boolean;
    }
  | ({ readonly is: 'blob'; readonly name: string } & RecordedBlob)
  | ({ readonly is: 'end'; readonly time: number; readonly notes: number } & Pick<
      RecordingEnd,
      'frames' | 'about' | 'sha256' | 'index' | 'forgotten' | 'early'
    >)
  | { readonly is: 'index' }
  | { readonly is: 'unknown' }
  /** `no-blob`: the frame refers to a blob that is missing. */
  | { readonly is: 'damaged'; readonly why?: 'no-blob' };

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The head of a frame line as our writer writes it. The content lies between the key that ends this head and the last
 * brace of the line.
 */
const WRITTEN =
  /^\{"n":\d{1,16},"t":\d{1,16},"c":"[!#-[\]-~]{1,64}","d":"[<>]"(?:,"f":\d{1,3})?(?:,"blobs":\[(?:\[\d{1,16},"b\d{1,16}"\],?){1,100}\])?,"(m|cut|text|b64)":/;

/**
 * The head of a blob line as our writer writes it. The content lies between the quote that ends this head and the last
 * quote of the line.
 */
const WRITTEN_BLOB = /^\{"k":"blob","b":"(b\d{1,16})","s":"/;

/** The bytes that can start a JSON object. Lines that start otherwise are not parsed, because exceptions are slow. */
const BEGINNINGS: ReadonlySet<number | undefined> = new Set([0x7b, 0x20, 0x09, 0x0d]);

const BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
const DAMAGED = { is: 'damaged' } as const;
const NO_BLOB = { is: 'damaged', why: 'no-blob' } as const;
const WITHOUT_BLOBS = { cut: undefined, masked: 0 } as const;
const NO_BLOBS: BlobLookup = { get: () => undefined };

/** Decodes a line without its line feed, of a recording in this version of the format or an older one. Never throws. */
export function decodeLine(source: Uint8Array, version: number, blobs: BlobLookup = NO_BLOBS): DecodedLine {
  // Git on Windows and some editors end lines with CR LF.
  const line = source.at(-1) === CARRIAGE_RETURN ? source.subarray(0, -1) : source;
  if (line.length < 2 || !BEGINNINGS.has(line[0])) return DAMAGED;
  const plain = version === RECORDING_VERSION ? readPlainLine(line) : undefined;
  if (plain) return { is: 'frame', n: plain.n, frame: plain.frame, masked: 0, restoredBytes: 0, isJson: true };
  try {
    if (line.length > LIMITS.recordedPlainBytes) return decodeLong(line, version);
    const text = strict.decode(line);
    const written = WRITTEN.exec(text);
    if (written) return decodeWritten(line, text, written, version, blobs);
    const blob = WRITTEN_BLOB.exec(text);
    return blob && text.endsWith('"}') ? decodeBlob(line, text, blob) : decodeAny(text, version, blobs);
  } catch {
    return DAMAGED;
  }
}

/**
 * Decodes a frame line of our writer. Its head is ASCII, so its length in characters is its length in bytes, and
 * nothing is encoded again.
 */
function decodeWritten(
  line: Uint8Array,
  text: string,
  [head, key]: RegExpExecArray,
  version: number,
  blobs: BlobLookup,
): DecodedLine {
  if (!text.endsWith('}')) return DAMAGED;
  const isJson = key === 'm' || key === 'cut';
  const written = line.subarray(head.length, -1);
  const content = parseBounded(text.slice(head.length, -1));
  const about = JSON.parse(`${head}0}`) as JsonObject;
  const bytes = isJson ? written : bytesOf(key!, content);
  return toFrame(upgradeLine(about, version), key!, bytes, text, blobs);
}

/**
 * Decodes a line that is too long to become a string, which would take several times its size. Our writer uses base64
 * in such lines.
 */
function decodeLong(line: Uint8Array, version: number): DecodedLine {
  const [head, key] = WRITTEN.exec(new TextDecoder('latin1').decode(line.subarray(0, LONGEST_HEAD))) ?? [];
  const [quote, brace] = line.subarray(-2);
  if (
    head === undefined ||
    key !== 'b64' ||
    line[head.length] !== BYTE.quote ||
    quote !== BYTE.quote ||
    brace !== BRACE
  )
    return DAMAGED;
  const bytes = fromBase64Bytes(line.subarray(head.length + 1, -2));
  return toFrame(upgradeLine(JSON.parse(`${head}0}`) as JsonObject, version), key, bytes, '', NO_BLOBS);
}

/** Decodes a blob line without encoding its text again. */
function decodeBlob(line: Uint8Array, text: string, [head, name]: RegExpExecArray): DecodedLine {
  // Throws unless this is one string: the last quote may be escaped, or more keys may follow.
  JSON.parse(text.slice(head.length - 1, -1));
  return { is: 'blob', name: name!, bytes: line.subarray(head.length, -2), masked: countMasks(text) };
}

/** Decodes a line that another program wrote: keys in another order, white space, unknown keys. */
function decodeAny(text: string, version: number, blobs: BlobLookup): DecodedLine {
  const parsed = parseBounded(text);
  if (!isObject(parsed)) return DAMAGED;
  const about = upgradeLine(parsed, version);
  if (own(about, 'c') === undefined) return decodeOther(about, text);
  const last = topLevelMembers(text).at(-1)!;
  const isJson = last.key === 'm' || last.key === 'cut';
  const bytes = isJson ? encoder.encode(text.slice(last.start, last.end)) : bytesOf(last.key, own(parsed, last.key));
  return toFrame(about, last.key, bytes, text, blobs);
}

function decodeOther(line: JsonObject, text: string): DecodedLine {
  const kind = own(line, 'k');
  if (kind === 'blob') return anyBlob(own(line, 'b'), text);
  const [frames, time, notes = 0] = [own(line, 'frames'), own(line, 't'), own(line, 'notes')];
  if (kind === 'end') {
    const [about, sha256] = [aboutIn(own(line, 'about')), own(line, 'sha256')];
    if (!isCount(frames) || !isCount(time)) return DAMAGED;
    const index = placesIn(own(line, 'index'));
    const forgotten = own(line, 'forgotten');
    const early = triplesIn(own(line, 'early'));
    return {
      is: 'end',
      frames,
      time,
      notes: isCount(notes) ? Math.min(notes, frames) : 0,
      ...(about && { about }),
      ...(index && { index }),
      ...(typeof sha256 === 'string' && { sha256 }),
      ...(isCount(forgotten) && { forgotten }),
      ...(early && { early }),
    };
  }
  if (kind === 'index') return { is: 'index' };
  return typeof kind === 'string' ? { is: 'unknown' } : DAMAGED;
}

/**
 * Reads the places (offset and length) of the index lines. Returns undefined for anything else, since the value is
 * untrusted.
 */
function placesIn(value: unknown): RecordingEnd['index'] {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.indexes) return undefined;
  const isPlace = (one: unknown) => Array.isArray(one) && one.length === 2 && one.every(isCount);
  return value.every(isPlace) ? (value as [number, number][]) : undefined;
}

/** Reads the places of early secrets. Returns undefined for anything else, since the value is untrusted. */
function triplesIn(value: unknown): RecordingEnd['early'] {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.earlyPlaces) return undefined;
  const isPlace = (one: unknown) => Array.isArray(one) && one.length === 3 && one.every(isCount);
  return value.every(isPlace) ? (value as [number, number, number][]) : undefined;
}

function anyBlob(name: unknown, text: string): DecodedLine {
  const last = topLevelMembers(text).at(-1)!;
  if (typeof name !== 'string' || last.key !== 's' || text[last.start] !== '"') return DAMAGED;
  const bytes = encoder.encode(text.slice(last.start + 1, last.end - 1));
  return { is: 'blob', name, bytes, masked: countMasks(text) };
}

function aboutIn(value: unknown): RecordingEnd['about'] {
  const [name, text] = isObject(value) ? [own(value, 'name'), own(value, 'text')] : [];
  return typeof name === 'string' && typeof text === 'string' ? { name, text } : undefined;
}

function bytesOf(key: string, content: unknown): Uint8Array | undefined {
  if (typeof content !== 'string') return undefined;
  if (key === 'text') return encoder.encode(content);
  return key === 'b64' ? fromBase64(content) : undefined;
}

function toFrame(
  line: JsonObject,
  key: string,
  content: Uint8Array | undefined,
  text: string,
  blobs: BlobLookup,
): DecodedLine {
  const [n, t, c, d, f = 0] = ['n', 't', 'c', 'd', 'f'].map((name) => own(line, name));
  const channel = toChannel(c);
  const sound = isCount(n) && n > 0 && isCount(t) && (d === '>' || d === '<') && isCount(f) && f < 256;
  if (!sound || !content || !channel) return DAMAGED;
  const found = key === 'cut' ? findBlobs(content, own(line, 'blobs'), blobs) : WITHOUT_BLOBS;
  if (found === 'no-blob') return NO_BLOB;
  if (!found) return DAMAGED;
  const { cut, masked } = found;
  const about = {
    time: t,
    channel,
    direction: d === '>' ? 'to-server' : 'to-client',
    flags: f,
    bytes: content,
  } as const;
  return {
    is: 'frame',
    n,
    frame: cut ? cutFrame(about, cut) : about,
    masked: masked + countMasks(text),
    restoredBytes: cut ? cut.length - content.length : 0,
    isJson: key === 'm' || key === 'cut',
  };
}

/** The first characters of the placeholders of removed values. */
const MASK_STARTS = ['[redacted:', MASK] as const;

/** Returns the number of removed values in a line. */
export function countMasks(line: string): number {
  let places = 0;
  for (const mark of MASK_STARTS) {
    for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + mark.length)) places++;
  }
  return places;
}
