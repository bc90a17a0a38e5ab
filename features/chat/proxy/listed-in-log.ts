import { type FrameLog, framesFrom } from '@/lib/hub/frame-log';
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';

/** Bytes of the longest message that is searched for `list_changed`, which is short. */
const SHORT_BYTES = 2000;
/** Frames of the longest log that is searched. Asking the server costs less than reading more. */
const MOST_FRAMES = 5000;

/** A list of a server. */
interface ListKind {
  /** Such as `tools/list`. */
  readonly method: string;
  readonly capability: string;
  /** Member of the result. */
  readonly member: string;
}

/** A list while its pages are read. */
interface Reading {
  readonly items: JsonObject[];
  /** Id of the request for the page that comes next. */
  waits: unknown;
  /** Cursor of the page after it. */
  cursor?: string;
  isWhole: boolean;
}

/** Returns true for a message in which the server says that its lists of this capability changed. */
export function saysChanged({ channel, direction, bytes }: Frame, capability: string): boolean {
  if (channel !== 'protocol' || direction !== 'to-client' || bytes.length > SHORT_BYTES) return false;
  return Buffer.from(bytes).includes(`/${capability}/list_changed"`);
}

/**
 * Returns a list as the connection has read it last; undefined if it was not read whole, or has changed since; `coming`
 * while it is read.
 */
export async function listedInLog(
  log: FrameLog,
  kind: ListKind,
): Promise<readonly JsonObject[] | 'coming' | undefined> {
  if (log.last > MOST_FRAMES) return undefined;
  let reading: Reading | undefined;
  for (let seq = 1; seq <= log.last; ) {
    const frames = framesFrom(await log.segmentOf(seq), seq);
    for (const frame of frames) {
      if (frame.channel !== 'protocol') continue;
      if (frame.direction === 'to-server') reading = asked(frame, kind, reading);
      else if (saysChanged(frame, kind.capability)) reading = undefined;
      else if (reading && !reading.isWhole && !answered(frame, kind, reading)) reading = undefined;
    }
    seq += frames.length;
  }
  if (reading && !reading.isWhole) return 'coming';
  return reading?.items;
}

/** Reads a message to the server, which may ask for the list, or for its next page. */
function asked({ bytes }: Frame, { method }: ListKind, before: Reading | undefined): Reading | undefined {
  const message = Buffer.from(bytes).includes(`"${method}"`) ? parsed(bytes) : undefined;
  if (message === undefined || own(message, 'method') !== method) return before;
  const params = own(message, 'params');
  const cursor = isObject(params) ? own(params, 'cursor') : undefined;
  const id = own(message, 'id');
  if (cursor === undefined) return { items: [], waits: id, isWhole: false };
  if (before && !before.isWhole && before.cursor === cursor) before.waits = id;
  return before;
}

/** Reads a message of the server, which may be the page that is waited for. Returns false if that failed. */
function answered({ bytes }: Frame, { member }: ListKind, reading: Reading): boolean {
  if (!Buffer.from(bytes).includes(JSON.stringify(reading.waits) ?? '')) return true;
  const message = parsed(bytes);
  if (message === undefined || own(message, 'id') !== reading.waits || own(message, 'method') !== undefined)
    return true;
  const result = own(message, 'result');
  const items = isObject(result) ? own(result, member) : undefined;
  if (!isObject(result) || !Array.isArray(items)) return false;
  for (const item of items) if (isObject(item)) reading.items.push(item);
  const next = own(result, 'nextCursor');
  if (typeof next === 'string') reading.cursor = next;
  else reading.isWhole = true;
  return true;
}

function parsed(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseBounded(Buffer.from(bytes).toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
