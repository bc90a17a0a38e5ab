import {
  anyCheck,
  isFlag,
  isNumber,
  isObject,
  isText,
  isTextList,
  isTrue,
  listOf,
  objectWith,
  oneOf,
  optional,
  own,
  type TypeCheck,
} from '@/lib/json/value';
import type { AuthStep } from './auth-step';
import type { ClientProfile } from './client-profile';
import type { Root, ShownClient, TlsOptions } from './connection-settings';
import { DIRECTIONS } from './frame';
import type { GivenUpHold, HeldMessage, Interception, ShownRule } from './intercept';
import type { IssuedToken } from './issued-token';
import type { RequestId } from './message';
import type { PinStep } from './pins';

/** Protocol versions, oldest first. */
export const PROTOCOL_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];
/**
 * How a connection opens. `auto` first probes the server, and the probe is in the log. A version opens without a probe.
 * `none` sends nothing: the user writes every message.
 */
export const PROTOCOL_CHOICES = ['auto', 'none', ...PROTOCOL_VERSIONS] as const;
export type ProtocolChoice = (typeof PROTOCOL_CHOICES)[number];
/** `legacy`: the initialize handshake (≤ 2025-11-25). `modern`: `_meta` on each request (2026-07-28). */
export type Era = 'legacy' | 'modern';

/** `handshake-failed`: the server still runs, or its URL still answers, so messages can be written by hand. */
export type ConnectionState = 'starting' | 'open' | 'handshake-failed' | 'closing' | 'closed' | 'failed';

/** Returns true while requests and raw messages can be sent. */
export function canSend(state: ConnectionState): boolean {
  return state === 'open' || state === 'handshake-failed';
}

/** A failure for the user: what happened and what to do. `code` is stable. */
export interface Failure {
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** One sentence. */
  readonly advice: string;
}

/** Returns true for an error that is a {@link Failure}, and so has text for the user. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && 'code' in error && 'advice' in error;
}

/** Names, never values, of the environment variables that a server was started with. */
export interface EnvironmentNames {
  /** `shell`: all variables of the proxy. `allowlist`: only those that hosts pass. */
  readonly policy: 'shell' | 'allowlist';
  readonly inherited: readonly string[];
  /** Added by the user or a config. */
  readonly added: readonly string[];
  /** Added by mcp-inspect, so that the server sends its OpenTelemetry here. Absent: none. */
  readonly telemetry?: readonly string[];
}

/** A step of authorization. */
export type AuthorizationStep =
  /** The user must sign in at `issuer`. `url` is the page for that, without the secret in it. */
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
      /** `earlier`: granted to another connection before. `client`: without a person. */
      readonly by: 'sign-in' | 'refresh' | 'earlier' | 'client';
      /** Check it with `isIssuedToken`: anybody can have written it. */
      readonly issued?: IssuedToken;
    }
  | ({ readonly phase: 'refused' } & Failure)
  /** Our grants were deleted. */
  | { readonly phase: 'signed-out' };

/** A step of the input that a server's answer asks for. */
export type InputStep =
  /** `keys`: the inputs that are new. Absent: all. Only a task repeats the others. */
  | { readonly phase: 'asked'; readonly keys?: readonly string[] }
  | { readonly phase: 'given'; readonly key: string }
  | { readonly phase: 'given-up'; readonly reason: string };

/** Why mcp-inspect follows a task no longer: it gave up, or the user left the task. `reason` ends a sentence. */
export interface TaskStep {
  readonly phase: 'given-up' | 'left';
  readonly reason: string;
}

/** A user's note on a frame. */
export interface FrameNote {
  /** Seq of the frame; in a recording, its number. */
  readonly on: number;
  /** '' for none. */
  readonly text: string;
  readonly bookmark: boolean;
}

/** Telemetry that was not logged. */
export interface TelemetryLoss {
  readonly why: 'too-fast' | 'too-much' | 'too-large' | 'invalid' | 'no-receiver';
  readonly reason: string;
  readonly requests: number;
  readonly items: number;
}

