import type { ConnectionSummary, Target } from './command';
import type { ConfigInput } from './config-inputs';
import type { EnvironmentNames, Failure, ProtocolChoice } from './lifecycle';
import type { ReadingProgress } from './recording-facts';

/** `GET /api/connections`: oldest first. */
export type ConnectionsReply = readonly ConnectionSummary[];

/**
 * How a server became known: the command line named it, a file after `--config` or a host's config on this machine does
 * (`found`), somebody connected to it earlier (`kept`), or it is the demo.
 */
export type ServerOrigin = 'command-line' | 'config' | 'kept' | 'found' | 'demo';

/** A server to connect to. Environment values never leave the proxy: `envNames` holds names only. */
export interface ConfiguredServer {
  readonly id: string;
  readonly origin: ServerOrigin;
  /** Id of the host whose config names it. Only for `found`. */
  readonly host?: string;
  /** Origin as shown to the user: `command line`, `demo`, or the config file's path. */
  readonly source: string;
  readonly target: Target;
  /** For a target without a name: that of the server itself, or one made from the command or URL. */
  readonly name?: string;
  /** Names of the environment variables set for the server; for a server at a URL, names of its headers. */
  readonly envNames: readonly string[];
  /** The proxy's variables that it inherits too, as long as the user keeps its command, arguments and directory. */
  readonly policy: EnvironmentNames['policy'];
  /** `${…}` names that the proxy fills in, as long as the user keeps these fields. The page never sees the values. */
  readonly placeholders: readonly string[];
  readonly protocol: ProtocolChoice;
  /** Inputs to ask the user for before connecting. */
  readonly inputs?: readonly ConfigInput[];
  /** The command line asked to connect to this server, which waits for {@link inputs}. */
  readonly waiting?: true;
  /** The host starts it through a tap, one of whose files may be missing. Only for `found`. */
  readonly tap?: { readonly missing?: string };
  /** The config disables this server. */
  readonly disabled?: true;
  /** Why mcp-inspect can't connect to the server. */
  readonly problem?: string;
  /** When somebody last connected to a kept server, ISO 8601. */
  readonly lastUsed?: string;
  /** Every attempt to connect to a kept server failed so far. */
  readonly unopened?: true;
  /** A kept server that comes first and is never dropped to make room. */
  readonly pinned?: true;
}

/** A line of a change: kept, removed or added. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Puts a tap around the command of a server in a host’s config, or takes it away. */
export type TapAction = 'tap' | 'untap';

/**
 * The answer to `POST /api/installs/plan`: how a host’s config would change. The page names a found server by its id,
 * and never sends text for a config.
 */
export interface TapPlan {
  /** The config, without links. */
  readonly path: string;
  /** Secrets in it are masked. */
  readonly diff: readonly DiffLine[];
  /** Stands for exactly this change. `POST /api/installs/change` needs it, so that a changed config is refused. */
  readonly digest: string;
  /** The config belongs to a project, so others may get it too. */
  readonly isProject?: true;
}

/** A config that was not read, or only in part. */
export interface SkippedConfig {
  /** Id of the host that reads it. */
  readonly host: string;
  readonly path: string;
  /** Sentences about “it” that say why. They quote nothing of the config. */
  readonly reason: string;
}

/** `GET /api/servers`, and the answer to each change. */
export interface ServersReply {
  readonly servers: readonly ConfiguredServer[];
  readonly skipped: readonly SkippedConfig[];
  /** Names of hosts by their ids. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Why the kept servers could not be read or written. */
  readonly failure?: Failure;
}

/** A server as a person typed it. The target has no values of variables or headers. */
export interface TypedServer {
  readonly target: Target;
  /** Names of its variables or headers. */
  readonly names: readonly string[];
  readonly protocol: ProtocolChoice;
}

/** A change to the kept servers, sent by `POST /api/servers/change`. */
export type ServerChange =
  /** Adds a server that the page itself connected to. */
  | { readonly kind: 'add'; readonly server: TypedServer }
  | { readonly kind: 'edit'; readonly id: string; readonly server: TypedServer }
  | { readonly kind: 'rename'; readonly id: string; readonly name: string }
  /** `name` is that of the copy. */
  | { readonly kind: 'duplicate'; readonly id: string; readonly name: string }
  | { readonly kind: 'pin'; readonly id: string; readonly on: boolean }
  | { readonly kind: 'delete'; readonly id: string };

