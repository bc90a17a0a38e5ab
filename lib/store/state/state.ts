import type { JsonObject } from '@/lib/json/value';
import type { Root } from '@/lib/wire/connection-settings';
import type { AuthorizationStep, ConnectionState, Era, Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RequestId, RpcError } from '@/lib/wire/message';
import type { ItemChanges } from '../list-changes';
import type { NotesState } from './notes';
import type { TasksState } from './tasks';

export type StartEvent = Extract<LifecycleEvent, { event: 'start' }>;

/** Facts about the connection, from lifecycle frames. */
export interface ConnectionFacts {
  readonly state: ConnectionState;
  readonly start?: StartEvent;
  readonly transport?: 'stdio' | 'http' | 'sse';
  /** pid of the newest process, which may have ended: see `exit`. */
  readonly pid?: number;
  /** seq of the newest process's start. Earlier frames belong to a process that was started only for the probe. */
  readonly spawnedSeq?: number;
  /** Path of the Python interpreter that runs, and of one in the project's virtual environment. Absent for others. */
  readonly program?: string | undefined;
  readonly venv?: string | undefined;
  /** Progress of auto mode's probe. Absent before it was sent, or without one. */
  readonly probe?: 'asked' | 'silent' | 'over';
  /** Set if the probe needed two processes: the era that it found. */
  readonly startedTwice?: Era;
  /** True once the connection was open, with or without a handshake. */
  readonly opened?: true;
  readonly era?: Era;
  readonly version?: string;
  readonly failure?: Failure;
  /** Set while the server is unreachable: the reason, its frame, and the milliseconds before the first retry. */
  readonly unreachable?: Failure & { readonly seq: number; readonly retryMs: number };
  /** How the client presents itself since the user changed that. Read it, or `start`, with `readProfile`. */
  readonly profile?: unknown;
  /** The client's roots. */
  readonly roots?: readonly Root[];
  /** The log level that modern requests ask for. */
  readonly logLevel?: string;
  /** How the client sees the tools: the overlay file's text, and how many notifications it got. */
  readonly overlay?: {
    readonly text: string;
    readonly file: string | undefined;
    readonly notified: number;
    readonly seq: number;
  };
  /** Progress of authorization, if the server requires it. */
  readonly authorization?: AuthorizationStep;
  /** How the newest process ended; absent while it runs. */
  readonly exit?: {
    readonly code: number | null;
    readonly signal: string | null;
    /** True if the client ended it. */
    readonly byUs?: true;
  };
  /** Why recording failed. */
  readonly recordingFailed?: string;
  /** Why the client ended the connection. */
  readonly closing?: Extract<LifecycleEvent, { event: 'closing' }>['reason'];
  /** 0 before the first lifecycle frame. */
  readonly lastLifecycleSeq: number;
  /** seqs of the lifecycle frames, oldest first. */
  readonly seqs: readonly number[];
}

/** Facts about the connection, from http frames. */
export interface HttpFacts {
  /** The response that started the session. Servers repeat its id. */
  readonly sessionSeq?: number;
  /** The client's `MCP-Protocol-Version` header. */
  readonly version?: string;
  /** The newest request for the Server Card. */
  readonly cardSeq?: number;
  /** Set if the newest POST got no response: the frame and the reason. */
  readonly failing?: { readonly seq: number; readonly code: string; readonly message: string };
  /**
   * The newest reconnect attempt. `retryMs`: milliseconds until the next attempt; absent while this attempt is in
   * progress.
   */
  readonly attempt?: { readonly seq: number; readonly retryMs?: number; readonly message?: string };
}

/** `serverInfo` as sent, with `name` and `version` as strings ('' if invalid). */
export type ServerInfo = JsonObject & { readonly name: string; readonly version: string; readonly title?: string };

/** Facts from the newest response to `initialize` or `server/discover`. */
export interface ServerFacts {
  readonly info?: ServerInfo;
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  /** seq of that response. */
  readonly seq?: number;
}