/** Frames missing at one place of a recording. */
export interface MissingFacts {
  /** Number of missing frames. */
  readonly frames: number;
  /** Number of unreadable lines at this place, and the line number of the first. The header is line 1. */
  readonly lines?: number;
  readonly line?: number;
  /** This one frame replaces all missing frames, so later frames have lower numbers than in the file. */
  readonly folded?: true;
}

/** The beginning of a recording of a tapped session. */
export interface TapStart {
  /** The program that started the tap, if the command line names it. */
  readonly host?: string;
  /** Identifies the session. */
  readonly session: string;
  /** Number of the file among those of the session, from 1. */
  readonly part: number;
  /** Frames after this one that repeat the first messages of the session. Absent: none. */
  readonly repeated?: number;
}

/**
 * An event of a connection: the JSON of a frame on the `lifecycle` channel. The state of a connection is derived from
 * these, live or in a recording.
 */
export type LifecycleEvent =
  | {
      readonly event: 'start';
      /** ISO 8601. The only calendar time of a log. */
      readonly at: string;
      readonly name: string;
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** `${…}` names in `command` and `args`, which are kept as written. The server got the values. */
      readonly placeholders?: readonly string[];
      readonly cwd: string;
      readonly environment: EnvironmentNames;
      /** How mcp-inspect presents itself. Read it with `readProfile`: anybody can have written it. */
      readonly profile?: ClientProfile;
      /** Written by earlier versions, instead of `profile`. */
      readonly features?: readonly string[];
      readonly protocol: ProtocolChoice;
      /** Set if somebody else is the client, and mcp-inspect only passes the bytes. */
      readonly tap?: TapStart;
    }
  | {
      readonly event: 'start';
      readonly at: string;
      readonly name: string;
      readonly transport: 'auto' | 'http' | 'sse';
      /** The page connects directly, within the limits of its browser. */
      readonly via?: 'direct';
      /** Without secrets. */
      readonly url: string;
      /** `${…}` names in `url` that were filled in. */
      readonly placeholders?: readonly string[];
      /** Names of the user's headers, without values. */
      readonly headerNames: readonly string[];
      /** OAuth client settings of the user. */
      readonly client?: ShownClient;
      readonly tls?: TlsOptions;
      readonly profile?: ClientProfile;
      readonly features?: readonly string[];
      readonly protocol: ProtocolChoice;
      /** As above. */
      readonly tap?: TapStart;
    }
  /** The user probes addresses near that of a failed connection. The exchanges after this are the probes. */
  | { readonly event: 'look-further'; readonly where: 'paths' | 'loopback' | 'printed' | 'host-requests' }
  /** The server does not speak Streamable HTTP, so HTTP+SSE is tried. */
  | { readonly event: 'fallback'; readonly transport: 'sse'; readonly reason: string }
  /** The server lost the session, and `initialize` follows. `reason` is a sentence that says how we know. */
  | { readonly event: 'session-lost'; readonly reason?: string }
  /**
   * The server of an open connection can't be reached. The connection stays open, and mcp-inspect tries again after
   * `retryMs`. Later attempts are exchanges on the `http` channel.
   */
  | ({ readonly event: 'unreachable'; readonly retryMs: number } & Failure)
  /** The server answers again, after this many attempts. */
  | { readonly event: 'reachable'; readonly attempts: number }
  /** A step of authorization. Its requests are on the `http` channel. */
  | ({ readonly event: 'authorization' } & AuthorizationStep)
  /** The user runs a step of authorization alone, or keeps the sign-in. Its requests follow. */
  | ({ readonly event: 'auth-step'; readonly step: AuthStep | 'keep' } & (
      | { readonly phase: 'started' | 'done' }
      | ({ readonly phase: 'failed' } & Failure)
    ))
  /** The person came back from the sign-in page with these parameters. Secret values are `MASK`. */
  | { readonly event: 'auth-callback'; readonly parameters: readonly (readonly [name: string, value: string])[] }
  /**
   * `program`: path of the Python interpreter that runs. `venv`: path of another one, in a virtual environment of the
   * project.
   */
  | { readonly event: 'spawned'; readonly pid: number; readonly program?: string; readonly venv?: string }
  /** Auto mode uses the era found by an earlier run, which probed the server `at` (ISO 8601). */
  | { readonly event: 'era-remembered'; readonly era: Era; readonly at: string }
  /** The remembered era was wrong, and `server/discover` follows. `reason` is a sentence. */
  | { readonly event: 'era-forgotten'; readonly reason: string }
  /** `server/discover` went unanswered for so long that auto mode also sends `initialize`. */
  | { readonly event: 'probe-silent'; readonly afterMs: number }
  /** The result of auto mode's `server/discover`. `reason` is a sentence. */
  | { readonly event: 'probe'; readonly era: Era; readonly reason: string; readonly respawn: boolean }
  /** The connection is open. Without a handshake, `era` and `version` are absent. */
  | { readonly event: 'open'; readonly era?: Era; readonly version?: string }
  /** The handshake failed. The transport stays open for raw messages. */
  | ({ readonly event: 'handshake-failed' } & Failure)
  /** Our request `id` timed out. */
  | { readonly event: 'timeout'; readonly id: RequestId; readonly method: string; readonly afterMs: number }
  /** Our request `id` is sent again with a new id, for a reason that the server gave. */
  | { readonly event: 'retry'; readonly id: RequestId; readonly method: string; readonly reason: string }
  /**
   * The answer to our request `id` asks for input (2026-07-28). Handlers give each input under its `key`, or give up.
   * Unless they give up, a `retry` follows.
   */
  | ({ readonly event: 'input'; readonly id: RequestId; readonly method: string } & InputStep)
  /** mcp-inspect stops following the task that our request `id` started. */
  | ({ readonly event: 'task'; readonly id: RequestId; readonly taskId: string } & TaskStep)
  /**
   * A standing answer of the user answers the server's request `id`. With `key`, it gives that input of the answer to
   * our request `id`.
   */
  | { readonly event: 'standing-answer'; readonly id: RequestId; readonly method: string; readonly key?: string }
  /** The user changed how mcp-inspect presents itself, from the next request on. */
  | { readonly event: 'profile'; readonly profile: ClientProfile }
  /** The user set the answer to `roots/list`. */
  | { readonly event: 'roots'; readonly roots: readonly Root[] }
  /** The user set the log level that modern requests ask for (2026-07-28); absent: they ask for no log messages. */
  | { readonly event: 'log-level'; readonly level?: string }
  | {
      readonly event: 'closing';
      /** `host`: the host of a tapped session closed stdin or sent a signal before the server exited. */
      readonly reason: 'user' | 'restart' | 'no-viewer' | 'page-gone' | 'shutdown' | 'failure' | 'host';
    }
  /** A step of the kill ladder: each is harder than the one before. */
  | { readonly event: 'rung'; readonly rung: 'stdin-end' | 'SIGTERM' | 'SIGKILL' }
  | { readonly event: 'exit'; readonly code: number | null; readonly signal: string | null }
  /** The server printed a whole object on stdout and no newline after it, for a second. `text`: its start. */
  | { readonly event: 'line-unended'; readonly text: string }
  /** The server has exited, but a process that it started still holds its pipes. */
  | { readonly event: 'output-held'; readonly message: string }
  /** Old frames could not be moved to disk and stay in memory. */
  | { readonly event: 'spill-failed'; readonly message: string }
  /**
   * Telemetry of the server that is not in the log, for one reason. `requests` were refused whole; `items` are spans,
   * log records and metrics of others. Both count since the event before for this reason. `reason` is a sentence.
   */
  | ({ readonly event: 'telemetry-dropped' } & TelemetryLoss)
  /** Recording this connection failed. */
  | { readonly event: 'recording-failed'; readonly message: string }
  | ({ readonly event: 'failed' } & Failure)
  /** A note on a frame. Replaces an earlier note; an empty note removes it. */
  | ({ readonly event: 'note' } & FrameNote)
  /** Name and note of the recording; '' for none. Replaces earlier ones. */
  | { readonly event: 'about'; readonly name: string; readonly text: string }
  /** A step of playing pinned calls. */
  | ({ readonly event: 'pins' } & PinStep)
  /** The rules of interception have changed, and these are in force. */
  | { readonly event: 'rules'; readonly rules: readonly ShownRule[] }
  /** A message waits. An `intercepted` with the same `hold` says how that ended. */
  | ({ readonly event: 'held' } & HeldMessage)
  /** Nobody waits for a message that is held, or for its response. It stays held. */
  | ({ readonly event: 'given-up' } & GivenUpHold)
  /**
   * The overlay has changed: the client sees tools as this one says. Absent `text`: as the server lists them. `file`:
   * the file that has it. `notified`: notifications that tell the client to ask for its list again.
   */
  | { readonly event: 'overlay'; readonly text?: string; readonly file?: string; readonly notified: number }
  /** A message was not passed on as it was, or not at once. */
  | ({ readonly event: 'intercepted' } & Interception)
  /** Inserted where a recording ends before its connection does. Never recorded. */
  | { readonly event: 'recording-ends' }
  /**
   * Inserted for a missing frame, so that later frames keep their numbers. Copies of the recording keep it. If several
   * are adjacent, the first describes them all, and only the first has a row in the table.
   */
  | ({ readonly event: 'missing' } & Partial<MissingFacts>)
  | { readonly event: 'closed' };

