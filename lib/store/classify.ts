import { parseBounded } from '@/lib/wire/bounded-json';
import { atOnce } from '@/lib/wire/in-slices';
import { JsonSource } from '@/lib/wire/json-source';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';
import { messageName } from './message-name';
import { readOutline } from './outline-reader';
import { OutlineSource } from './outline-source';
import type { Kind } from './row';

/** One JSON-RPC message, its parts unchecked but for what `kind` says. */
export interface Message {
  readonly kind: 'request' | 'notification' | 'response' | 'error';
  /** undefined: none, or of a type that no id may have. null is kept: servers send it. */
  readonly id: RequestId | null | undefined;
  /** Of requests and notifications. */
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** Own members only, so anything may be asked of it. Of a large frame they are parsed when they are asked for. */
  readonly body: JsonObject;
}

/** What the bytes of one protocol frame are. */
export interface Classified {
  readonly kind: Kind;
  readonly invalidUtf8: boolean;
  /** The message; of a batch all of them, in order; of junk none. */
  readonly messages: readonly Message[];
  /** Of a large frame: somebody will look at it soon, and parsing it twice can be felt. */
  readonly source?: JsonSource;
}

/** Bytes whose encoding is checked before others get a turn. */
const PORTION = 256 * 1024;

// A byte order mark is shown and is not JSON, so it must survive decoding.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 with U+FFFD for what isn't. Never throws. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** The text, and whether it was valid UTF-8. */
export function decode(bytes: Uint8Array): { text: string; invalidUtf8: boolean } {
  try {
    return { text: strict.decode(bytes), invalidUtf8: false };
  } catch {
    return { text: lossy.decode(bytes), invalidUtf8: true };
  }
}

/** Answers undefined instead of throwing, for monsters too. */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

/** Whether a frame is read in slices rather than parsed, which would keep the page from everything else. */
export function isLarge(bytes: Uint8Array): boolean {
  return bytes.length >= LIMITS.outlinedBytes;
}

/** Says what a whole protocol frame is. Reads it once; never throws. */
export function classify(bytes: Uint8Array): Classified {
  if (isLarge(bytes)) return atOnce(classifyLarge(bytes));
  const { text, invalidUtf8 } = decode(bytes);
  return classified(parseJson(text), invalidUtf8);
}

/** The same, of a large frame, in short steps: nothing is parsed but what its row and the log's state are made of. */
export function* classifyLarge(bytes: Uint8Array): Generator<unknown, Classified> {
  const invalidUtf8 = !(yield* isUtf8(bytes));
  const outline = yield* readOutline(bytes);
  if (typeof outline === 'string') return classified(undefined, invalidUtf8);
  const source = new OutlineSource(outline);
  return classified(source.value, invalidUtf8, source);
}

/** A whole frame as JSON, read as {@link classify} reads it; undefined for what is none, or a monster. */
export function jsonOf(bytes: Uint8Array): JsonSource | undefined {
  if (!isLarge(bytes)) return JsonSource.parse(decodeLossy(bytes));
  const outline = atOnce(readOutline(bytes));
  return typeof outline === 'string' ? undefined : new OutlineSource(outline);
}

/** What a frame is of which this is the value. */
export function classified(value: unknown, invalidUtf8: boolean, source?: JsonSource): Classified {
  const messages = messagesOf(value);
  if (messages.length === 0) return { kind: 'junk', invalidUtf8, messages };
  return { kind: Array.isArray(value) ? 'batch' : messages[0]!.kind, invalidUtf8, messages, source };
}

function* isUtf8(bytes: Uint8Array): Generator<undefined, boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PORTION) {
      decoder.decode(bytes.subarray(at, at + PORTION), { stream: true });
      yield;
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** The messages in a protocol frame's value: of a batch all of them, of junk none. */
export function messagesOf(value: unknown): readonly Message[] {
  if (Array.isArray(value)) return value.map(toMessage).filter((message) => message !== undefined);
  const message = toMessage(value);
  return message ? [message] : NONE;
}

const NONE: readonly Message[] = [];

/**
 * A JSON value as a message, or undefined. Lenient, since what a server gets wrong is to be shown, not hidden. But `jsonrpc`, an
 * `id` or a method of MCP's must be there: log lines that happen to be JSON often have a `method` or an `error`.
 */
function toMessage(value: unknown): Message | undefined {
  if (!isObject(value)) return undefined;
  const hasId = Object.hasOwn(value, 'id');
  const method = own(value, 'method');
  const known = typeof method === 'string' && method.startsWith('notifications/');
  if (!hasId && !known && !Object.hasOwn(value, 'jsonrpc')) return undefined;
  const id = toId(own(value, 'id'));
  if (typeof method === 'string') {
    const name = messageName(method, own(value, 'params'));
    return { kind: hasId ? 'request' : 'notification', id, method, name, body: value };
  }
  const kind = answerKind(value);
  return kind && { kind, id, method: undefined, name: undefined, body: value };
}

function answerKind(value: JsonObject): 'response' | 'error' | undefined {
  const error = own(value, 'error');
  // Some servers write both members and leave the other one null.
  if (error !== undefined && !(error === null && Object.hasOwn(value, 'result'))) return 'error';
  return Object.hasOwn(value, 'result') ? 'response' : undefined;
}

function toId(id: unknown): RequestId | null | undefined {
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}
