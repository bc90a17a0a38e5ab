import { parseBounded } from '@/lib/wire/bounded-json';
import { JsonSource } from '@/lib/wire/json-source';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';
import { messageName } from './message-name';
import type { Kind } from './row';

/** One JSON-RPC message, its parts unchecked but for what `kind` says. */
export interface Message {
  readonly kind: 'request' | 'notification' | 'response' | 'error';
  /** undefined: none, or of a type that no id may have. null is kept: servers send it. */
  readonly id: RequestId | null | undefined;
  /** Of requests and notifications. */
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** Own members only, so anything may be asked of it. */
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

/** Characters from which a frame is large. */
const LARGE = 100_000;

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

/** Says what a whole protocol frame is. Parses once; never throws. */
export function classify(bytes: Uint8Array): Classified {
  const { text, invalidUtf8 } = decode(bytes);
  const source = text.length >= LARGE ? JsonSource.parse(text) : undefined;
  const value = text.length >= LARGE ? source?.value : parseJson(text);
  const found = messagesOf(value);
  if (found.length === 0) return { kind: 'junk', invalidUtf8, messages: [] };
  return { kind: Array.isArray(value) ? 'batch' : found[0]!.kind, invalidUtf8, messages: found, source };
}

/** The messages in a protocol frame's value: of a batch all of them, of junk none. */
export function messagesOf(value: unknown): readonly Message[] {
  const messages = Array.isArray(value) ? value.map(toMessage) : [toMessage(value)];
  return messages.filter((message) => message !== undefined);
}

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
