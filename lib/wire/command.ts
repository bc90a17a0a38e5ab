import type { AuthStep } from './auth-step';
import type { ClientProfile } from './client-profile';
import type { GivenInput } from './config-inputs';
import type { ClientSettings, Root, TlsOptions } from './connection-settings';
import type { Direction } from './frame';
import type { HoldDecision, InterceptRule } from './intercept';
import type { ConnectionState, Era, Failure, FrameNote, ProtocolChoice } from './lifecycle';
import type { QuestionAnswer, RequestId } from './message';
import type { LogLevel } from './protocol-names';
import type { RecordingFacts } from './recording-facts';
import type { StandingChange, StandingReply } from './standing-answers';
import type { TaskWish } from './task';
import type { WatchState } from './watch';

/** A server to connect to. */
export type Target = StdioTarget | UrlTarget;

/** A server started as a child process. */
export interface StdioTarget {
  readonly transport: 'stdio';
  /** Name of the connection. Defaults to one made from the command. */
  readonly name?: string;
  /**
   * Id of a configured server (see `GET /api/servers`) or of a connection, ended or not. Its environment values are
   * used, and the page never sees them.
   */
  readonly base?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Variables to set by name. null removes one that `base` has. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Answers to each `${input:id}` in this target and in `base`. Kept in memory only. */
  readonly inputs?: readonly GivenInput[];
  /** How mcp-inspect presents itself. Absent: as it is. */
  readonly profile?: ClientProfile;
}

/** `http`: Streamable HTTP. `sse`: HTTP+SSE, its predecessor. `auto`: the first of these that the server supports. */
export const URL_TRANSPORTS = ['auto', 'http', 'sse'] as const;

/** A server reached by URL. */
export interface UrlTarget {
  readonly transport: (typeof URL_TRANSPORTS)[number];
  /** The page connects directly, without the proxy. */
  readonly via?: 'direct';
  readonly name?: string;
  /** Id of a configured server. Its header values are used while the URL has the same origin. */
  readonly base?: string;
  readonly url: string;
  /** Headers to set by name. null removes one that `base` has. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /**
   * How we identify ourselves to the authorization server. The secret of `base` is used while client id and URL origin
   * are the same as in `base`.
   */
  readonly client?: ClientSettings;
  /** Defaults to that of `base` while the URL has the same origin. */
  readonly tls?: TlsOptions;
  /** Answers to each `${input:id}` in this target and in `base`. Kept in memory only. */
  readonly inputs?: readonly GivenInput[];
  /** How mcp-inspect presents itself. Absent: as it is. */
  readonly profile?: ClientProfile;
}

/**
 * Other places where a server may be: the usual paths of the same origin, or the other loopback address for a server on
 * this machine. `server-card`: the address of the server's card, which also a connected server may have. `printed`: the
 * address of this machine that a process printed instead of answering on stdio.
 */
export type NearbyAddresses = 'paths' | 'loopback' | 'server-card' | 'printed';

