// The loop's view of a model and of servers. Providers, the scripted model and recorded answers implement `Model`;
// connections of the proxy, of subcommands and recordings implement `ChatServer`.
import type { JsonObject } from '@/lib/json/value';
import type {
  ChatMessage,
  ChatPart,
  DialectLoss,
  OfferedTool,
  StopReason,
  ToolCallPart,
  ToolMode,
  Usage,
} from './chat-frame';

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  readonly temperature?: number;
  readonly outputTokens: number;
  /** Whether the model may, must or must not call a tool; `auto` unless set. Set by sampling requests only. */
  readonly toolChoice?: 'auto' | 'required' | 'none';
  /** Texts that end the answer. Set by sampling requests only. */
  readonly stopSequences?: readonly string[];
  /** Tools and calls before they were described as text. Only for models without a network. */
  readonly undescribed?: Pick<ModelRequest, 'messages' | 'tools'>;
}

/** A piece of a model's answer. The last one is `end`. */
export type ModelEvent =
  /** Exactly what goes out, before it does. */
  | { readonly type: 'request'; readonly url?: string; readonly body: string; readonly losses: readonly DialectLoss[] }
  /** A `signature` ends a piece of reasoning, whose text may be empty. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly signature?: string }
  | { readonly type: 'call'; readonly call: Omit<ToolCallPart, 'type'> }
  | {
      readonly type: 'end';
      readonly reason: StopReason;
      readonly usage?: Usage;
      readonly status?: number;
      /** Exactly what came in, as far as it was read; `bytes` of the whole if that is more. */
      readonly body: string;
      readonly bytes?: number;
    };

/** A model that can be asked. One object may answer several requests side by side. */
export interface Model {
  /** `provider:model`. */
  readonly id: string;
  /** How tools reach it unless somebody chooses. */
  readonly toolMode: ToolMode;
  /** Digest of its script. With another one it answers otherwise. */
  readonly digest?: string;
  /**
   * Asks once, without retries. Throws a {@link ModelError}, or the signal's reason. Tools are given in the request's
   * own fields; the loop describes them in the system prompt instead where {@link ToolMode} says so.
   */
  ask(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** A request to a model failed. */
export class ModelError extends Error {
  constructor(
    /** Such as `unauthorized`, `rate-limited`, `overloaded`, `unreachable`, `broken-stream`, `refused-by-policy`. */
    readonly code: string,
    message: string,
    readonly advice: string,
    readonly more: {
      /** Trying again later may help. */
      readonly retry?: boolean;
      /** Milliseconds that the provider asks us to wait. */
      readonly retryAfterMs?: number;
      readonly status?: number;
      /** Exactly what the provider answered, as far as it was read. */
      readonly body?: string;
    } = {},
  ) {
    super(message);
  }
}

/** One server of a chat. */
export interface ChatServer {
  /** Unique within the chat. */
  readonly name: string;
  /** Id of its connection, whose log has the frames of its calls. */
  readonly connection: string;
  /** Name of the file that records the connection, if that is not known by `connection`. */
  readonly recording?: string | undefined;
  tools(): Promise<readonly ModelTool[]>;
  prompts(): Promise<
    readonly { readonly name: string; readonly description?: string; readonly arguments?: readonly JsonObject[] }[]
  >;
  resources(): Promise<readonly { readonly uri: string; readonly name: string; readonly mimeType?: string }[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly ChatMessage[]>;
  readResource(uri: string, signal: AbortSignal): Promise<readonly ChatPart[]>;
  /** Calls a tool. `onSent` gets the seq of the request's frame. Rejects only with the signal's reason. */
  callTool(
    tool: string,
    args: JsonObject,
    options: {
      readonly signal: AbortSignal;
      /** The arguments as the model wrote them, with all digits. */
      readonly text: string;
      readonly onSent: (seq: number) => void;
      /** Says that the call waits for a person, who answers the server's question, or that it no longer does. */
      readonly onWaiting?: (waiting: boolean) => void;
    },
  ): Promise<{ readonly parts: readonly ChatPart[]; readonly isError: boolean; readonly structured?: unknown }>;
}

/** A tool as its server lists it. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: { readonly readOnlyHint?: unknown };
}
