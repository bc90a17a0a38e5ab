import { anyOf, type Check, isNumber, isObject, isText, isTextList, objectWith, optional, own } from '@/lib/json/value';
import type { ClientFeature, Root, ShownClient, TlsOptions } from './connection-settings';
import type { RequestId } from './message';

/** Protocol versions, oldest first. */
export const PROTOCOL_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];
/**
 * How a connection opens. `auto` probes in place and visibly; a version is byte-clean: no probe. `none` sends nothing:
 * the person writes every message.
 */
export const PROTOCOL_CHOICES = ['auto', 'none', ...PROTOCOL_VERSIONS] as const;
export type ProtocolChoice = (typeof PROTOCOL_CHOICES)[number];
/** `legacy`: the initialize handshake (≤ 2025-11-25). `modern`: `_meta` on each request (2026-07-28). */
export type Era = 'legacy' | 'modern';

/** `handshake-failed`: the server still runs, or its URL still answers, so messages can be written by hand. */
export type ConnectionState = 'starting' | 'open' | 'handshake-failed' | 'closing' | 'closed' | 'failed';

/** True while requests and raw messages can be sent. */
export function canSend(state: ConnectionState): boolean {
  return state === 'open' || state === 'handshake-failed';
}

/** Something that failed, for people: what happened, and what to do next. `code` is stable. */
export interface Failure {
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** One sentence. */
  readonly advice: string;
}

/** True for what was thrown as a {@link Failure}: an error that already speaks to people. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && 'code' in error && 'advice' in error;
}

/** Names, never values, of the environment a server was started with. */
export interface EnvironmentNames {
  /** `shell`: everything the proxy's own environment has. `allowlist`: only what hosts pass. */
  readonly policy: 'shell' | 'allowlist';
  readonly inherited: readonly string[];
  /** Named by the user or a config. */
  readonly added: readonly string[];
}

/** How far authorization is. */
export type AuthorizationStep =
  /** A person has to sign in at `issuer`. `url` is the page for that, without the one secret in it. */
  | {
      readonly phase: 'needed';
      readonly issuer: string;
      readonly scopes: readonly string[];
      readonly url: string;
    }
  | {
      readonly phase: 'granted';
      readonly issuer: string;
      readonly scopes: readonly string[];
      /** `earlier`: another connection, or the one before this, was granted it. */
      readonly by: 'sign-in' | 'refresh' | 'earlier';
    }
  | ({ readonly phase: 'refused' } & Failure)
  /** What we had been granted is forgotten. */
  | { readonly phase: 'signed-out' };

/** How far the input is that a server's answer asked for. */
export type InputStep =
  | { readonly phase: 'asked' }
  | { readonly phase: 'given'; readonly key: string }
  | { readonly phase: 'given-up'; readonly reason: string };

/** What a person says of a frame. */
export interface FrameNote {
  /** Its seq; in the line of a recording its number. */
  readonly on: number;
  /** '' for none. */
  readonly text: string;
  readonly bookmark: boolean;
}

/** What is known of frames that are missing in one place. */
export interface MissingFacts {
  /** How many. */
  readonly frames: number;
  /** Lines there that can't be read, if there are any: how many, and the number of the first in the file, whose first line is the header. */
  readonly lines?: number;
  readonly line?: number;
  /** These are of a kind that this version does not know, and not damaged. */
  readonly unknown?: true;
  /** This one frame stands for all of them, so those behind it have lower numbers than in the file. */
  readonly folded?: true;
}

/**
 * What happened to a connection besides traffic: the JSON of a frame on the `lifecycle` channel. The state of a connection
 * is derived from these, live or in a recording.
 */
