import type { GivenInput } from './config-inputs';
import type { ClientFeature, ClientSettings, Root, TlsOptions } from './connection-settings';
import type { ConnectionState, Era, Failure, FrameNote, ProtocolChoice } from './lifecycle';
import type { RequestId } from './message';
import type { RecordingFacts } from './recording-facts';

/** What to connect to, as the page or the command line says it. */
export type Target = StdioTarget | UrlTarget;

/** A server to be started as a child process. */
export interface StdioTarget {
  readonly transport: 'stdio';
  /** Shown as the connection's name; made from the command if absent. */
  readonly name?: string;
  /**
   * id of a configured server (see `GET /api/servers`) or of a connection, ended or not, whose environment values are used;
   * the page never sees those.
   */
  readonly base?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Named extras: a string sets, null takes away one that `base` has. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Answers to each `${input:id}` in it and in `base`; kept in memory only. */
  readonly inputs?: readonly GivenInput[];
  /** What the server may ask of us; absent: everything. */
  readonly features?: readonly ClientFeature[];
}

/** `http`: Streamable HTTP. `sse`: HTTP+SSE, its predecessor. `auto`: the first that the server speaks, in this order. */
export const URL_TRANSPORTS = ['auto', 'http', 'sse'] as const;

/** A server reached by URL. */
export interface UrlTarget {
  readonly transport: (typeof URL_TRANSPORTS)[number];
  /** The page itself talks to the server, and the proxy never hears of it. Absent: the proxy does. */
  readonly via?: 'direct';
  readonly name?: string;
  /** id of a configured server whose header values are used, while the URL has the same origin. */
  readonly base?: string;
  readonly url: string;
  /** Named extras: a string sets, null takes away one that `base` has. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /**
   * Who we are to its authorization server. A secret that `base` has is used while the client id and the URL's origin are the
   * base's.
   */
  readonly client?: ClientSettings;
  /** Absent: that of `base`, while the URL has the same origin. */
  readonly tls?: TlsOptions;
  /** Answers to each `${input:id}` in it and in `base`; kept in memory only. */
  readonly inputs?: readonly GivenInput[];
  /** What the server may ask of us; absent: everything. */
  readonly features?: readonly ClientFeature[];
}

/** What a question of a server's is answered with: the JSON text of a result, as it stands, or an error. */
export type QuestionAnswer =
  | { readonly result: string }
  | { readonly error: { readonly code: number; readonly message: string } };

/**
 * Where else a server may be: at the usual paths of the same origin, or, for one on this machine, at the other loopback
 * address.
 */
export type NearbyAddresses = 'paths' | 'loopback';

/** Browser → proxy, one JSON text message each. `ref` is the sender's own; the answer event carries it back. */
export type Command =
  | { readonly type: 'connect'; readonly ref: string; readonly target: Target; readonly protocol: ProtocolChoice }
  /** Frames of this connection with seq > `after`, then live. */
  | { readonly type: 'attach'; readonly connection: string; readonly after: number }
  /** The frames `from` … `to` once more, at most `LIMITS.againFrames`: batches marked so, then `done`. */
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
      /** JSON text, sent as it stands: big integers, duplicate keys and key order survive. Absent: no `params`. */
      readonly params?: string;
      readonly timeoutMs?: number;
    }
  | {
      readonly type: 'notify';
      readonly ref: string;
      readonly connection: string;
      readonly method: string;
      readonly params?: string;
    }
  /** Exact text, valid or not. `terminate: false` leaves the line feed out. */
  | {
      readonly type: 'send-raw';
      readonly ref: string;
      readonly connection: string;
      readonly text: string;
      readonly terminate: boolean;
    }
  | { readonly type: 'cancel'; readonly ref: string; readonly connection: string; readonly id: RequestId }
  /** Answers a request of the server's, or, with `key`, one of the questions in its answer to our request `id`. */
  | {
      readonly type: 'answer';
      readonly ref: string;
      readonly connection: string;
      readonly id: RequestId;
      readonly key?: string;
      readonly answer: QuestionAnswer;
    }
  /** From now on `roots/list` is answered with these; a server that can hear of the change is told. */
  | { readonly type: 'set-roots'; readonly ref: string; readonly connection: string; readonly roots: readonly Root[] }
  /**
   * Asks for what is masked in an http frame: the header at this place, or the URL. Answered while the connection lives, and
   * only for what the person gave or the server handed out for it.
   */
  | {
      readonly type: 'reveal';
      readonly ref: string;
      readonly connection: string;
      readonly seq: number;
      readonly field: number | 'url';
    }
  /** Puts a note on a frame, in the place of the one that is there; it becomes a frame of the log. */
  | ({ readonly type: 'note'; readonly ref: string; readonly connection: string } & FrameNote)
  /** Starts the same target again as a new connection; ends the old one if it still lives. Its log stays. */
  | { readonly type: 'restart'; readonly ref: string; readonly connection: string }
  /** Disconnects: the kill ladder. The log stays. */
  | { readonly type: 'close'; readonly ref: string; readonly connection: string }
  /** Tries at once to reach a server that can't be reached, and starts the delays between attempts from the first. */
  | { readonly type: 'retry'; readonly ref: string; readonly connection: string }
  /** Gives up waiting for the person who is to sign in: what waits for that fails. */
  | { readonly type: 'cancel-sign-in'; readonly ref: string; readonly connection: string }
  /** Forgets everything that authorization servers granted for this connection's server. */
  | { readonly type: 'sign-out'; readonly ref: string; readonly connection: string }
  /** Asks what is at addresses beside that of a failed connection; questions and answers are frames of its log. */
  | {
      readonly type: 'look-further';
      readonly ref: string;
      readonly connection: string;
      readonly where: NearbyAddresses;
    }
  /**
   * Page → proxy: a connection that the page makes itself is recorded from now on. Its frames come as batches on this socket, of which
   * each is answered by `recorded`. `key` names it over lost sockets and reloads; `begin`: it is recorded even if the proxy does not
   * know of it. `done` says how many of its frames are recorded already.
   */
  | {
      readonly type: 'record';
      readonly ref: string;
      readonly connection: string;
      readonly key: string;
      readonly begin: boolean;
    }
  /** All frames of a page's own connection are recorded, and it has ended. */
  | { readonly type: 'record-end'; readonly ref: string; readonly connection: string }
  /** Takes an ended connection and its log off the list. */
  | { readonly type: 'forget'; readonly ref: string; readonly connection: string };

