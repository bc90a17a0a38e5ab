// A chat is a log of its own. Its frames are of channel `model`, and each holds one of these events as JSON. Turns form
// a tree: editing or trying again adds a turn beside the old one, so nothing that was said is lost.
import type { JsonObject } from '@/lib/json/value';

/** A person's choices for the turns that follow. Never holds a key. */
export interface ChatSettings {
  /** `provider:model`, such as `ollama:mistral-small` or `scripted:rules.yaml`. */
  readonly model: string;
  /** Address of the provider, if it is not its usual one. */
  readonly baseUrl?: string;
  readonly system?: string;
  /** How tools reach the model: by the provider's own fields, or described in the system prompt, with a JSON answer. */
  readonly toolMode: ToolMode;
  readonly temperature?: number;
  readonly limits: ChatLimits;
  /** Names of the servers whose tools are offered, in order. */
  readonly servers: readonly string[];
  /** Qualified names of tools that are not offered. */
  readonly withheld?: readonly string[];
  /** Pattern of a tool's name for the model. Absent in earlier recordings: `{server}__{tool}`. */
  readonly naming?: string;
  /** Calls that run without asking. Don't take it over from a file of somebody else without asking. */
  readonly allow?: Allowance;
  readonly price?: Price;
}

/** Calls that need no decision: none, those of tools that are explicitly read-only, or all; and those of some tools. */
export interface Allowance {
  readonly mode: 'ask' | 'read-only' | 'all';
  /** Qualified names of tools. */
  readonly tools?: readonly string[];
  /**
   * Names that somebody wrote before the tools were listed: qualified, as the model sees them or, if no offered tool
   * has such a name for the model, as a server names them.
   */
  readonly written?: readonly string[];
}

/** Cost of a million tokens, in any currency. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** The same as `input` unless set. */
  readonly cached?: number;
}

export type ToolMode = 'native' | 'described';

/** Bounds of one answer to a person's message. */
export interface ChatLimits {
  /** Most tool calls. */
  readonly calls: number;
  /** Most tokens that the model may write in one request. */
  readonly outputTokens: number;
  /** Most seconds from the person's message to the end of the answer. Waiting for the person does not count. */
  readonly seconds: number;
  /** Most characters of a tool's result that the model gets. */
  readonly resultChars: number;
  /** Most tokens of all requests of the answer and of what the model writes. Absent: no limit. */
  readonly tokensPerAnswer?: number;
}

export const USUAL_LIMITS: Required<ChatLimits> = {
  calls: 20,
  outputTokens: 4096,
  seconds: 300,
  resultChars: 100_000,
  tokensPerAnswer: 1_000_000,
};

/** A part of a message, in the same form for every provider. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  /** `signature` is text that the provider wants back, and that only it can read. */
  | { readonly type: 'reasoning'; readonly text: string; readonly signature?: string }
  | { readonly type: 'media'; readonly mimeType: string; readonly data: string; readonly name?: string }
  | ToolCallPart
  | ToolResultPart;

/** A call as the model wrote it. */
export interface ToolCallPart {
  readonly type: 'call';
  /** Unique within the chat. */
  readonly id: string;
  /** As the model named the tool. */
  readonly name: string;
  /** JSON text, which may be invalid. */
  readonly arguments: string;
  /** Text that the provider wants back with the call. Only the model that wrote the call gets it. */
  readonly signature?: string;
}

/** A mistake in a call. A call with bad arguments is still sent: its server's author wants to see the answer. */
export interface CallFault {
  readonly code: 'unknown-tool' | 'invalid-json' | 'bad-arguments';
  /** One sentence. */
  readonly message: string;
}

/** The model's copy of a call's result. */
export interface ToolResultPart {
  readonly type: 'result';
  readonly id: string;
  readonly name: string;
  readonly parts: readonly ChatPart[];
  readonly isError: boolean;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly ChatPart[];
}

/** A tool as it is offered to the model. */
export interface OfferedTool {
  /** As the model sees it. */
  readonly name: string;
  /** Its name with its server's, if `name` leaves that out. */
  readonly qualified?: string;
  readonly server: string;
  /** As the server names it. */
  readonly tool: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** Only an explicit `true` of the server's annotations. */
  readonly readOnly: boolean;
}

/** Tokens as a provider counted them. A provider may leave out any of them. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
}

/** Estimated tokens of one part of a request. */
export interface TokenPart {
  readonly part: 'system' | 'history' | 'results' | 'tool';
  /** A tool's name as the model sees it, and its server. */
  readonly name?: string;
  readonly server?: string;
  readonly tokens: number;
}

/** Something that a provider's dialect changed in what we meant to send. */
export interface DialectLoss {
  /** A tool's name as the model sees it, if it is about a tool. */
  readonly tool?: string;
  /** JSON Pointer into the tool's `inputSchema`. */
  readonly path?: string;
  readonly message: string;
}

