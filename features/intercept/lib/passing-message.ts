import { topLevelMembers } from '@/lib/json/members';
import { parseBounded, withoutBom } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';
import type { RequestId } from '@/lib/wire/message';
import { messageName } from '@/lib/wire/message-name';

/** The facts of a message that are known as it passes. */
export interface PassingMessage {
  readonly direction: Direction;
  readonly kind: 'request' | 'notification' | 'response' | 'error' | 'junk';
  /** A response has that of its request, if the request was seen. */
  readonly method?: string | undefined;
  /** Tool, prompt, URI or log level. A response has that of its request. */
  readonly name?: string | undefined;
  readonly id?: RequestId | undefined;
  /** The id as it was written: JSON.parse loses digits of large numbers. */
  readonly idText?: string | undefined;
  /** Absent for junk. */
  readonly body?: JsonObject;
  /** Its place among the items of a batch, from 0. */
  readonly place?: number;
}

/** A frame that passes: one message, the messages of a batch, or junk. */
export interface PassingFrame {
  readonly text: string;
  /** Returns the text in lower case, which is made once. */
  readonly lowerText: () => string;
  /** Length of the frame. */
  readonly bytes: number;
  readonly isBatch: boolean;
  /** At least one. Junk is a message too, so that rules can take it. */
  readonly messages: readonly PassingMessage[];
}

/** A request that passed, as its response needs it. */
export interface PassedRequest {
  readonly method: string;
  readonly name?: string | undefined;
  readonly progressToken?: RequestId | undefined;
}

/** Returns the request that a response in this direction answers. */
export type RequestLookup = (direction: Direction, id: RequestId) => PassedRequest | undefined;

const decoder = new TextDecoder();

/** Reads a frame. Never throws: bytes that are not JSON-RPC are junk. */
export function readPassing(direction: Direction, bytes: Uint8Array, requestOf: RequestLookup): PassingFrame {
  const text = decoder.decode(bytes);
  const junk: PassingMessage = { direction, kind: 'junk' };
  let lower: string | undefined;
  const frame = { text, lowerText: () => (lower ??= text.toLowerCase()), bytes: bytes.length };
  let value: unknown;
  try {
    value = parseBounded(withoutBom(text));
  } catch {
    return { ...frame, isBatch: false, messages: [junk] };
  }
  if (!Array.isArray(value)) {
    return { ...frame, isBatch: false, messages: [readMessage(direction, value, requestOf, text) ?? junk] };
  }
  const messages = value.flatMap((item, place) => {
    const message = readMessage(direction, item, requestOf);
    return message ? [{ ...message, place }] : [];
  });
  return { ...frame, isBatch: messages.length > 0, messages: messages.length > 0 ? messages : [junk] };
}

function readMessage(
  direction: Direction,
  body: unknown,
  requestOf: RequestLookup,
  text?: string,
): PassingMessage | undefined {
  if (!isObject(body)) return undefined;
  const method = own(body, 'method');
  const id = toId(own(body, 'id'));
  const idText = id === undefined ? undefined : exactId(id, text);
  if (typeof method === 'string') {
    const name = messageName(method, own(body, 'params'));
    return { direction, kind: Object.hasOwn(body, 'id') ? 'request' : 'notification', method, name, id, idText, body };
  }
  const kind = isObject(own(body, 'error')) ? 'error' : Object.hasOwn(body, 'result') ? 'response' : undefined;
  if (kind === undefined) return undefined;
  const request = id === undefined ? undefined : requestOf(direction, id);
  return { direction, kind, method: request?.method, name: request?.name, id, idText, body };
}

function toId(id: unknown): RequestId | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function exactId(id: RequestId, text: string | undefined): string {
  if (typeof id === 'string' || Number.isSafeInteger(id) || text === undefined) return JSON.stringify(id);
  const written = topLevelMembers(withoutBom(text)).findLast(({ key }) => key === 'id');
  return written === undefined ? JSON.stringify(id) : withoutBom(text).slice(written.start, written.end);
}

/** Returns the JSON text of a request's params as it was written; undefined without. */
export function paramsOf(frame: PassingFrame, { body }: PassingMessage): string | undefined {
  const text = withoutBom(frame.text);
  const written = frame.isBatch ? undefined : topLevelMembers(text).findLast(({ key }) => key === 'params');
  if (written) return text.slice(written.start, written.end);
  const params = body && own(body, 'params');
  return params === undefined ? undefined : JSON.stringify(params);
}

/** Returns the token with which a request asks for progress. */
export function progressTokenOf({ body }: PassingMessage): RequestId | undefined {
  const params = body && own(body, 'params');
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  return isObject(meta) ? toId(own(meta, 'progressToken')) : undefined;
}
