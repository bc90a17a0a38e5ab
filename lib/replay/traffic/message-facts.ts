import { canonicalJson } from '@/lib/json/canonical';
import { LongNumber, parseExact } from '@/lib/json/exact';
import { withoutBom } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type Message, messagesOf } from '@/lib/store/classify';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { parseMessages } from './parse-messages';

/** A JSON value as a key: equal for all spellings of the value. Small integers are numbers, which cost less memory. */
export type ValueKey = string | number;

/** The facts that the structure of a recording follows from. A message and its skim have the same ones. */
export interface MessageFacts {
  readonly kind: Message['kind'];
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** undefined if the id is missing or of an invalid type. */
  readonly id: ValueKey | undefined;
  /** True for an answer with a `result` or an `error`. */
  readonly isAnswer: boolean;
  /** The token that a request wants progress under. */
  readonly progressToken: ValueKey | undefined;
  /** The token of a progress notification. */
  readonly progressOf: ValueKey | undefined;
  /** The subscription that a notification belongs to (2026-07-28). */
  readonly subscription: ValueKey | undefined;
  /** The request that `notifications/cancelled` names. */
  readonly cancelled: ValueKey | undefined;
  /** `requestState` as a key, if this is a later round of a request (2026-07-28); undefined for other messages. */
  readonly round: { readonly state: string | undefined } | undefined;
  /** `requestState` as a key, if this answer asks for input (2026-07-28); undefined for other messages. */
  readonly asksInput: { readonly state: string | undefined } | undefined;
}

/** The messages of a frame, in order. */
export interface FrameFacts {
  readonly batch: boolean;
  readonly messages: readonly MessageFacts[];
}

const JUNK: FrameFacts = { batch: false, messages: [] };

/** Reads the facts of a protocol frame; none in junk. Never throws. */
export function readFacts(text: string): FrameFacts {
  try {
    const value = parseExact(withoutBom(text));
    const messages = messagesOf(value);
    return { batch: Array.isArray(value), messages: messages.map((message, part) => factsOf(message, text, part)) };
  } catch {
    return JUNK;
  }
}

/**
 * Reads the facts of a protocol frame without its long strings, which are empty in this text; undefined if one of them
 * may be a fact.
 */
export function factsOfCut(text: string): FrameFacts | undefined {
  if (/""\s*:/.test(text)) return undefined;
  const facts = readFacts(text);
  const isWhole = facts.messages.every((message) =>
    Object.values(message).every((fact) => fact !== '' && !JSON.stringify([fact]).includes('\\"\\"')),
  );
  return isWhole && facts.messages.length > 0 ? facts : undefined;
}

function factsOf({ kind, method, name, body }: Message, text: string, part: number): MessageFacts {
  const id = own(body, 'id');
  const given = own(body, 'params');
  const params = isObject(given) ? given : undefined;
  const meta = params && objectIn(params, '_meta');
  const isAnswer = kind === 'response' || kind === 'error';
  return {
    kind,
    method,
    name,
    id: isId(id) ? (quickKey(id) ?? keyOfText(parseMessages(text)[part]?.id)) : undefined,
    isAnswer,
    progressToken: kind === 'request' ? tokenIn(meta, text, part) : undefined,
    progressOf: params && valueKey(own(params, 'progressToken')),
    subscription: meta && valueKey(own(meta, META_KEY.subscriptionId)),
    cancelled: method === METHOD.cancelled ? params && valueKey(own(params, 'requestId')) : undefined,
    round: kind === 'request' && params ? roundIn(params) : undefined,
    asksInput: kind === 'response' ? askedIn(own(body, 'result')) : undefined,
  };
}

/** The type of an id as `messagesOf` accepts it, and long numbers. */
function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number' || id instanceof LongNumber;
}

/** Returns a progress token, which is a string or a number. */
function tokenIn(meta: JsonObject | undefined, text: string, part: number): ValueKey | undefined {
  const token = meta && own(meta, 'progressToken');
  if (!isId(token)) return undefined;
  return (
    quickKey(token) ?? keyOfText(parseMessages(text)[part]?.params?.member('_meta')?.member('progressToken')?.text)
  );
}

function roundIn(params: JsonObject): MessageFacts['round'] {
  const state = own(params, 'requestState');
  if (state === undefined && own(params, 'inputResponses') === undefined) return undefined;
  return { state: stateKey(state) };
}

function askedIn(result: unknown): MessageFacts['asksInput'] {
  if (!isObject(result) || own(result, 'resultType') !== 'input_required') return undefined;
  return { state: stateKey(own(result, 'requestState')) };
}

function stateKey(state: unknown): string | undefined {
  return state === undefined ? undefined : JSON.stringify(state);
}

function objectIn(value: JsonObject, name: string): JsonObject | undefined {
  const member = own(value, name);
  return isObject(member) ? member : undefined;
}

/** Returns the key of any value but `undefined`. */
export function valueKey(value: unknown): ValueKey | undefined {
  return value === undefined ? undefined : (quickKey(value) ?? canonicalJson(JSON.stringify(value)));
}

/** Returns the key of a string or number; undefined for other values, and for numbers that a double can’t hold. */
function quickKey(value: unknown): ValueKey | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof LongNumber) return keyOfText(value.digits);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) ? value : canonicalJson(String(value));
}

/** Returns the key of a value by its JSON text. */
function keyOfText(text: string | undefined): ValueKey | undefined {
  if (text === undefined) return undefined;
  const canonical = canonicalJson(text);
  // `1.000000000000000000` is the integer 1.
  return /^-?\d{1,15}(?:e\d{1,2})?$/.test(canonical) && Number.isSafeInteger(Number(canonical))
    ? Number(canonical)
    : canonical;
}
