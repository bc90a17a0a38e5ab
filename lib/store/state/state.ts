import type { JsonObject, RequestId, RpcError } from '@/lib/json/value';
import type { Root } from '@/lib/wire/connection-settings';
import type { AuthorizationStep, ConnectionState, Era, Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { NotesState } from './notes';

export type StartEvent = Extract<LifecycleEvent, { event: 'start' }>;

/** What the lifecycle frames say about the connection. */
export interface ConnectionFacts {
  readonly state: ConnectionState;
  readonly start?: StartEvent;
  /** How the server is reached, once that is known. */
  readonly transport?: 'stdio' | 'http' | 'sse';
  /** Of the newest process, which may be gone: see `exit`. */
  readonly pid?: number;
  /** Where the newest process begins: what came before is of one that was started only to be asked for its version. */
  readonly spawnedSeq?: number;
  /** How far auto mode's own probe is. Absent: it is asked first, or not at all. */
  readonly probe?: 'asked' | 'silent' | 'over';
  /** The probe took two processes: the era that it found. */
  readonly startedTwice?: Era;
  /** True once it was open, with or without a handshake. */
  readonly opened?: true;
  readonly era?: Era;
  readonly version?: string;
  /** Why the handshake or the connection failed. */
  readonly failure?: Failure;
  /** The server can't be reached: why, where the log says so, and after how many milliseconds it was tried first. */
  readonly unreachable?: Failure & { readonly seq: number; readonly retryMs: number };
  /** What `roots/list` is answered with; absent: none. */
  readonly roots?: readonly Root[];
  /** How far authorization is, if the server asked for it. */
  readonly authorization?: AuthorizationStep;
  /** How the newest process ended; absent while it lives. */
  readonly exit?: {
    readonly code: number | null;
    readonly signal: string | null;
    /** It exited because we ended it. */
    readonly byUs?: true;
  };
  /** Why nothing more of it is recorded, or nothing at all. */
  readonly recordingFailed?: string;
  /** Why we ended the connection, if that was no failure. */
  readonly closing?: Extract<LifecycleEvent, { event: 'closing' }>['reason'];
  /** 0 before the first one. */
  readonly lastLifecycleSeq: number;
  /** The lifecycle frames, oldest first. */
  readonly seqs: readonly number[];
}

/** What HTTP adds to the facts of a connection. */
export interface HttpFacts {
  /** The response that began the session: servers repeat its id. */
  readonly sessionSeq?: number;
  /** What we say in `MCP-Protocol-Version`. */
  readonly version?: string;
  /** HTTP brought no response to the newest message that was posted: where it says so, and why. */
  readonly failing?: { readonly seq: number; readonly message: string };
  /**
   * The newest frame of the newest attempt to reach the server. `retryMs` until the next one; absent: it is under way.
   */
  readonly attempt?: { readonly seq: number; readonly retryMs?: number; readonly message?: string };
}

/** `serverInfo` as sent, with `name` and `version` made strings ('' if they weren't). */
export type ServerInfo = JsonObject & { readonly name: string; readonly version: string; readonly title?: string };

/** What the server said of itself in its answer to `initialize` or `server/discover`; the newest answer counts. */
export interface ServerFacts {
  readonly info?: ServerInfo;
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  /** The answer's frame. */
  readonly seq?: number;
}

/** What every listed item has. A malformed one is kept, so that it can be shown. */
export interface Entry {
  /** Unique in its list, and the same whenever the list is read again: the name (or uri), `#2`… added to a repeated one. */
  readonly key: string;
  /** '' if it has none. */
  readonly name: string;
  /** The item as sent; {} if it is no object. */
  readonly raw: JsonObject;
  /** The answer that listed it. */
  readonly seq: number;
  /** Its index in that answer's array. */
  readonly place: number;
  /** What is wrong with it, in one sentence. */
  readonly problem?: string;
}
export type ToolEntry = Entry;
export type PromptEntry = Entry;
export interface ResourceEntry extends Entry {
  /** '' if it has none. */
  readonly uri: string;
}
export interface TemplateEntry extends Entry {
  /** '' if it has none. */
  readonly uriTemplate: string;
}

/**
 * A list the server was asked for, page by page. The first reading grows as its pages come; later ones replace the items
 * only when their last page is here, so a list never flashes empty.
 */
export interface Listing<T extends Entry> {
  /** `listing`: a page is being waited for. `failed`: the newest page asked for was refused, malformed or lost. */
  readonly status: 'none' | 'listing' | 'listed' | 'failed';
  readonly items: readonly T[];
  /** The answers `items` came from. */
  readonly seqs: readonly number[];
  /** Why it failed. `code` is 0 when the server sent no error: it sent something else, or nothing. */
  readonly error?: RpcError;
  /** Whether the server declares the capability; undefined until it has said. */
  readonly supported: boolean | undefined;
}

/** Something that the server asks of us: a request of its own, or input that an answer asks for (2026-07-28). */
export interface Question {
  /** Unique in its log, and the same on every page. */
  readonly key: string;
  /** The frame that asks. */
  readonly seq: number;
  /** Of the server's request, or of ours, whose answer asks. */
  readonly id: RequestId;
  /** Its name among what that answer asks for. */
  readonly input?: string;
  readonly method: string;
  /** The beginning of what it says to the person, at most `LIMITS.previewChars`. */
  readonly message?: string;
  /** Our requests that it may be asked for, by their frames; one if that is certain. */
  readonly calls: readonly number[];
  /** `refused`: our answer was an error. `withdrawn`: called off. `lost`: the server has gone, or forgotten us. */
  readonly status: 'waiting' | 'answered' | 'refused' | 'withdrawn' | 'lost';
  /** The frame that ended it. */
  readonly endSeq?: number;
  /** `elicitationId`, by which the server tells that what happens elsewhere is done. */
  readonly elicitation?: string;
  /** The frame that told so. */
  readonly completeSeq?: number;
}

/** What the server asks of us. */
export interface InboxState {
  /** Oldest first. */
  readonly waiting: readonly Question[];
  /** Newest first, at most `QUESTIONS_KEPT` with those that wait. */
  readonly over: readonly Question[];
}

/** Everything derived from a log besides its rows. Sub-objects are immutable and replaced when they change. */
export interface LogState {
  readonly connection: ConnectionFacts;
  readonly server: ServerFacts;
  readonly tools: Listing<ToolEntry>;
  readonly resources: Listing<ResourceEntry>;
  readonly templates: Listing<TemplateEntry>;
  readonly prompts: Listing<PromptEntry>;
  readonly inbox: InboxState;
  readonly stderr: {
    /** The newest, at most `STDERR_SEQS`. */
    readonly seqs: readonly number[];
    /** Of all stderr frames, line feeds not counted. */
    readonly bytes: number;
  };
  readonly http: HttpFacts;
  readonly notes: NotesState;
  /** Lines of objects printed over several lines of stdout, without the first line of each, which stands for all. */
  readonly printedLines: number;
}
