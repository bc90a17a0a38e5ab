// A chat is a log of its own. Its frames are of channel `model`, and each holds one of these events as JSON. Turns form
// a tree: editing or trying again adds a turn beside the old one, so nothing that was said is lost. Anyone can have
// written a recording, so every member has a check.
import {
  anyCheck,
  type Checked,
  type Guard,
  isCount,
  isFlag,
  isNumber,
  isObject,
  isText,
  isTextList,
  isTrue,
  kindsWith,
  listOf,
  objectWith,
  oneOf,
  optional,
} from '@/lib/json/value';

const isAmount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

/** Calls that need no decision: none, those of tools that are explicitly read-only, or all; and those of some tools. */
const ALLOWANCE = objectWith({
  mode: oneOf('ask', 'read-only', 'all'),
  /** Qualified names of tools. */
  tools: optional(isTextList),
  /**
   * Names that somebody wrote before the tools were listed: qualified, as the model sees them or, if no offered tool
   * has such a name for the model, as a server names them.
   */
  written: optional(isTextList),
});
export type Allowance = Checked<typeof ALLOWANCE>;

/** Cost of a million tokens, in any currency. */
const PRICE = objectWith({
  input: isAmount,
  output: isAmount,
  /** The same as `input` unless set. */
  cached: optional(isAmount),
});
export type Price = Checked<typeof PRICE>;

/** Bounds of one answer to a person's message. */
const LIMITS = objectWith({
  /** Most tool calls. */
  calls: isAmount,
  /** Most tokens that the model may write in one request. */
  outputTokens: isAmount,
  /** Most seconds from the person's message to the end of the answer. Waiting for the person does not count. */
  seconds: isAmount,
  /** Most characters of a tool's result that the model gets. */
  resultChars: isAmount,
  /** Most tokens of all requests of the answer and of what the model writes. Absent: no limit. */
  tokensPerAnswer: optional(isAmount),
});
export type ChatLimits = Checked<typeof LIMITS>;

export const USUAL_LIMITS: Required<ChatLimits> = {
  calls: 20,
  outputTokens: 4096,
  seconds: 300,
  resultChars: 100_000,
  tokensPerAnswer: 1_000_000,
};

/** Accepts a person's choices for the turns that follow. They never hold a key. */
export const isChatSettings = objectWith({
  /** `provider:model`, such as `ollama:mistral-small` or `scripted:rules.yaml`. */
  model: isText,
  /** Address of the provider, if it is not its usual one. */
  baseUrl: optional(isText),
  system: optional(isText),
  /** How tools reach the model: by the provider's own fields, or described in the system prompt, with a JSON answer. */
  toolMode: oneOf('native', 'described'),
  temperature: optional(isNumber),
  limits: LIMITS,
  /** Names of the servers whose tools are offered, in order. */
  servers: isTextList,
  /** Qualified names of tools that are not offered. */
  withheld: optional(isTextList),
  /** Pattern of a tool's name for the model. Absent in earlier recordings: `{server}__{tool}`. */
  naming: optional(isText),
  /** Calls that run without asking. Don't take it over from a file of somebody else without asking. */
  allow: optional(ALLOWANCE),
  price: optional(PRICE),
});
export type ChatSettings = Checked<typeof isChatSettings>;
export type ToolMode = ChatSettings['toolMode'];

/** A call as the model wrote it. */
const CALL = objectWith({
  type: oneOf('call'),
  /** Unique within the chat. */
  id: isText,
  /** As the model named the tool. */
  name: isText,
  /** JSON text, which may be invalid. */
  arguments: isText,
  /** Text that the provider wants back with the call. Only the model that wrote the call gets it. */
  signature: optional(isText),
});
export type ToolCallPart = Checked<typeof CALL>;

/** The model's copy of a call's result. */
export interface ToolResultPart {
  readonly type: 'result';
  readonly id: string;
  readonly name: string;
  readonly parts: readonly ChatPart[];
  readonly isError: boolean;
}