export type LifecycleEvent =
  | {
      readonly event: 'start';
      /** ISO 8601; the one wall-clock time of a log. */
      readonly at: string;
      readonly name: string;
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** `${…}` names in `command` and `args`, which show them as written: the server got their values. */
      readonly placeholders?: readonly string[];
      readonly cwd: string;
      readonly environment: EnvironmentNames;
      /** What the server may ask of us; absent: everything. */
      readonly features?: readonly ClientFeature[];
      readonly protocol: ProtocolChoice;
    }
  | {
      readonly event: 'start';
      readonly at: string;
      readonly name: string;
      readonly transport: 'auto' | 'http' | 'sse';
      /** The page itself talks to the server, with what its browser allows. */
      readonly via?: 'direct';
      /** Without secrets. */
      readonly url: string;
      /** `${…}` names in it that were filled. */
      readonly placeholders?: readonly string[];
      /** Headers of the user's own; their values are never here. */
      readonly headerNames: readonly string[];
      /** Who we are to its authorization server, if the user said. */
      readonly client?: ShownClient;
      readonly tls?: TlsOptions;
      readonly features?: readonly ClientFeature[];
      readonly protocol: ProtocolChoice;
    }
  /** A person has the neighbouring addresses of a failed connection asked: exchanges from here on are those questions. */
  | { readonly event: 'look-further'; readonly where: 'paths' | 'loopback' }
  /** The server does not speak Streamable HTTP, so HTTP+SSE is tried. */
  | { readonly event: 'fallback'; readonly transport: 'sse'; readonly reason: string }
  /** The server has forgotten the session: a new `initialize` follows. `reason`: one sentence that says how we know. */
  | { readonly event: 'session-lost'; readonly reason?: string }
  /**
   * The server of an open connection can't be reached. The connection stays open, and mcp-inspect tries again, first
   * after `retryMs` milliseconds; later attempts are exchanges on the `http` channel.
   */
  | ({ readonly event: 'unreachable'; readonly retryMs: number } & Failure)
  /** The server answers again, after this many attempts of ours. */
  | { readonly event: 'reachable'; readonly attempts: number }
  /** What the server asked about who we are has come to; each request of it is on the `http` channel. */
  | ({ readonly event: 'authorization' } & AuthorizationStep)
  | { readonly event: 'spawned'; readonly pid: number }
  /** Auto mode knows the era of this server from an earlier run, which probed it `at` (ISO 8601). */
  | { readonly event: 'era-remembered'; readonly era: Era; readonly at: string }
  /** The remembered era was wrong, for a reason in words: `server/discover` follows. */
  | { readonly event: 'era-forgotten'; readonly reason: string }
  /**
   * Auto mode's `server/discover` had no answer for so long that `initialize` is sent too. The probe stays outstanding.
   */
  | { readonly event: 'probe-silent'; readonly afterMs: number }
  /** The verdict of auto mode's `server/discover`, with the reason in words. */
  | { readonly event: 'probe'; readonly era: Era; readonly reason: string; readonly respawn: boolean }
  /** Without `era` and `version` there was no handshake. */
  | { readonly event: 'open'; readonly era?: Era; readonly version?: string }
  /** The handshake failed and the transport stays open for messages written by hand. */
  | ({ readonly event: 'handshake-failed' } & Failure)
  /** We gave up waiting for the answer to our request `id`. */
  | { readonly event: 'timeout'; readonly id: RequestId; readonly method: string; readonly afterMs: number }
  /** Our request `id` is sent again, under an id of its own, for a reason that the server gave. */
  | { readonly event: 'retry'; readonly id: RequestId; readonly method: string; readonly reason: string }
  /**
   * The answer to our request `id` asks for input first (2026-07-28), and those who can give it are asked: one of them gave
   * the input called `key`, or it was given up for a reason. Without that a `retry` follows.
   */
  | ({ readonly event: 'input'; readonly id: RequestId; readonly method: string } & InputStep)
  /** What the person says the server may work in: `roots/list` is answered with these. */
  | { readonly event: 'roots'; readonly roots: readonly Root[] }
  | {
      readonly event: 'closing';
      readonly reason: 'user' | 'restart' | 'no-viewer' | 'page-gone' | 'shutdown' | 'failure';
    }
  /** A rung of the kill ladder was reached. */
  | { readonly event: 'rung'; readonly rung: 'stdin-end' | 'SIGTERM' | 'SIGKILL' }
  | { readonly event: 'exit'; readonly code: number | null; readonly signal: string | null }
  /** The server is gone but something it started still holds its pipes. */
  | { readonly event: 'output-held'; readonly message: string }
  /** Old frames could not be moved to disk; they stay in memory. */
  | { readonly event: 'spill-failed'; readonly message: string }
  /** Nothing more of this connection is written to its recording, or nothing at all. */
  | { readonly event: 'recording-failed'; readonly message: string }
  | ({ readonly event: 'failed' } & Failure)
  /** A person's note on a frame. The newest on a frame counts; one that says nothing takes it back. */
  | ({ readonly event: 'note' } & FrameNote)
  /** What a person calls the recording, and says of it as a whole; '' is nothing. The newest counts. */
  | { readonly event: 'about'; readonly name: string; readonly text: string }
  /** Put in where a recording ends without its connection's end. Never written into one. */
  | { readonly event: 'recording-ends' }
  /**
   * Put in for a frame of a recording that is not there, so that what is behind it keeps its number; a copy has it as well. Of those
   * in a row, the first tells of all of them, and the others have no row.
   */
  | ({ readonly event: 'missing' } & Partial<MissingFacts>)
  | { readonly event: 'closed' };

/** The state that each event leads to; events that are not here change nothing. */
const STATE_AFTER: { readonly [E in LifecycleEvent['event']]?: ConnectionState } = {
  start: 'starting',
  open: 'open',
  'handshake-failed': 'handshake-failed',
  closing: 'closing',
  failed: 'failed',
  'recording-ends': 'closed',
  closed: 'closed',
};