/** How many frames a recording has, and whether it has its end. */
export interface RecordingProgress {
  readonly frames: number;
  readonly ended: boolean;
}

/** A connection in a list: enough to show it without its log. */
export interface ConnectionSummary {
  readonly id: string;
  readonly name: string;
  /** What the server calls itself, once it has said. */
  readonly serverName?: string;
  /** `auto` until it is known which one it is. */
  readonly transport: Target['transport'];
  /** The page itself talks to the server. */
  readonly via?: 'direct';
  /** The command line, quoted as a shell would need it, or the URL. */
  readonly title: string;
  /** Whoever answers at its URL is believed: its certificate is not verified. */
  readonly insecure?: true;
  readonly state: ConnectionState;
  /**
   * The connection is open, but its server can't be reached. `since` is ISO 8601, `message` a sentence that says why.
   */
  readonly unreachable?: { readonly since: string; readonly message: string };
  readonly era?: Era;
  readonly version?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** How many questions of the server's wait for a person. */
  readonly waiting?: number;
  /** A person has to sign in here first. It holds the secret of that sign-in, which is in no log. */
  readonly signInUrl?: string;
  /** Path of the file that the proxy records it in, even once it has ended or that has failed. */
  readonly recordedIn?: string;
  /** It is a recording, opened from a file. */
  readonly recording?: RecordingFacts;
}

/** Proxy → browser, JSON text. Frames come as binary batches (batch.ts) beside these. */
export type Event =
  /** First on every socket. */
  | { readonly type: 'welcome'; readonly version: string; readonly graceMs: number }
  /** A connection is new or its summary changed. */
  | { readonly type: 'connection'; readonly connection: ConnectionSummary }
  | { readonly type: 'forgotten'; readonly connection: string }
  /** The command with this `ref` was carried out; `seq` is the frame it sent, `connection` the one it made. */
  | {
      readonly type: 'done';
      readonly ref: string;
      readonly connection: string;
      readonly seq?: number;
      /** What `reveal` asked for: to be shown, and kept nowhere. */
      readonly secret?: string;
      /** What there is of the recording of a page's own connection. */
      readonly recorded?: RecordingProgress;
    }
  /**
   * Answers a batch of a page's own connection: it was taken in, or `failure` is a sentence that says why nothing more is.
   * `connection` is '' for what is no batch.
   */
  | { readonly type: 'recorded'; readonly connection: string; readonly failure?: string }
  | ({ readonly type: 'error'; readonly ref?: string } & Failure);

/**
 * True if both start the very same command in the same directory, or reach the very same URL. Only then a target has what its base alone may have: the
 * shell's environment, and what placeholders stand for.
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
