import type { Checked } from '@/lib/json/value';
import type { ConnectionState, Era, Failure } from './lifecycle';
import type { isCommand, isTarget } from './parse-command';
import type { RecordingFacts } from './recording-facts';
import type { StandingReply } from './standing-answers';
import type { WatchState } from './watch';

/** A server to connect to: a command to start, or a URL. */
export type Target = Checked<typeof isTarget>;
export type StdioTarget = Extract<Target, { readonly transport: 'stdio' }>;
export type UrlTarget = Exclude<Target, StdioTarget>;

/**
 * Other places where a server may be: the usual paths of the same origin, or the other loopback address for a server on
 * this machine. `server-card`: the address of the server's card, which also a connected server may have. `printed`: the
 * address of this machine that a process printed instead of answering on stdio.
 */
export type NearbyAddresses = 'paths' | 'loopback' | 'server-card' | 'printed';

/** A message of a page to the proxy, one JSON text each. */
export type Command = Checked<typeof isCommand>;

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
