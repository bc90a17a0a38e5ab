// A chat's frames: channel `model`, each the JSON of one event. What goes to the model has the direction `to-server`,
// everything else `to-client`. Anyone can have written a recording, so every field is checked.
import { parseBounded } from '@/lib/json/parse';
import {
  anyCheck,
  isFlag,
  isNumber,
  isObject,
  isText,
  isTextList,
  isTrue,
  listOf,
  objectWith,
  oneOf,
  optional,
  own,
  type TypeCheck,
} from '@/lib/json/value';
import type { Direction, Frame } from '@/lib/wire/frame';
import type { ChatEvent, ChatPart, ChatSettings } from './chat-frame';
import { ChatState } from './chat-state';

/** Bytes of the longest frame that is read. A request body, which the loop cuts, takes at most twice its bound. */
const MOST_EVENT_BYTES = 64 * 1024 * 1024;

/** Returns an event as a frame of its log. */
export function chatFrame(event: ChatEvent): Pick<Frame, 'channel' | 'direction' | 'bytes'> {
  const direction: Direction = event.type === 'request' ? 'to-server' : 'to-client';
  return { channel: MODEL_CHANNEL, direction, bytes: new TextEncoder().encode(JSON.stringify(event)) };
}

const MODEL_CHANNEL = 'model' as Frame['channel'];

/** Returns the event of a frame; undefined for frames of other channels and for what can't be read as an event. */
export function chatEventIn(frame: Pick<Frame, 'channel' | 'bytes'>): ChatEvent | undefined {
  if (frame.channel !== MODEL_CHANNEL || frame.bytes.length > MOST_EVENT_BYTES) return undefined;
  return readChatEvent(new TextDecoder().decode(frame.bytes));
}

/** Returns the chat in the frames of a log. Frames that can't be read are left out. */
export function chatStateOf(frames: Iterable<Pick<Frame, 'channel' | 'bytes' | 'seq'>>): ChatState {
  const state = new ChatState();
  for (const frame of frames) {
    const event = chatEventIn(frame);
    if (event !== undefined) state.apply(event, frame.seq);
  }
  return state;
}