/** The state after each event. Other events don't change it. */
const STATE_AFTER: { readonly [E in LifecycleEvent['event']]?: ConnectionState } = {
  start: 'starting',
  open: 'open',
  'handshake-failed': 'handshake-failed',
  closing: 'closing',
  failed: 'failed',
  'recording-ends': 'closed',
  closed: 'closed',
};

/** Returns the state after `event`. `failed` and `closed` are final: events of the clean-up don't change them. */
export function stateAfter(state: ConnectionState, event: LifecycleEvent): ConnectionState {
  if (state === 'failed' || state === 'closed') return state;
  return (Object.hasOwn(STATE_AFTER, event.event) && STATE_AFTER[event.event]) || state;
}

const isNull: TypeCheck = (value) => value === null;
/** Matches a short word, as any version of mcp-inspect may write. Such a word is safe to show. */
const isWord: TypeCheck = (value) => isText(value) && /^[\w.:+-]{0,40}$/.test(value as string);
const failure = { code: isText, message: isText, advice: isText };
const passing = {
  direction: oneOf(...DIRECTIONS),
  kind: optional(isWord),
  method: optional(isText),
  name: optional(isText),
  id: optional(anyCheck(isText, isNumber)),
};
const asked = { id: anyCheck(isText, isNumber), method: isText };
const step = { issuer: isText, scopes: isTextList };