/** Accepts the parts that a person's message may have. */
export const isPersonsPart = anyCheck(
  objectWith({ type: oneOf('text'), text: isText }),
  objectWith({ type: oneOf('media'), mimeType: isText, data: isText, name: optional(isText) }),
);
/** Accepts a part of a message, in the same form for every provider. Nesting is bounded by the parser. */
export const isChatPart = anyCheck(
  isPersonsPart,
  /** `signature` is text that the provider wants back, and that only it can read. */
  objectWith({ type: oneOf('reasoning'), text: isText, signature: optional(isText) }),
  CALL,
  (value: unknown): value is ToolResultPart => RESULT(value),
);
export type ChatPart = Checked<typeof isChatPart>;
const PARTS = listOf(isChatPart);
const RESULT: Guard<ToolResultPart> = objectWith({
  type: oneOf('result'),
  id: isText,
  name: isText,
  parts: PARTS,
  isError: isFlag,
});

const MESSAGE = objectWith({ role: oneOf('user', 'assistant', 'tool'), parts: PARTS });
export type ChatMessage = Checked<typeof MESSAGE>;

/** A mistake in a call. A call with bad arguments is still sent: its server's author wants to see the answer. */
const FAULT = objectWith({
  code: oneOf('unknown-tool', 'invalid-json', 'bad-arguments'),
  /** One sentence. */
  message: isText,
});
export type CallFault = Checked<typeof FAULT>;

/** A tool as it is offered to the model. */
const TOOL = objectWith({
  /** As the model sees it. */
  name: isText,
  /** Its name with its server's, if `name` leaves that out. */
  qualified: optional(isText),
  server: isText,
  /** As the server names it. */
  tool: isText,
  description: optional(isText),
  inputSchema: isObject,
  /** Only an explicit `true` of the server's annotations. */
  readOnly: isFlag,
});
export type OfferedTool = Checked<typeof TOOL>;

/** Tokens as a provider counted them. A provider may leave out any of them. */
const USAGE = objectWith({
  inputTokens: optional(isAmount),
  outputTokens: optional(isAmount),
  cachedTokens: optional(isAmount),
  reasoningTokens: optional(isAmount),
});
export type Usage = Checked<typeof USAGE>;

/** Estimated tokens of one part of a request. */
const TOKENS = objectWith({
  part: oneOf('system', 'history', 'results', 'tool'),
  /** A tool's name as the model sees it, and its server. */
  name: optional(isText),
  server: optional(isText),
  tokens: isAmount,
});
export type TokenPart = Checked<typeof TOKENS>;

/** Something that a provider's dialect changed in what we meant to send. */
const LOSS = objectWith({
  /** A tool's name as the model sees it, if it is about a tool. */
  tool: optional(isText),
  /** JSON Pointer into the tool's `inputSchema`. */
  path: optional(isText),
  message: isText,
});
export type DialectLoss = Checked<typeof LOSS>;

/** Accepts a decision on a call. */
export const isCallDecision = anyCheck(
  /** `arguments`: JSON text that the person wrote in the place of the model's. */
  objectWith({ kind: oneOf('run'), arguments: optional(isText) }),
  /** The person answers in the tool's place. */
  objectWith({ kind: oneOf('answer'), text: isText, isError: optional(isFlag) }),
  objectWith({ kind: oneOf('refuse'), reason: optional(isText) }),
);
export type CallDecision = Checked<typeof isCallDecision>;

/** Why the model stopped writing. */
const REASON = oneOf('stop', 'calls', 'length', 'refusal', 'cancelled', 'error', 'limit');
export type StopReason = Checked<typeof REASON>;

/** A failure as the person reads it: one sentence, and what to do. */
const FAILURE = objectWith({ code: isText, message: isText, advice: isText });
export type ChatFailure = Checked<typeof FAILURE>;