/** Returns the event in a frame's text; undefined if it isn't one. Members that this version doesn't know are kept. */
export function readChatEvent(text: string): ChatEvent | undefined {
  try {
    const value = parseBounded(text);
    return isChatEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isChatEvent(value: unknown): value is ChatEvent {
  if (!isObject(value)) return false;
  const type = own(value, 'type');
  return typeof type === 'string' && Object.hasOwn(EVENTS, type) && EVENTS[type as ChatEvent['type']](value);
}

/** Returns true for valid settings, such as those that a page sends. */
export function isChatSettings(value: unknown): value is ChatSettings {
  return SETTINGS(value);
}

/** Returns true for a part of a message. */
export function isChatPart(value: unknown): value is ChatPart {
  return PART(value);
}

const isCount: TypeCheck = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isAmount: TypeCheck = (value) => Number.isFinite(value) && (value as number) >= 0;

const CALL = objectWith({
  type: oneOf('call'),
  id: isText,
  name: isText,
  arguments: isText,
  signature: optional(isText),
});
/** Parts of a message. Nesting is bounded by the parser. */
const PART: TypeCheck = anyCheck(
  objectWith({ type: oneOf('text'), text: isText }),
  objectWith({ type: oneOf('reasoning'), text: isText, signature: optional(isText) }),
  objectWith({ type: oneOf('media'), mimeType: isText, data: isText, name: optional(isText) }),
  CALL,
  (value) => RESULT(value),
);
const PARTS = listOf(PART);
const RESULT = objectWith({ type: oneOf('result'), id: isText, name: isText, parts: PARTS, isError: isFlag });
const MESSAGE = objectWith({ role: oneOf('user', 'assistant', 'tool'), parts: PARTS });
const LIMITS = objectWith({
  calls: isAmount,
  outputTokens: isAmount,
  seconds: isAmount,
  resultChars: isAmount,
  tokensPerAnswer: optional(isAmount),
});
const SETTINGS = objectWith({
  model: isText,
  baseUrl: optional(isText),
  system: optional(isText),
  toolMode: oneOf('native', 'described'),
  temperature: optional(isNumber),
  limits: LIMITS,
  servers: isTextList,
  withheld: optional(isTextList),
  naming: optional(isText),
  allow: optional(
    objectWith({ mode: oneOf('ask', 'read-only', 'all'), tools: optional(isTextList), written: optional(isTextList) }),
  ),
  price: optional(objectWith({ input: isAmount, output: isAmount, cached: optional(isAmount) })),
});
const TOOL = objectWith({
  name: isText,
  qualified: optional(isText),
  server: isText,
  tool: isText,
  description: optional(isText),
  inputSchema: isObject,
  readOnly: isFlag,
});
const USAGE = objectWith({
  inputTokens: optional(isAmount),
  outputTokens: optional(isAmount),
  cachedTokens: optional(isAmount),
  reasoningTokens: optional(isAmount),
});
const TOKENS = objectWith({
  part: oneOf('system', 'history', 'results', 'tool'),
  name: optional(isText),
  server: optional(isText),
  tokens: isAmount,
});
const LOSS = objectWith({ tool: optional(isText), path: optional(isText), message: isText });
const FAILURE = objectWith({ code: isText, message: isText, advice: isText });
const FAULT = objectWith({ code: oneOf('unknown-tool', 'invalid-json', 'bad-arguments'), message: isText });
const DECISION = anyCheck(
  objectWith({ kind: oneOf('run'), arguments: optional(isText) }),
  objectWith({ kind: oneOf('answer'), text: isText, isError: optional(isFlag) }),
  objectWith({ kind: oneOf('refuse'), reason: optional(isText) }),
);
const REASON = oneOf('stop', 'calls', 'length', 'refusal', 'cancelled', 'error', 'limit');
const PIECE = anyCheck(isText, (value) => Array.isArray(value) && value.length === 2 && value.every(isCount));
const IN_TURN = { turn: isText };
const IN_REQUEST = { turn: isText, request: isCount };
const OF_CALL = { turn: isText, call: isText };

const EVENTS: Readonly<Record<ChatEvent['type'], TypeCheck>> = {
  settings: objectWith({ settings: SETTINGS }),
  user: objectWith({ ...IN_TURN, parent: optional(isText), parts: PARTS }),
  answer: objectWith({ ...IN_TURN, parent: isText }),
  sampling: objectWith({
    ...IN_TURN,
    server: isText,
    connection: isText,
    seq: optional(isCount),
    recording: optional(isText),
    input: optional(isText),
    params: isText,
  }),
  tools: objectWith({ ...IN_TURN, tools: listOf(TOOL) }),
  request: objectWith({
    ...IN_REQUEST,
    url: optional(isText),
    body: optional(isText),
    pieces: optional(listOf(PIECE)),
    bytes: optional(isCount),
    tokens: listOf(TOKENS),
    losses: listOf(LOSS),
  }),
  text: objectWith({ ...IN_REQUEST, text: isText }),
  reasoning: objectWith({ ...IN_REQUEST, text: isText }),
  call: objectWith({
    ...IN_REQUEST,
    call: CALL,
    server: optional(isText),
    tool: optional(isText),
    faults: optional(listOf(FAULT)),
  }),
  response: objectWith({
    ...IN_REQUEST,
    body: isText,
    bytes: optional(isCount),
    status: optional(isNumber),
    reason: REASON,
    usage: optional(USAGE),
    milliseconds: isAmount,
    message: MESSAGE,
  }),
  retry: objectWith({ ...IN_REQUEST, attempt: isCount, waitMs: isAmount, failure: FAILURE }),
  ask: objectWith(OF_CALL),
  decision: objectWith({ ...OF_CALL, decision: DECISION, by: oneOf('person', 'rule', 'loop') }),
  sent: objectWith({ ...OF_CALL, server: isText, connection: isText, seq: isCount, recording: optional(isText) }),
  result: objectWith({
    ...OF_CALL,
    result: RESULT,
    cutFrom: optional(isCount),
    stopped: optional(isTrue),
    milliseconds: isAmount,
  }),
  end: objectWith({ ...IN_TURN, reason: REASON, failure: optional(FAILURE) }),
};
