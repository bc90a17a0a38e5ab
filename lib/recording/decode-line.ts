import { parseBounded } from '@/lib/wire/bounded-json';
import { CHANNELS } from '@/lib/wire/frame';
import { members } from '@/lib/wire/json-text';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { fromBase64 } from './base64';
import type { FrameToRecord } from './encode-line';
import type { RecordingEnd } from './format';
import { maskedPlaces } from './masked-places';
import { upgraded } from './upgrade';

/** What a line of a recording is. `unknown`: a kind or channel that this version does not know. */
export type DecodedLine =
  | { readonly is: 'frame'; readonly n: number; readonly frame: FrameToRecord; readonly masked: number }
  | {
      readonly is: 'end';
      readonly frames: number;
      readonly notes: number;
      readonly time: number;
      readonly about?: RecordingEnd['about'];
    }
  | { readonly is: 'unknown' }
  | { readonly is: 'damaged' };

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A frame's line as our writer writes it: what is between the key and the last brace is its content. */
const WRITTEN = /^\{"n":\d{1,16},"t":\d{1,16},"c":"\w{1,20}","d":"[<>]"(?:,"f":\d{1,3})?,"(m|text|b64)":/;

/** What a JSON object may begin with: anything else is not even decoded, since an error costs more than a line of nothing. */
const BEGINNINGS: ReadonlySet<number | undefined> = new Set([0x7b, 0x20, 0x09, 0x0d]);

const DAMAGED = { is: 'damaged' } as const;

/** Reads a line, line feed taken off, of a recording of this version or an older one. Nothing in it makes this throw. */
export function decodeLine(line: Uint8Array, version: number): DecodedLine {
  if (line.length < 2 || !BEGINNINGS.has(line[0])) return DAMAGED;
  try {
    const text = strict.decode(line);
    const written = WRITTEN.exec(text);
    return written ? decodeWritten(line, text, written, version) : decodeAny(text, version);
  } catch {
    return DAMAGED;
  }
}

/** Everything before the content is ASCII, so places in the text are places in the bytes, and nothing is encoded again. */
function decodeWritten(line: Uint8Array, text: string, [head, key]: RegExpExecArray, version: number): DecodedLine {
  if (!text.endsWith('}')) return DAMAGED;
  const content = parseBounded(text.slice(head.length, -1));
  const about = JSON.parse(`${head}0}`) as JsonObject;
  const bytes = key === 'm' ? line.subarray(head.length, -1) : bytesOf(key!, content);
  return toFrame(upgraded(about, version), bytes, text);
}

/** As others may write it: keys in another order, white space, keys that we do not know. */
function decodeAny(text: string, version: number): DecodedLine {
  const parsed = parseBounded(text);
  if (!isObject(parsed)) return DAMAGED;
  const about = upgraded(parsed, version);
  if (own(about, 'c') === undefined) return decodeOther(about);
  const last = members(text).at(-1)!;
  const bytes =
    last.key === 'm' ? encoder.encode(text.slice(last.start, last.end)) : bytesOf(last.key, own(parsed, last.key));
  return toFrame(about, bytes, text);
}

function decodeOther(line: JsonObject): DecodedLine {
  const kind = own(line, 'k');
  const [frames, time, notes = 0] = [own(line, 'frames'), own(line, 't'), own(line, 'notes')];
  if (kind === 'end') {
    const about = aboutIn(own(line, 'about'));
    if (!isCount(frames) || !isCount(time)) return DAMAGED;
    return { is: 'end', frames, notes: isCount(notes) ? Math.min(notes, frames) : 0, time, ...(about && { about }) };
  }
  return typeof kind === 'string' ? { is: 'unknown' } : DAMAGED;
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

function toFrame(about: JsonObject, bytes: Uint8Array | undefined, text: string): DecodedLine {
  const [n, t, c, d, f = 0] = ['n', 't', 'c', 'd', 'f'].map((key) => own(about, key));
  const channel = CHANNELS.find((known) => known === c);
  const sound = isCount(n) && n > 0 && isCount(t) && (d === '>' || d === '<') && isCount(f) && f < 256;
  if (!sound || !bytes || typeof c !== 'string') return DAMAGED;
  if (!channel) return { is: 'unknown' };
  return {
    is: 'frame',
    n,
    frame: { time: t, channel, direction: d === '>' ? 'to-server' : 'to-client', flags: f, bytes },
    masked: maskedPlaces(text),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