/** A part of a request's body: its text, or where an earlier frame has it. */
const PIECE = anyCheck(
  isText,
  (value: unknown): value is readonly [seq: number, piece: number] =>
    Array.isArray(value) && value.length === 2 && value.every(isCount),
);
export type BodyPiece = Checked<typeof PIECE>;

const IN_TURN = { turn: isText };
/** `request`: number of the request within its turn, from 1. A retry has the number of the failed one. */
const IN_REQUEST = { turn: isText, request: isCount };
const OF_CALL = { turn: isText, call: isText };

/**
 * Accepts an event of a chat. `turn` names the turn that it belongs to: a person's message (`user`), one answer of the
 * model (`answer`), from its first request until it ends, with all its calls, or a completion for a server
 * (`sampling`).
 */
export const isChatEvent = kindsWith('type', {
  settings: { settings: isChatSettings },
  user: {
    ...IN_TURN,
    /** The turn that it follows; none for a first message. */
    parent: optional(isText),
    parts: PARTS,
  },
  answer: { ...IN_TURN, parent: isText },
  /** A server asks for a completion. A turn of its own, outside the tree, with one request. */
  sampling: {
    ...IN_TURN,
    server: isText,
    connection: isText,
    /** Number of the request's frame in the log of this connection. */
    seq: optional(isCount),
    /** Name of the file that records the connection. */
    recording: optional(isText),
    /** Name of the question, if the frame asks several (2026-07-28). */
    input: optional(isText),
    /** JSON text of the params, as the person let them pass. */
    params: isText,
  },
  /** The tools that requests offer from now on. Written before the first request, and when they have changed. */
  tools: { ...IN_TURN, tools: listOf(TOOL) },
  request: {
    ...IN_REQUEST,
    url: optional(isText),
    /** Exactly what the provider got, without keys. Absent if there are `pieces`; `bodyOf` reads either. */
    body: optional(isText),
    pieces: optional(listOf(PIECE)),
    /** Bytes of the whole request, if `body` is only its beginning. */
    bytes: optional(isCount),
    tokens: listOf(TOKENS),
    losses: listOf(LOSS),
  },
  text: { ...IN_REQUEST, text: isText },
  reasoning: { ...IN_REQUEST, text: isText },
  call: {
    ...IN_REQUEST,
    call: CALL,
    /** The tool that is meant; none if its name is unknown. */
    server: optional(isText),
    tool: optional(isText),
    faults: optional(listOf(FAULT)),
  },
  response: {
    ...IN_REQUEST,
    /** Exactly what the provider answered, as far as it was read. */
    body: isText,
    /** Bytes of the whole answer, if `body` is only its beginning. */
    bytes: optional(isCount),
    status: optional(isNumber),
    reason: REASON,
    usage: optional(USAGE),
    milliseconds: isAmount,
    /** The model's message as later requests repeat it. */
    message: MESSAGE,
  },
  /** The request failed, and is sent again after a while. `attempt`: number of the coming one, from 2. */
  retry: { ...IN_REQUEST, attempt: isCount, waitMs: isAmount, failure: FAILURE },
  /** A call waits for the person's decision. */
  ask: OF_CALL,
  decision: { ...OF_CALL, decision: isCallDecision, by: oneOf('person', 'rule', 'loop') },
  /** The call as the server got it: number of its frame in the log of this connection. */
  sent: {
    ...OF_CALL,
    server: isText,
    connection: isText,
    seq: isCount,
    /** Name of the file that records the connection. */
    recording: optional(isText),
  },
  result: {
    ...OF_CALL,
    result: RESULT,
    /** Characters of the whole result, if the model got only its beginning. */
    cutFrom: optional(isCount),
    /** The answer was stopped before the call had a result. */
    stopped: optional(isTrue),
    milliseconds: isAmount,
  },
  end: { ...IN_TURN, reason: REASON, failure: optional(FAILURE) },
});
export type ChatEvent = Checked<typeof isChatEvent>;