/** `GET /api/environment`: variables that a server started from the page inherits. Names, never values. */
export interface EnvironmentReply {
  readonly cwd: string;
  readonly platform: string;
  /** Variables on the allowlist that are set in the proxy. */
  readonly allowlist: readonly string[];
  /** All variables of the proxy, which `policy: 'shell'` inherits. */
  readonly shell: readonly string[];
  /** The tabs of Recordings that features have for this run. */
  readonly tabs?: readonly string[];
  /** Redirect URI for authorization servers. A client registered by hand must name it. */
  readonly redirectUri: string;
}

/** A recording in the folder. */
export interface RecordingEntry {
  /** File name. */
  readonly id: string;
  /** Name of the connection. */
  readonly name: string;
  /** Name that the server gave itself. */
  readonly server?: string;
  /** Start time, ISO 8601. */
  readonly at: string;
  readonly bytes: number;
  /** Name and note that the user gave the recording. */
  readonly about?: RecordingAbout;
  /** Number of frames, not counting notes. Absent if the file's first and last lines don't tell. */
  readonly frames?: number;
  readonly durationUs?: number;
  /** True if it has no end line and nobody writes it any more. Absent if the file's first and last lines don't tell. */
  readonly incomplete?: boolean;
  /** The file has no valid header. */
  readonly unreadable?: true;
  /** Version of its format, if newer than ours. */
  readonly newer?: number;
  /** True while a process writes the file. */
  readonly live: boolean;
  /** Never deleted by retention, because it was imported, named, noted or bookmarked. */
  readonly stays?: true;
}

/** Name and note of a recording; '' for none. */
export interface RecordingAbout {
  readonly name: string;
  readonly text: string;
}

/** Age and total size up to which recordings are kept, unless imported, named, noted or bookmarked. */
export interface RetentionSettings {
  readonly days: number;
  readonly bytes: number;
}

/** Number and total size of some recordings. */
export interface RecordingsTotal {
  readonly count: number;
  readonly bytes: number;
}

/** Recordings that retention deleted since the user last dismissed the note. */
export interface DeletedRecordings {
  /** Time of the last deletion, ISO 8601, and the retention settings at that time. */
  readonly at: string;
  readonly keep: RetentionSettings;
  /** Recordings deleted for their age, recordings deleted for the total size, and the bytes of both. */
  readonly old: number;
  readonly large: number;
  readonly bytes: number;
}

/**
 * The answer to `POST /api/recordings/keep`: the recordings that were deleted, or would be. Without `anyway`, settings
 * that would delete any are not saved.
 */
export interface RetentionReply extends RecordingsTotal {
  readonly saved: boolean;
}

/** The answer to `POST /api/bundles`, whose body is an MCP bundle: its server as the text of a config. */
export interface BundleReply {
  readonly config: string;
}

/** The answer to `POST /api/recordings/import`, whose body is the file: the id of the new recording. */
export interface RecordingImportedReply {
  readonly id: string;
}

/**
 * A line of the answer while an HTTP Archive is converted. The last line is a {@link RecordingImportedReply} or a
 * Failure.
 */
export interface RecordingConvertedLine {
  readonly converted: ReadingProgress;
}

/** `GET /api/recordings`: newest first, at most `LIMITS.recordingsListed` or `?most=`. */
export interface RecordingsReply {
  readonly keep: RetentionSettings;
  /** Present until the page sends `POST /api/recordings/seen`. */
  readonly deleted?: DeletedRecordings;
  /** Absolute path. */
  readonly folder: string;
  /** This run records nothing (`--record off`). */
  readonly off?: true;
  /** Why the folder can't be used. */
  readonly unusable?: Failure;
  readonly recordings: readonly RecordingEntry[];
  /** Older recordings that are not listed. */
  readonly older?: RecordingsTotal;
}

/** The answer to `POST /api/recordings/open`: the id of the connection that shows the recording. */
export interface RecordingOpenedReply {
  readonly connection: string;
}

/**
 * `GET /host.json`: true if a proxy serves the page. The file that comes with the page, for static hosts, says false.
 */
export interface HostReply {
  readonly proxy: boolean;
}

/** `POST /launch` answers a valid code with the token. An empty request makes the terminal print a new link. */
export interface LaunchReply {
  readonly token: string;
}

/**
 * The header with the token, in every request but those of sockets. Not Authorization: a reverse proxy that asks for a
 * password gets that from the browser, unless the page writes another.
 */
export const TOKEN_HEADER = 'mcp-inspect-token';

/**
 * The WebSocket subprotocol of `/ws`. The page offers it beside `bearer.<token>`, and the proxy selects it, so the
 * token is never echoed.
 */
export const SOCKET_PROTOCOL = 'mcp-inspect.1';