/** Browser → proxy, one JSON text message each. The sender chooses `ref`, and the answer repeats it. */
export type Command =
  | {
      readonly type: 'connect';
      readonly ref: string;
      readonly target: Target;
      readonly protocol: ProtocolChoice;
      /** Id of the kept server that a person edited into this one. */
      readonly replaces?: string;
    }
  /** Sends the frames with seq > `after`, then each new frame. */
  | { readonly type: 'attach'; readonly connection: string; readonly after: number }
  /** Sends frames `from` to `to` again, at most `LIMITS.againFrames`, in marked batches; then `done`. */
  | {
      readonly type: 'read';
      readonly ref: string;
      readonly connection: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly type: 'request';
      readonly ref: string;
      readonly connection: string;
      readonly method: string;
      /** JSON text, sent as it is, so big integers, duplicate keys and key order survive. */
      readonly params?: string;
      readonly timeoutMs?: number;
      /** Runs the call as a task (2025-11-25). */
      readonly task?: TaskWish;
    }
  | {
      readonly type: 'notify';
      readonly ref: string;
      readonly connection: string;
      readonly method: string;
      readonly params?: string;
    }
  /** Sends exact text, valid or not. `terminate: false` omits the line feed. */
  | {
      readonly type: 'send-raw';
      readonly ref: string;
      readonly connection: string;
      readonly text: string;
      readonly terminate: boolean;
    }
  | { readonly type: 'cancel'; readonly ref: string; readonly connection: string; readonly id: RequestId }
  /**
   * Answers the server's request `id`. With `key`, gives an input that the server asked for in its answer to our
   * request `id`. `always` makes it a standing answer: mcp-inspect answers the same question like this from now on.
   */
  | {
      readonly type: 'answer';
      readonly ref: string;
      readonly connection: string;
      readonly id: RequestId;
      readonly key?: string;
      readonly answer: QuestionAnswer;
      readonly always?: true;
    }
  /** Changes a standing answer, if `change` is given, and asks for the list. */
  | {
      readonly type: 'standing';
      readonly ref: string;
      readonly connection: string;
      readonly change?: StandingChange;
    }
  /** Sets the answer to `roots/list`, and notifies the server if it supports that. */
  | { readonly type: 'set-roots'; readonly ref: string; readonly connection: string; readonly roots: readonly Root[] }
  /**
   * Asks the server for log messages of this level and above: by `logging/setLevel` in a legacy session, and with each
   * later request in a modern one. null: requests ask for none; not possible in a legacy session.
   */
  | { readonly type: 'log-level'; readonly ref: string; readonly connection: string; readonly level: LogLevel | null }
  /**
   * Asks for a masked value of an http frame: the header at this index, or the URL. Works while the connection lives,
   * and only for values that the user gave or the server issued.
   */
  | {
      readonly type: 'reveal';
      readonly ref: string;
      readonly connection: string;
      readonly seq: number;
      readonly field: number | 'url';
    }
  /**
   * Adds a message between an app and the page, its host, to the log. `to-server` is from the app. The page does not
   * wait for an answer.
   */
  | {
      readonly type: 'app-message';
      readonly ref: string;
      readonly connection: string;
      readonly direction: Direction;
      /** JSON, as posted. */
      readonly text: string;
    }
  /** Sets the note on a frame. The note becomes a frame of the log. */
  | ({ readonly type: 'note'; readonly ref: string; readonly connection: string } & FrameNote)
  /**
   * Changes how mcp-inspect presents itself, from the next request on. A legacy server learns capabilities and client
   * name in the handshake only, so a change of these needs `restart`.
   */
  | {
      readonly type: 'set-profile';
      readonly ref: string;
      readonly connection: string;
      readonly profile: ClientProfile;
    }
  /**
   * Starts the server again with another profile as a further run of the entry, beside the present one, to see what
   * changes. `trial` says in a few words how the profile differs.
   */
  | {
      readonly type: 'try-profile';
      readonly ref: string;
      readonly connection: string;
      readonly profile: ClientProfile;
      readonly trial: string;
    }
  /**
   * Starts the server again as the next run of the connection's entry, and ends the newest run. The old log stays. The
   * profile stays as well unless another is given.
   */
  | {
      readonly type: 'restart';
      readonly ref: string;
      readonly connection: string;
      readonly profile?: ClientProfile;
    }
  /** Disconnects, with the kill ladder for a process. The log stays. */
  | { readonly type: 'close'; readonly ref: string; readonly connection: string }
  /** Tries to reach an unreachable server now, and resets the delay between attempts. */
  | { readonly type: 'retry'; readonly ref: string; readonly connection: string }
  /** Stops waiting for the user to sign in. Requests that wait for it fail. */
  | { readonly type: 'cancel-sign-in'; readonly ref: string; readonly connection: string }
  /** Deletes everything that authorization servers granted for this server. */
  | { readonly type: 'sign-out'; readonly ref: string; readonly connection: string }
  /** Keeps the sign-in for this server for later runs, in a file of the proxy. */
  | { readonly type: 'keep-sign-in'; readonly ref: string; readonly connection: string }
  /** Runs one step of authorization alone. `done` follows when it is over, which may take a person for `sign-in`. */
  | { readonly type: 'auth-step'; readonly ref: string; readonly connection: string; readonly step: AuthStep }
  /** Probes addresses near that of a failed connection. Probes and answers become frames of its log. */
  | {
      readonly type: 'look-further';
      readonly ref: string;
      readonly connection: string;
      readonly where: NearbyAddresses;
    }
  /**
   * Starts or resumes recording a direct connection of the page. Its frames follow as batches on this socket, and
   * `recorded` answers each. `key` identifies it across lost sockets and reloads. `begin` records it even if the proxy
   * does not know it. `done` says how many frames are recorded already.
   */
  | {
      readonly type: 'record';
      readonly ref: string;
      readonly connection: string;
      readonly key: string;
      readonly begin: boolean;
    }
  /** A direct connection has ended, and all its frames were sent. */
  | { readonly type: 'record-end'; readonly ref: string; readonly connection: string }
  /**
   * Turns re-run on save on or off for the connection's entry. Which files are watched follows from its command, or
   * from the options of the command line: a page can't name any.
   */
  | { readonly type: 'watch'; readonly ref: string; readonly connection: string; readonly on: boolean }
  /**
   * Replaces this page's rules of interception on a connection. They are gone with its socket, and then the messages
   * that they hold are passed on.
   */
  | {
      readonly type: 'set-rules';
      readonly ref: string;
      readonly connection: string;
      readonly rules: readonly InterceptRule[];
    }
  /** Asks for the text of a held message. `done` has it. */
  | { readonly type: 'read-held'; readonly ref: string; readonly connection: string; readonly hold: number }
  /** Ends a hold. */
  | {
      readonly type: 'decide';
      readonly ref: string;
      readonly connection: string;
      readonly hold: number;
      readonly decision: HoldDecision;
    }
  /**
   * Sets how the client of a connection sees the tools: this page's overlay, as the text of an overlay file. It is
   * gone with the page's socket.
   */
  | { readonly type: 'set-overlay'; readonly ref: string; readonly connection: string; readonly overlay: string }
  /** Removes an ended connection and its log. */
  | { readonly type: 'forget'; readonly ref: string; readonly connection: string };

