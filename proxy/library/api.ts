import type {
  CallResult,
  Completion,
  ElicitationResult,
  JsonObject,
  Prompt,
  PromptResult,
  ReadResult,
  Resource,
  ResourceTemplate,
  Root,
  SamplingResult,
  Tool,
} from './mcp-types';

/** The server: a command, a URL, or the name of a server in a config. */
export type Target = CommandTarget | UrlTarget | ConfigTarget;

/** A server to start, without a shell. It ends with the session, or with this process. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives the server a minimal environment, as MCP hosts do, in place of that of this process. */
  readonly cleanEnv?: boolean;
  /** Folder that it starts in. Absent: that of this process. */
  readonly cwd?: string;
}

/** A server at a URL. */
export interface UrlTarget {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** `auto` (default): Streamable HTTP, and HTTP+SSE if the server refuses that. */
  readonly transport?: 'auto' | 'http' | 'sse';
  /** Files with certificates and keys (PEM). `insecure` accepts any certificate. */
  readonly tls?: {
    readonly ca?: readonly string[];
    readonly cert?: string;
    readonly key?: string;
    readonly passphraseEnv?: string;
    readonly insecure?: boolean;
  };
}

/** A server of a config file or, without `config`, of a host on this machine: NAME or HOST/NAME. */
export interface ConfigTarget {
  readonly server: string;
  readonly config?: string;
  /** Answers to the inputs of the config, by id. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Variables in addition to those of the config. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A version to speak; `auto` asks the server. */
export type Protocol = 'auto' | '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

/** The client that the server sees. */
export interface ClientOptions {
  /** Default: mcp-inspect. */
  readonly clientInfo?: { readonly name?: string; readonly title?: string; readonly version?: string };
  /** `all`, or capabilities that are declared exactly so. Default: those that there are answers for. */
  readonly capabilities?: 'all' | JsonObject;
  /** Members of `_meta` in every request. */
  readonly meta?: JsonObject;
}

/** How to connect. */
export interface InspectOptions extends ClientOptions, Answers {
  /** Default: `auto`. `none` sends no handshake. */
  readonly protocol?: Protocol | 'none';
  /** Longest silence after a request, in ms. Progress restarts it. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Log messages that the server shall send. */
  readonly logLevel?: 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';
  /** Ends the session when it is aborted, also while it connects. */
  readonly signal?: AbortSignal;
  /** Allows URLs with link-local addresses and cloud metadata. */
  readonly allowLinkLocal?: boolean;
}

/** Answers to what the server asks. A thrown {@link InspectError} with a number is sent as that error. */
export interface Answers {
  readonly sampling?: (params: JsonObject, asked: Asked) => SamplingResult | Promise<SamplingResult>;
  readonly elicitation?: (params: JsonObject, asked: Asked) => ElicitationResult | Promise<ElicitationResult>;
  readonly roots?: readonly Root[] | ((asked: Asked) => readonly Root[] | Promise<readonly Root[]>);
}

/** A question of the server. */
export interface Asked {
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** How to wait for an answer. */
export interface RequestOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
  /** Most milliseconds until the answer. Then the request is cancelled. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: JsonObject) => void;
}

/** How to call a tool. */
export interface CallOptions extends RequestOptions {
  /** Runs the call as a task, and follows it to its result. */
  readonly task?: boolean;
}

/** A connected server. */
export interface Session {
  /** The negotiated version; undefined without a handshake. */
  readonly protocolVersion: string | undefined;
  /** `legacy`: up to 2025-11-25. `modern`: 2026-07-28. */
  readonly era: 'legacy' | 'modern' | undefined;
  /** Name and version of the server, as it sent them. */
  readonly serverInfo: JsonObject | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** Output of the server on stderr so far. */
  readonly stderr: string;

  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<CallResult>;
  /** Reads every page. */
  listTools(options?: RequestOptions): Promise<readonly Tool[]>;
  /** Reads every page. */
  listResources(options?: RequestOptions): Promise<readonly Resource[]>;
  /** Reads every page. */
  listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplate[]>;
  /** Reads every page. */
  listPrompts(options?: RequestOptions): Promise<readonly Prompt[]>;
  read(uri: string, options?: RequestOptions): Promise<ReadResult>;
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: RequestOptions): Promise<PromptResult>;
  /** Completes an argument of a prompt, or a variable of a resource template. `context` has other arguments. */
  complete(
    of: { readonly prompt: string } | { readonly template: string },
    argument: string,
    value: string,
    options?: RequestOptions & { readonly context?: Readonly<Record<string, string>> },
  ): Promise<Completion>;
  /** Sends any request. Resolves with its result. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: JsonObject): void;
  /**
   * Sends a text exactly as it is, valid or not. Resolves with the lines that answer it. After a text that is not a
   * message, waits one second for an error without an id.
   */
  raw(text: string, options?: Omit<RequestOptions, 'onProgress'>): Promise<readonly string[]>;

  /** Judges what the server has sent so far by the rules of docs/rules.md. Results are held against listed tools. */
  problems(): Promise<readonly Problem[]>;
  /** Everything on the wire so far, oldest first. */
  frames(): readonly Frame[];
  /** Resolves with the first frame, old or new, for which `find` is true. */
  waitFor(find: (frame: Frame) => boolean, options?: Omit<RequestOptions, 'onProgress'>): Promise<Frame>;
  /**
   * Writes the session from its beginning to a new file, NAME.mcpr.jsonl, with its secrets masked. The file is complete
   * once the session is closed.
   */
  record(file: string, options?: { readonly overwrite?: boolean }): Promise<void>;
  /** Ends the server politely, then by force. Resolves when it is gone. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** One unit on the wire. */
export interface Frame {
  /** Number in the session, from 1. */
  readonly seq: number;
  /** Milliseconds since the session began. */
  readonly ms: number;
  readonly direction: 'to-server' | 'to-client';
  /** `protocol`: messages. `lifecycle`: events of mcp-inspect. */
  readonly channel: 'protocol' | 'stderr' | 'http' | 'lifecycle' | (string & {});
  readonly text: string;
  /** The text as JSON; undefined if it is not JSON, and on stderr. */
  readonly json: unknown;
}

export type Severity = 'error' | 'warning' | 'info';

/** One problem. */
export interface Problem {
  /** Id of the rule, which never changes. */
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** Path of the field. null for the whole message or session. */
  readonly path: string | null;
  /** Numbers of the frames that show it. */
  readonly frames: readonly number[];
  readonly advice: string;
  /** Address of the section of the specification. */
  readonly spec: string | null;
  /** Ids of the hosts that it is about. Absent: it is not about hosts. */
  readonly hosts?: readonly string[];
  /** The source of a fact about hosts: a URL, or a file of a repository with its commit. */
  readonly source?: string;
  /** Day of the source, ISO 8601. */
  readonly on?: string;
  /** Only users report it. */
  readonly isReported?: boolean;
}

/** How to replay a recording. */
export interface ReplayOptions {
  /** Port on 127.0.0.1. Default: any free one. */
  readonly port?: number;
  /** Answer to a request that was not recorded. Default: `error`. */
  readonly onMiss?: 'error' | 'empty';
  /** `instant` (default), `real`, or a number: so many times as fast. */
  readonly pace?: 'instant' | 'real' | number;
}

/** A server that answers from a recording. */
export interface ReplayServer {
  /** Address of the server (Streamable HTTP). */
  readonly url: string;
  /** Starts the same replay on stdio, for clients that start their server. */
  readonly stdio: { readonly command: string; readonly args: readonly string[] };
  /** Sentences about the recording: its server, and what is missing or masked in it. */
  readonly notes: readonly string[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