/** A connection's state after `event`. `failed` and `closed` are final: what is tidied up afterwards doesn't change the verdict. */
export function stateAfter(state: ConnectionState, event: LifecycleEvent): ConnectionState {
  if (state === 'failed' || state === 'closed') return state;
  return (Object.hasOwn(STATE_AFTER, event.event) && STATE_AFTER[event.event]) || state;
}

const isNull: Check = (value) => value === null;
const isTrue: Check = (value) => value === true;
const isFlag: Check = (value) => typeof value === 'boolean';
/** One of a few that we write ourselves, of whatever version: nothing in it is too long to show, or not to be seen. */
const isWord: Check = (value) => isText(value) && /^[\w.:+-]{0,40}$/.test(value as string);
const failure = { code: isText, message: isText, advice: isText };
const asked = { id: anyOf(isText, isNumber), method: isText };
const step = { issuer: isText, scopes: isTextList };

const start = {
  at: isText,
  name: isText,
  protocol: isWord,
  placeholders: optional(isTextList),
  features: optional(isTextList),
};
const command = objectWith({
  ...start,
  command: isText,
  args: isTextList,
  cwd: isText,
  environment: objectWith({ policy: isWord, inherited: isTextList, added: isTextList }),
});
const url = objectWith({
  ...start,
  transport: isWord,
  url: isText,
  headerNames: isTextList,
  via: optional(isWord),
  client: optional(objectWith({ clientId: optional(isText), metadataUrl: optional(isText), scope: optional(isText) })),
  tls: optional(
    objectWith({
      ca: optional(isTextList),
      cert: optional(isText),
      key: optional(isText),
      passphraseEnv: optional(isText),
      insecure: optional(isTrue),
    }),
  ),
});

/** What is read of each event. Those that are not here are their name alone. */
const EVENT_CHECKS: { readonly [E in LifecycleEvent['event']]?: Check } = {
  start: (event) => (isObject(event) && own(event, 'transport') === 'stdio' ? command(event) : url(event)),
  'look-further': objectWith({ where: isText }),
  fallback: objectWith({ transport: isWord, reason: isText }),
  'session-lost': objectWith({ reason: optional(isText) }),
  unreachable: objectWith({ ...failure, retryMs: isNumber }),
  reachable: objectWith({ attempts: isNumber }),
  authorization: anyOf(
    objectWith({ phase: (phase) => phase === 'needed', ...step, url: isText }),
    objectWith({ phase: (phase) => phase === 'granted', ...step, by: isWord }),
    objectWith({ phase: (phase) => phase === 'refused', ...failure }),
    objectWith({ phase: (phase) => phase === 'signed-out' }),
  ),
  spawned: objectWith({ pid: isNumber }),
  probe: objectWith({ era: isWord, reason: isText }),
  'era-remembered': objectWith({ era: isWord, at: isText }),
  'era-forgotten': objectWith({ reason: isText }),
  'probe-silent': objectWith({ afterMs: isNumber }),
  open: objectWith({ era: optional(isWord), version: optional(isWord) }),
  'handshake-failed': objectWith(failure),
  timeout: objectWith({ ...asked, afterMs: isNumber }),
  retry: objectWith({ ...asked, reason: isText }),
  input: anyOf(
    objectWith({ ...asked, phase: (phase) => phase === 'asked' }),
    objectWith({ ...asked, phase: (phase) => phase === 'given', key: isText }),
    objectWith({ ...asked, phase: (phase) => phase === 'given-up', reason: isText }),
  ),
  closing: objectWith({ reason: isWord }),
  rung: objectWith({ rung: isWord }),
  exit: objectWith({ code: anyOf(isNumber, isNull), signal: anyOf(isWord, isNull) }),
  'output-held': objectWith({ message: isText }),
  'spill-failed': objectWith({ message: isText }),
  'recording-failed': objectWith({ message: isText }),
  failed: objectWith(failure),
  note: objectWith({ on: isNumber, text: isText, bookmark: isFlag }),
  about: objectWith({ name: isText, text: isText }),
  missing: objectWith({
    frames: optional(isNumber),
    lines: optional(isNumber),
    line: optional(isNumber),
    unknown: optional(isTrue),
    folded: optional(isTrue),
  }),
};

/**
 * A lifecycle frame's event with all that is read of it: in a recording it is whatever somebody wrote. One of a newer version
 * is sound; undefined for anything else.
 */
export function validLifecycleEvent(value: unknown): LifecycleEvent | undefined {
  const name = isObject(value) ? own(value, 'event') : undefined;
  if (typeof name !== 'string') return undefined;
  const known = Object.hasOwn(EVENT_CHECKS, name) ? EVENT_CHECKS[name as LifecycleEvent['event']] : undefined;
  return known === undefined || known(value) ? (value as LifecycleEvent) : undefined;
}
