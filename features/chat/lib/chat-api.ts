// Requests of the page to the proxy's chats, over POST /api/chats. Everything that happens in a chat is in its log; the
// answers here only say which log that is, and what there is to choose. Connections are named by their entries (see
// `entryOf`), so that a chat goes on after a restart.
import {
  anyCheck,
  type Checked,
  type Guard,
  isNumber,
  isObject,
  isText,
  isTextList,
  type JsonObject,
  kindsWith,
  listOf,
  objectWith,
  oneOf,
  optional,
} from '@/lib/json/value';
import { type ChatPart, isCallDecision, isChatSettings, isPersonsPart } from './chat-frame';
import type { CutResult } from './cut-result';

/** Who answers the sampling requests of a server. */
const isSamplingChoice = objectWith({
  /**
   * `ask`: the person gives each request to the model, or answers it by hand. `review`: the model gets each request at
   * once, and the person sends its answer. `auto`: the answer is sent at once, too.
   */
  mode: oneOf('ask', 'review', 'auto'),
  /** The model, and the limits of an answer. Other members do not count. */
  settings: isChatSettings,
});
export type SamplingChoice = Checked<typeof isSamplingChoice>;

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every(isText);
/** A person's message holds only text and media. */
const isPersonsMessage: Guard<readonly ChatPart[]> = listOf(isPersonsPart);
const isId = anyCheck(isText, isNumber);

/** Accepts a request of the page. */
export const isChatRequest = kindsWith('kind', {
  /** Lists the chats of this run, oldest first. */
  list: {},
  /** Lists models that can be chosen. `provider`: asks this provider for its models, too. */
  models: { provider: optional(isText), baseUrl: optional(isText) },
  /** Starts a chat over these connections. */
  start: { connections: isTextList, settings: isChatSettings },
  /** Changes the settings of the turns that follow, and the connections if they are given. */
  settings: { chat: isText, settings: isChatSettings, connections: optional(isTextList) },
  /**
   * Runs a branch of a chat again as a new chat: messages and the model's answers are those of the log `source`. Tools
   * of these connections are live, and others have their recorded results. `leaf`: last turn of the branch.
   */
  replay: { source: isText, leaf: isText, connections: isTextList },
  /** Adds a person's message after the turn `parent`, and answers it. */
  send: { chat: isText, parent: optional(isText), parts: isPersonsMessage },
  /** Answers a person's message once more, beside the earlier answer. */
  retry: { chat: isText, turn: isText },
  /** `settings`: those from now on, which may allow later calls. */
  decide: { chat: isText, call: isText, decision: isCallDecision, settings: optional(isChatSettings) },
  cancel: { chat: isText },
  /** Gives a key. The proxy keeps it in memory only, and it is in no answer. */
  key: { provider: isText, baseUrl: optional(isText), key: isText },
  /** Lists the tools, prompts and resources of a chat's servers. */
  offers: { connections: isTextList },
  /** Reads a prompt or a resource of a server, to be put into a message. */
  prompt: { connection: isText, name: isText, arguments: isTexts },
  resource: { connection: isText, uri: isText },
  forget: { chat: isText },
  /** Chooses who answers the sampling requests of a server, from now on. */
  sampling: { connection: isText, choice: isSamplingChoice },
  /**
   * Lets the chosen model answer a sampling request that waits. `params`: JSON text of the params as the person changed
   * them. Absent: as the server sent them.
   */
  complete: { connection: isText, id: isId, key: optional(isText), params: optional(isText) },
  /** Stops the model's answer to a sampling request, which still waits. */
  stop: { connection: isText, id: isId, key: optional(isText) },
});
export type ChatRequest = Checked<typeof isChatRequest>;

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
