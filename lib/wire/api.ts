import type { ConnectionSummary, Target } from './command';
import type { ConfigInput } from './config-inputs';
import type { EnvironmentNames, Failure, ProtocolChoice } from './lifecycle';

/** `GET /api/connections`: oldest first. */
export type ConnectionsReply = readonly ConnectionSummary[];

/** A server from argv, `--demo` or a config file. Environment values never leave the proxy: `env` holds names only. */
export interface ConfiguredServer {
  readonly id: string;
  /** Where it came from, for people: `command line`, `demo`, or the config file's path. */
  readonly source: string;
  readonly target: Target;
  /** Of a server at a URL: of the headers sent to it. */
  readonly envNames: readonly string[];
  /** What it inherits besides, while its command, arguments and directory are unchanged. */
  readonly policy: EnvironmentNames['policy'];
  /** `${…}` names that the proxy fills in while they are unchanged; the page never sees the values. */
  readonly placeholders: readonly string[];
  readonly protocol: ProtocolChoice;
  /** Inputs to ask for before it can be connected; absent: none. */
  readonly inputs?: readonly ConfigInput[];
  /** The command line names it as the one to connect, and it waits for these answers. */
  readonly waiting?: true;
  /** Its config says that hosts are to leave it alone. */
  readonly disabled?: true;
  /** Why it can't be connected, if it can't. */
  readonly problem?: string;
}

/** `GET /api/servers`. */
export type ServersReply = readonly ConfiguredServer[];

/** `GET /api/environment`: what a server started from the page gets besides its own extras. Names, never values. */
export interface EnvironmentReply {
  readonly cwd: string;
  readonly platform: string;
  /** Names on the allowlist that are set here. */
  readonly allowlist: readonly string[];
  /** Names of everything that the proxy's own shell handed to it: what `policy: 'shell'` inherits. */
  readonly shell: readonly string[];
  /** Where authorization servers send people back to: what a client that is registered by hand has to name. */
  readonly redirectUri: string;
}

/** A recording that is kept. */
export interface RecordingEntry {
  /** Name of its file. */
  readonly id: string;
  /** What its server is called where it was connected. */
  readonly name: string;
  /** What its server calls itself, if it got to say that. */
  readonly server?: string;
  /** ISO 8601: when it began. */
  readonly at: string;
  readonly bytes: number;
  /** What a person calls it, and says of it; '' is nothing. */
  readonly about?: RecordingAbout;
  /** As far as they can be told at a glance; notes are no frames. */
  readonly frames?: number;
  readonly durationUs?: number;
  /** Its last line is no end, and nobody writes it any more: it was cut off. Absent if that can't be told at a glance. */
  readonly incomplete?: boolean;
  /** It has no header: what it is, nobody knows. */
  readonly unreadable?: true;
  /** Its version of the format, where that is newer than ours. */
  readonly newer?: number;
  /** The process that writes it still runs. */
  readonly live: boolean;
  /** Neither age nor size deletes it, nor does it count: it was imported, or somebody named, noted or bookmarked it, as far as a glance tells. */
  readonly stays?: true;
}

/** What a person says of a recording as a whole. */
export interface RecordingAbout {
  readonly name: string;
  readonly text: string;
}

/** How long, and how much, recordings are kept that nobody imported, named, noted or bookmarked. */
export interface RetentionSettings {
  readonly days: number;
  readonly bytes: number;
}

/** How many recordings, deleted by age and size say, and how large they are together. */
export interface RecordingsTotal {
  readonly count: number;
  readonly bytes: number;
}

/** What was deleted by age and size since somebody last said to have seen it. */
export interface DeletedRecordings {
  /** The last time, ISO 8601, and what was kept then. */
  readonly at: string;
  readonly keep: RetentionSettings;
  /** How many were too old, how many too large or too many, and the bytes of all of them. */
  readonly old: number;
  readonly large: number;
  readonly bytes: number;
}

/** `POST /api/recordings/keep`: unless it is told to (`anyway`), nothing is saved that would delete some. What went, or would. */
export interface RetentionReply extends RecordingsTotal {
  readonly saved: boolean;
}

/** `POST /api/recordings/import`, with the file as its body: the id that it has now. */
export interface RecordingImportedReply {
  readonly id: string;
}

/** `GET /api/recordings`: newest first, `LIMITS.recordingsListed` of them; or as many as `?most=` says. */
export interface RecordingsReply {
  readonly keep: RetentionSettings;
  /** Until somebody says to have seen it: `POST /api/recordings/seen`. */
  readonly deleted?: DeletedRecordings;
  /** Where they are. */
  readonly folder: string;
  /** Nothing of this run is recorded: `--no-record`. */
  readonly off?: true;
  /** Why none is there, and none will be. */
  readonly unusable?: Failure;
  readonly recordings: readonly RecordingEntry[];
  /** Those that are not listed, since they are older. Absent: none. */
  readonly older?: RecordingsTotal;
}

/** `POST /api/recordings/open`: the connection that the recording is now. */
export interface RecordingOpenedReply {
  readonly connection: string;
}

/** `GET /host.json`: whether a proxy serves the page. Any other host has the file of that name that the page came with. */
export interface HostReply {
  readonly proxy: boolean;
}

/** `POST /launch` answers a good code with the token; an empty request asks the terminal to print a new link. */
export interface LaunchReply {
  readonly token: string;
}

/**
 * The WebSocket subprotocol of `/ws`. The page offers it beside `bearer.<token>`, and the proxy answers with it, so that
 * the token is never echoed.
 */
export const SOCKET_PROTOCOL = 'mcp-inspect.1';