/** A listed item. Malformed ones are kept, so that they can be shown. */
export interface ListEntry {
  /** Unique in its list and stable when the list is read again: the name or uri, with `#2` added to a duplicate. */
  readonly key: string;
  /** '' if missing. */
  readonly name: string;
  /** The item as sent; {} if it is not an object. */
  readonly raw: JsonObject;
  /** seq of the response that listed it. */
  readonly seq: number;
  /** The item's index in that response's array. */
  readonly place: number;
  /** The problem with the item, as one sentence. */
  readonly problem?: string;
}
export type ToolEntry = ListEntry;
export type PromptEntry = ListEntry;
export interface ResourceEntry extends ListEntry {
  /** '' if missing. */
  readonly uri: string;
}
export interface TemplateEntry extends ListEntry {
  /** '' if missing. */
  readonly uriTemplate: string;
}

/** How a reading of a list differs from the complete one before it. */
export interface ListChanges extends ItemChanges<ListEntry> {
  /** seq of the last page of the newer reading. */
  readonly seq: number;
}

/**
 * A list that was requested page by page. The first reading grows with each page. Later ones replace the items only
 * when complete, so that a list never flashes empty.
 */
export interface Listing<T extends ListEntry> {
  /** `listing`: waiting for a page. `failed`: the newest page was refused, malformed or lost. */
  readonly status: 'none' | 'listing' | 'listed' | 'failed';
  readonly items: readonly T[];
  /** seqs of the responses that listed `items`. */
  readonly seqs: readonly number[];
  /** Why it failed. `code` is 0 if the server sent something other than an error, or nothing. */
  readonly error?: RpcError;
  /** True if the server declares the capability; undefined until the handshake. */
  readonly supported: boolean | undefined;
  /** How `items` differ from the reading before. Absent for the first reading. */
  readonly changes?: ListChanges;
}

/** A request from the server, or input that a response requests (2026-07-28). */
export interface Question {
  /** Unique in its log and the same on every page. */
  readonly key: string;
  /** seq of the request, or of the response that requests input. */
  readonly seq: number;
  /** Id of the server's request, or of the client's request whose response requests input. */
  readonly id: RequestId;
  /** The input's key in `inputRequests`. */
  readonly input?: string;
  readonly method: string;
  /** Start of its message to the person, at most `PREVIEW_CHARS`. */
  readonly message?: string;
  /** seqs of the client requests that may have caused it; one if certain. */
  readonly calls: readonly number[];
  /**
   * `refused`: the client responded with an error. `withdrawn`: the server cancelled it. `lost`: the server or its
   * session ended.
   */
  readonly status: 'waiting' | 'answered' | 'refused' | 'withdrawn' | 'lost';
  /** seq of the frame that closed it. */
  readonly endSeq?: number;
  /** seq of the event that says that a standing answer was used. */
  readonly standingSeq?: number;
  /** Id of the task that the client runs it as, so that its answer comes later. */
  readonly task?: string;
  /** `elicitationId`, which the server repeats when a URL elicitation is complete. */
  readonly elicitation?: string;
  /** seq of the notification that it is complete. */
  readonly completeSeq?: number;
}

/** Questions from the server. */
export interface InboxState {
  /** Oldest first. */
  readonly waiting: readonly Question[];
  /** Newest first, at most `QUESTIONS_KEPT` together with waiting ones. */
  readonly closed: readonly Question[];
}

/** Everything derived from a log except its rows. Sub-objects are immutable and replaced when they change. */
export interface LogState {
  readonly connection: ConnectionFacts;
  readonly server: ServerFacts;
  readonly tools: Listing<ToolEntry>;
  readonly resources: Listing<ResourceEntry>;
  readonly templates: Listing<TemplateEntry>;
  readonly prompts: Listing<PromptEntry>;
  readonly inbox: InboxState;
  readonly stderr: {
    /** The newest stderr frames, at most `STDERR_SEQS`. */
    readonly seqs: readonly number[];
    /** Number of all stderr frames. */
    readonly count: number;
    /** Size of all stderr frames without line feeds. */
    readonly bytes: number;
  };
  /** Lines of the newest process on stdout that are not MCP, without blank ones. */
  readonly junk: {
    /** The first ones, at most `JUNK_SEQS`. */
    readonly seqs: readonly number[];
    readonly count: number;
  };
  readonly http: HttpFacts;
  readonly notes: NotesState;
  /** Number of log messages from the server, and of its log records in telemetry. */
  readonly logMessages: number;
  /** Characters of the longest logger or service among them; 0 if none has one. */
  readonly longestLogger: number;
  /** Number of spans, log records and metrics that came as telemetry. */
  readonly telemetry: number;
  readonly tasks: TasksState;
  /** Number of frames that are in the row of an earlier one. */
  readonly folded: number;
}