export type CallDecision =
  /** `arguments`: JSON text that the person wrote in the place of the model's. */
  | { readonly kind: 'run'; readonly arguments?: string }
  /** The person answers in the tool's place. */
  | { readonly kind: 'answer'; readonly text: string; readonly isError?: boolean }
  | { readonly kind: 'refuse'; readonly reason?: string };

/** Why the model stopped writing. */
export type StopReason = 'stop' | 'calls' | 'length' | 'refusal' | 'cancelled' | 'error' | 'limit';

/** A failure as the person reads it: one sentence, and what to do. */
export interface ChatFailure {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
}

/** A part of a request's body: its text, or where an earlier frame has it. */
export type BodyPiece = string | readonly [seq: number, piece: number];

/**
 * One event of a chat. `turn` names the turn that it belongs to: a person's message (`user`), one answer of the model
 * (`answer`), from its first request until it ends, with all its calls, or a completion for a server (`sampling`).
 */
export type ChatEvent =
  | { readonly type: 'settings'; readonly settings: ChatSettings }
  | {
      readonly type: 'user';
      readonly turn: string;
      /** The turn that it follows; none for a first message. */
      readonly parent?: string;
      readonly parts: readonly ChatPart[];
    }
  | { readonly type: 'answer'; readonly turn: string; readonly parent: string }
  /** A server asks for a completion. A turn of its own, outside the tree, with one request. */
  | {
      readonly type: 'sampling';
      readonly turn: string;
      readonly server: string;
      readonly connection: string;
      /** Number of the request's frame in the log of this connection. */
      readonly seq?: number;
      /** Name of the file that records the connection. */
      readonly recording?: string;
      /** Name of the question, if the frame asks several (2026-07-28). */
      readonly input?: string;
      /** JSON text of the params, as the person let them pass. */
      readonly params: string;
    }
  /** The tools that requests offer from now on. Written before the first request, and when they have changed. */
  | { readonly type: 'tools'; readonly turn: string; readonly tools: readonly OfferedTool[] }
  | {
      readonly type: 'request';
      readonly turn: string;
      /** Number of the request within its turn, from 1. A retry has the number of the failed one. */
      readonly request: number;
      readonly url?: string;
      /** Exactly what the provider got, without keys. Absent if there are `pieces`; `bodyOf` reads either. */
      readonly body?: string;
      readonly pieces?: readonly BodyPiece[];
      /** Bytes of the whole request, if `body` is only its beginning. */
      readonly bytes?: number;
      readonly tokens: readonly TokenPart[];
      readonly losses: readonly DialectLoss[];
    }
  | { readonly type: 'text' | 'reasoning'; readonly turn: string; readonly request: number; readonly text: string }
  | {
      readonly type: 'call';
      readonly turn: string;
      readonly request: number;
      readonly call: ToolCallPart;
      /** The tool that is meant; none if its name is unknown. */
      readonly server?: string;
      readonly tool?: string;
      readonly faults?: readonly CallFault[];
    }
  | {
      readonly type: 'response';
      readonly turn: string;
      readonly request: number;
      /** Exactly what the provider answered, as far as it was read. */
      readonly body: string;
      /** Bytes of the whole answer, if `body` is only its beginning. */
      readonly bytes?: number;
      readonly status?: number;
      readonly reason: StopReason;
      readonly usage?: Usage;
      readonly milliseconds: number;
      /** The model's message as later requests repeat it. */
      readonly message: ChatMessage;
    }
  /** The request failed, and is sent again after a while. */
  | {
      readonly type: 'retry';
      readonly turn: string;
      readonly request: number;
      /** Number of the coming attempt, from 2. */
      readonly attempt: number;
      readonly waitMs: number;
      readonly failure: ChatFailure;
    }
  /** A call waits for the person's decision. */
  | { readonly type: 'ask'; readonly turn: string; readonly call: string }
  | {
      readonly type: 'decision';
      readonly turn: string;
      readonly call: string;
      readonly decision: CallDecision;
      readonly by: 'person' | 'rule' | 'loop';
    }
  /** The call as the server got it: number of its frame in the log of this connection. */
  | {
      readonly type: 'sent';
      readonly turn: string;
      readonly call: string;
      readonly server: string;
      readonly connection: string;
      readonly seq: number;
      /** Name of the file that records the connection. */
      readonly recording?: string;
    }
  | {
      readonly type: 'result';
      readonly turn: string;
      readonly call: string;
      readonly result: ToolResultPart;
      /** Characters of the whole result, if the model got only its beginning. */
      readonly cutFrom?: number;
      /** The answer was stopped before the call had a result. */
      readonly stopped?: true;
      readonly milliseconds: number;
    }
  | { readonly type: 'end'; readonly turn: string; readonly reason: StopReason; readonly failure?: ChatFailure };