const tap = optional(
  objectWith({ host: optional(isText), session: isWord, part: isNumber, repeated: optional(isNumber) }),
);
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
  environment: objectWith({
    policy: isWord,
    inherited: isTextList,
    added: isTextList,
    telemetry: optional(isTextList),
  }),
  tap,
});
const url = objectWith({
  ...start,
  transport: isWord,
  url: isText,
  headerNames: isTextList,
  via: optional(isWord),
  client: optional(
    objectWith({
      clientId: optional(isText),
      metadataUrl: optional(isText),
      scope: optional(isText),
      grant: optional(isWord),
      keyFile: optional(isText),
      tokenFile: optional(isText),
      idp: optional(isText),
      idpClientId: optional(isText),
      issuer: optional(isText),
      dpop: optional(isWord),
    }),
  ),
  tls: optional(
    objectWith({
      ca: optional(isTextList),
      cert: optional(isText),
      key: optional(isText),
      passphraseEnv: optional(isText),
      insecure: optional(isTrue),
    }),
  ),
  tap,
});

/** The members that are read from each event. Events not listed have none. */
const EVENT_CHECKS: { readonly [E in LifecycleEvent['event']]?: TypeCheck } = {
  start: (event) => (isObject(event) && own(event, 'transport') === 'stdio' ? command(event) : url(event)),
  'look-further': objectWith({ where: isText }),
  fallback: objectWith({ transport: isWord, reason: isText }),
  'session-lost': objectWith({ reason: optional(isText) }),
  unreachable: objectWith({ ...failure, retryMs: isNumber }),
  reachable: objectWith({ attempts: isNumber }),
  authorization: anyCheck(
    objectWith({ phase: (phase) => phase === 'needed', ...step, url: isText }),
    objectWith({ phase: (phase) => phase === 'granted', ...step, by: isWord }),
    objectWith({ phase: (phase) => phase === 'refused', ...failure }),
    objectWith({ phase: (phase) => phase === 'signed-out' }),
  ),
  'auth-step': objectWith({ step: isWord, phase: isWord, message: optional(isText), advice: optional(isText) }),
  'auth-callback': objectWith({ parameters: listOf((pair) => isTextList(pair) && (pair as unknown[]).length === 2) }),
  spawned: objectWith({ pid: isNumber, program: optional(isText), venv: optional(isText) }),
  probe: objectWith({ era: isWord, reason: isText }),
  'era-remembered': objectWith({ era: isWord, at: isText }),
  'era-forgotten': objectWith({ reason: isText }),
  'probe-silent': objectWith({ afterMs: isNumber }),
  open: objectWith({ era: optional(isWord), version: optional(isWord) }),
  'handshake-failed': objectWith(failure),
  timeout: objectWith({ ...asked, afterMs: isNumber }),
  retry: objectWith({ ...asked, reason: isText }),
  input: anyCheck(
    objectWith({ ...asked, phase: (phase) => phase === 'asked', keys: optional(isTextList) }),
    objectWith({ ...asked, phase: (phase) => phase === 'given', key: isText }),
    objectWith({ ...asked, phase: (phase) => phase === 'given-up', reason: isText }),
  ),
  task: objectWith({ id: anyCheck(isText, isNumber), taskId: isText, phase: isWord, reason: isText }),
  'standing-answer': objectWith({ ...asked, key: optional(isText) }),
  'log-level': objectWith({ level: optional(isWord) }),
  closing: objectWith({ reason: isWord }),
  rung: objectWith({ rung: isWord }),
  exit: objectWith({ code: anyCheck(isNumber, isNull), signal: anyCheck(isWord, isNull) }),
  'line-unended': objectWith({ text: isText }),
  'output-held': objectWith({ message: isText }),
  'spill-failed': objectWith({ message: isText }),
  'telemetry-dropped': objectWith({ why: isWord, reason: isText, requests: isNumber, items: isNumber }),
  'recording-failed': objectWith({ message: isText }),
  failed: objectWith(failure),
  note: objectWith({ on: isNumber, text: isText, bookmark: isFlag }),
  about: objectWith({ name: isText, text: isText }),
  pins: anyCheck(
    objectWith({ phase: (phase) => phase === 'started', calls: isNumber }),
    objectWith({ phase: (phase) => phase === 'played', name: isText, verdict: isWord, why: optional(isText) }),
    objectWith({ phase: (phase) => phase === 'ended', why: optional(isText) }),
  ),
  rules: objectWith({
    rules: listOf(
      objectWith({
        name: isText,
        do: isWord,
        file: optional(isText),
        direction: optional(isWord),
        when: optional(isText),
        after: optional(isNumber),
        every: optional(isNumber),
        times: optional(isNumber),
      }),
    ),
  }),
  overlay: objectWith({ text: optional(isText), file: optional(isText), notified: isNumber }),
  held: objectWith({ ...passing, hold: isNumber, rule: isText, bytes: isNumber, ms: optional(isNumber) }),
  'given-up': objectWith({ ...passing, hold: isNumber, reason: optional(isText) }),
  intercepted: objectWith({
    ...passing,
    did: isWord,
    rule: optional(isText),
    why: optional(isWord),
    hold: optional(isNumber),
    waitedMs: optional(isNumber),
    delivered: isNumber,
    original: optional(isTrue),
    withheld: optional(isTrue),
    made: optional(isTrue),
  }),
  missing: objectWith({
    frames: optional(isNumber),
    lines: optional(isNumber),
    line: optional(isNumber),
    folded: optional(isTrue),
  }),
};

/**
 * Validates the event of a lifecycle frame, which anybody can have written into a recording. Accepts unknown events,
 * because a newer version can have written them; undefined for anything else.
 */
export function validLifecycleEvent(value: unknown): LifecycleEvent | undefined {
  const name = isObject(value) ? own(value, 'event') : undefined;
  if (typeof name !== 'string') return undefined;
  const known = Object.hasOwn(EVENT_CHECKS, name) ? EVENT_CHECKS[name as LifecycleEvent['event']] : undefined;
  return known === undefined || known(value) ? (value as LifecycleEvent) : undefined;
}