/** Number of recorded frames, and whether the end line is written. */
export interface RecordingProgress {
  readonly frames: number;
  readonly ended: boolean;
}

/** A connection without its log, for lists. */
export interface ConnectionSummary {
  readonly id: string;
  /** Given by a person or a config, or else made from the command or URL. */
  readonly name: string;
  /** A person or a config gave `name`. */
  readonly named?: true;
  /** Title from `serverInfo`, or else the name there. */
  readonly serverName?: string;
  /** Set for a run after the first: id of the entry's first run. See {@link entryOf}. */
  readonly entry?: string;
  /** Number of a run after the first: 2, 3, … */
  readonly run?: number;
  /** Set for a run that only tries another profile: how that differs, such as “without sampling”. */
  readonly trial?: string;
  /** `auto` until it is known. */
  readonly transport: Target['transport'];
  /** Id of the host whose name mcp-inspect borrows. */
  readonly as?: string;
  /** The page connects directly, without the proxy. */
  readonly via?: 'direct';
  /** The command line, quoted as a shell would need it, or the URL. */
  readonly title: string;
  /** The server's certificate is not verified. */
  readonly insecure?: true;
  readonly state: ConnectionState;
  /** Why it is `failed` or `handshake-failed`. The page shows it before it has the log. */
  readonly failure?: Failure;
  /** The connection is open, but the server can't be reached. `since` is ISO 8601, `message` a sentence. */
  readonly unreachable?: { readonly since: string; readonly message: string };
  readonly era?: Era;
  readonly version?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Number of server requests that wait for the user. */
  readonly waiting?: number;
  /** URL at which the user must sign in. It contains a secret, so it is not in the log. */
  readonly signInUrl?: string;
  /** Path of the recording. Stays set after the connection has ended or failed. */
  readonly recordedIn?: string;
  /** About how many frames are not in the recording yet. Absent if it is hardly behind. */
  readonly unwritten?: number;
  /** Name of a source file that is newer than the server's process. */
  readonly changedSource?: string;
  /** Re-run on save, if it is on for the entry. The newest run has it. */
  readonly watch?: WatchState;
  /** Present for a recording opened from a file. */
  readonly recording?: RecordingFacts;
}

/** A run of an entry after the first one. */
export type RunInfo = Required<Pick<ConnectionSummary, 'entry' | 'run'>> & Pick<ConnectionSummary, 'trial'>;

/** Returns the id of the entry that a connection is a run of. It is the id of the entry's first run. */
export function entryOf({ id, entry = id }: Pick<ConnectionSummary, 'id' | 'entry'>): string {
  return entry;
}

/** Proxy → browser, JSON text. Frames come as binary batches (batch.ts). */
export type Event =
  /** The first event on every socket. */
  | { readonly type: 'welcome'; readonly version: string; readonly graceMs: number }
  /** A connection is new or its summary changed. */
  | { readonly type: 'connection'; readonly connection: ConnectionSummary }
  | { readonly type: 'forgotten'; readonly connection: string }
  /**
   * The command with this `ref` succeeded. `seq` is that of the frame it sent; `connection` is the id of the connection
   * it made.
   */
  | {
      readonly type: 'done';
      readonly ref: string;
      readonly connection: string;
      readonly seq?: number;
      /** The value that `reveal` asked for. To be shown, never stored. */
      readonly secret?: string;
      /** State of the recording of a direct connection. */
      readonly recorded?: RecordingProgress;
      readonly standing?: StandingReply;
      /** The text that `read-held` asked for. Never stored. `invalidUtf8`: bytes that are not UTF-8 are U+FFFD here. */
      readonly held?: { readonly text: string; readonly invalidUtf8?: true };
    }
  /**
   * A batch of a direct connection was recorded. `failure` is a sentence that says why recording stopped. `connection`
   * is '' if the message was not a batch.
   */
  | { readonly type: 'recorded'; readonly connection: string; readonly failure?: string }
  /** So many commands wait until they are confirmed in the terminal; 0 once none does. */
  | { readonly type: 'confirming'; readonly commands: number }
  | ({ readonly type: 'error'; readonly ref?: string } & Failure);

/**
 * Returns true if both start the same command in the same directory, or have the same URL. Only then may a target
 * inherit the shell's environment and the values of placeholders from its base.
 */
export function sameCommand(one: Target, other: Target): boolean {
  if (one.transport !== 'stdio') return other.transport !== 'stdio' && one.url === other.url;
  return (
    other.transport === 'stdio' &&
    one.command === other.command &&
    one.cwd === other.cwd &&
    one.args.length === other.args.length &&
    one.args.every((arg, index) => arg === other.args[index])
  );
}
