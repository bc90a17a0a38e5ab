import type { Session } from '@/proxy/library/api';
import type { JsonObject } from '@/proxy/library/mcp-types';

/** How to let a model answer. */
export interface ChatOptions {
  /** `provider:model`, such as `ollama:mistral-small`, or `scripted:FILE`. */
  readonly model: string;
  /** Base URL of the model, in place of the provider default. */
  readonly modelUrl?: string;
  /** Default: the provider’s environment variable, such as `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** Sessions by the name that the model sees. They stay open. */
  readonly servers?: { readonly [name: string]: Session };
  /** The conversation. The last message is of the user. */
  readonly messages: readonly ChatMessage[];
  readonly system?: string;
  readonly temperature?: number;
  /** How tools reach the model: by its own fields, or described in the system prompt. Default: as the model can. */
  readonly toolMode?: 'native' | 'described';
  /**
   * Pattern of a tool’s name for the model. Default: `{server?}__{tool}`. A single server leaves out `{server?}__`.
   */
  readonly naming?: string;
  readonly limits?: Partial<ChatLimits>;
  /**
   * Calls that run without `decide`: none (default), those of tools with `readOnlyHint: true`, all, or those of tools
   * by name. A name that no session has rejects.
   */
  readonly allow?: 'read-only' | 'all' | readonly string[];
  /**
   * Decides all other calls. Without it they are refused, which the model sees as their results. A result that is not a
   * {@link CallDecision} ends the answer and rejects.
   */
  readonly decide?: (call: AskedCall) => CallDecision | Promise<CallDecision>;
  /** Gets the text as it streams. */
  readonly onText?: (text: string) => void;
  /** Cancels the answer. */
  readonly signal?: AbortSignal;
  /** Allows endpoints with link-local addresses and cloud metadata. */
  readonly allowLinkLocal?: boolean;
}

/** Bounds of one answer. */
export interface ChatLimits {
  /** Most tool calls. Default: 20. */
  readonly calls: number;
  /** Most tokens that the model may write in one request. Default: 4096. */
  readonly outputTokens: number;
  /** Most tokens of all requests and of what the model writes, counted or estimated. Default: 1,000,000. */
  readonly tokensPerAnswer: number;
  /** Most seconds, without waiting for `decide`. Default: 300. */
  readonly seconds: number;
  /** Most characters of a tool’s result that the model gets. Default: 100,000. */
  readonly resultChars: number;
}

/** A message of a conversation. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** A string is one text. */
  readonly content: string | readonly ChatPart[];
}

/** A part of a message, in the same form for every provider. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly signature?: string }
  | { readonly type: 'media'; readonly mimeType: string; readonly data: string; readonly name?: string }
  | {
      readonly type: 'call';
      readonly id: string;
      /** As the model sees the tool. */
      readonly name: string;
      /** JSON text, as the model wrote it. */
      readonly arguments: string;
      readonly signature?: string;
    }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly name: string;
      readonly parts: readonly ChatPart[];
      readonly isError: boolean;
    };

/** A call that waits for a decision. */
export interface AskedCall {
  /** As the model sees the tool. */
  readonly name: string;
  readonly server: string;
  /** As the server names it. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Only an explicit `readOnlyHint: true`. */
  readonly readOnly: boolean;
  /** Aborted when the answer has ended. */
  readonly signal: AbortSignal;
}

/** Run the call, refuse it, or answer in the tool’s place. */
export type CallDecision = 'run' | 'refuse' | { readonly answer: string; readonly isError?: boolean };

/** The answer of the model, and its calls. */
export interface ChatAnswer {
  readonly text: string;
  /** `stop` is the usual end. `limit`: one of {@link ChatLimits} was reached. `error`: see `failure`. */
  readonly reason: 'stop' | 'length' | 'refusal' | 'cancelled' | 'limit' | 'error' | (string & {});
  readonly failure?: { readonly code: string; readonly message: string; readonly advice: string };
  readonly calls: readonly ChatCall[];
  readonly tokens: {
    /** As the provider counted them; undefined if it did not. */
    readonly input: number | undefined;
    readonly output: number | undefined;
    /** Estimate of all requests together. */
    readonly estimated: number;
  };
  /** The whole conversation, to go on with. */
  readonly messages: readonly ChatMessage[];
}

/** A call that the model asked for. */
export interface ChatCall {
  readonly name: string;
  /** undefined for a tool that was not offered. */
  readonly server: string | undefined;
  readonly tool: string | undefined;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
  /** `failed` ran and has an error. `answered` was answered by `decide`. */
  readonly state: 'done' | 'failed' | 'answered' | 'refused' | 'stopped';
  /** The text that the model got. */
  readonly result: string;
  /** Number of the request in the session’s `frames()`, if it was sent. */
  readonly frame: number | undefined;
}
