// Requests of the page to the proxy's chats, over POST /api/chats. Everything that happens in a chat is in its log; the
// answers here only say which log that is, and what there is to choose. Connections are named by their entries (see
// `entryOf`), so that a chat goes on after a restart.
import type { JsonObject } from '@/lib/json/value';
import type { RequestId } from '@/lib/wire/message';
import type { CallDecision, ChatPart, ChatSettings } from './chat-frame';
import type { CutResult } from './cut-result';

export type ChatRequest =
  /** Lists the chats of this run, oldest first. */
  | { readonly kind: 'list' }
  /** Lists models that can be chosen. `provider`: asks this provider for its models, too. */
  | { readonly kind: 'models'; readonly provider?: string; readonly baseUrl?: string }
  /** Starts a chat over these connections. */
  | { readonly kind: 'start'; readonly connections: readonly string[]; readonly settings: ChatSettings }
  /** Changes the settings of the turns that follow, and the connections if they are given. */
  | {
      readonly kind: 'settings';
      readonly chat: string;
      readonly settings: ChatSettings;
      readonly connections?: readonly string[];
    }
  /**
   * Runs a branch of a chat again as a new chat: messages and the model's answers are those of the log `source`. Tools
   * of these connections are live, and others have their recorded results.
   */
  | {
      readonly kind: 'replay';
      readonly source: string;
      /** Last turn of the branch. */
      readonly leaf: string;
      readonly connections: readonly string[];
    }
  /** Adds a person's message after the turn `parent`, and answers it. */
  | { readonly kind: 'send'; readonly chat: string; readonly parent?: string; readonly parts: readonly ChatPart[] }
  /** Answers a person's message once more, beside the earlier answer. */
  | { readonly kind: 'retry'; readonly chat: string; readonly turn: string }
  | {
      readonly kind: 'decide';
      readonly chat: string;
      readonly call: string;
      readonly decision: CallDecision;
      /** Settings from now on, which may allow later calls. */
      readonly settings?: ChatSettings;
    }
  | { readonly kind: 'cancel'; readonly chat: string }
  /** Gives a key. The proxy keeps it in memory only, and it is in no answer. */
  | { readonly kind: 'key'; readonly provider: string; readonly baseUrl?: string; readonly key: string }
  /** Lists the tools, prompts and resources of a chat's servers. */
  | { readonly kind: 'offers'; readonly connections: readonly string[] }
  /** Reads a prompt or a resource of a server, to be put into a message. */
  | {
      readonly kind: 'prompt';
      readonly connection: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'resource'; readonly connection: string; readonly uri: string }
  | { readonly kind: 'forget'; readonly chat: string }
  /** Chooses who answers the sampling requests of a server, from now on. */
  | { readonly kind: 'sampling'; readonly connection: string; readonly choice: SamplingChoice }
  /** Lets the chosen model answer a sampling request that waits. */
  | {
      readonly kind: 'complete';
      readonly connection: string;
      readonly id: RequestId;
      readonly key?: string;
      /** JSON text of the params as the person changed them. Absent: as the server sent them. */
      readonly params?: string;
    }
  /** Stops the model's answer to a sampling request, which still waits. */
  | { readonly kind: 'stop'; readonly connection: string; readonly id: RequestId; readonly key?: string };

/** Who answers the sampling requests of a server. */
export interface SamplingChoice {
  /**
   * `ask`: the person gives each request to the model, or answers it by hand. `review`: the model gets each request at
   * once, and the person sends its answer. `auto`: the answer is sent at once, too.
   */
  readonly mode: 'ask' | 'review' | 'auto';
  /** The model, and the limits of an answer. Other members do not count. */
  readonly settings: ChatSettings;
}

/** Requests of one server that the model answers by itself. Then the person is asked again. */
export const MOST_AUTOMATIC = 100;

/** A chat of this run of the proxy. */
export interface ChatSummary {
  /** Id of its log. */
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The first message of a person, cut. */
  readonly title: string;
  readonly connections: readonly string[];
  /** An answer is being written. */
  readonly busy: boolean;
  /** Path of its recording. */
  readonly recordedIn?: string;
  /** Present for the log of a server's sampling requests, in place of a chat. */
  readonly sampling?: SamplingChoice;
  /** Sampling requests that the model answered by itself since the choice. */
  readonly automatic?: number;
}

/** A model that can be chosen. */
export interface ModelChoice {
  /** `provider:model`. */
  readonly id: string;
  /** Shown beside it: where it is from. */
  readonly note?: string;
}

/** A provider, and what it needs. */
export interface ProviderChoice {
  /** As in `provider:model`. */
  readonly id: string;
  readonly name: string;
  /** A key is there, or none is needed. */
  readonly ready: boolean;
  /** It can be used at once: its key is in the environment or was typed, or its server on this machine runs. */
  readonly found: boolean;
  /** Says what to do to use it; '' if it is ready. */
  readonly advice: string;
  /** It takes a typed key. */
  readonly takesKey: boolean;
}

export interface ModelsReply {
  readonly models: readonly ModelChoice[];
  readonly providers: readonly ProviderChoice[];
}

/** The tools, prompts and resources that a server offers to a chat. */
export interface ServerOffer {
  readonly connection: string;
  /** Its name within the chat. */
  readonly server: string;
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly readOnly: boolean }[];
  readonly prompts: readonly {
    readonly name: string;
    readonly description?: string;
    readonly arguments?: readonly JsonObject[];
  }[];
  readonly resources: readonly { readonly uri: string; readonly name: string; readonly mimeType?: string }[];
}

/** The answer to each kind of request. Kinds not listed answer `{}`. */
export interface ChatReplies {
  readonly list: readonly ChatSummary[];
  readonly models: ModelsReply;
  readonly start: { readonly chat: string };
  readonly sampling: { readonly chat: string };
  readonly replay: { readonly chat: string };
  readonly offers: readonly ServerOffer[];
  readonly prompt: CutResult;
  readonly resource: CutResult;
}
