import {
  anyCheck,
  atMostChars,
  type Checked,
  type CheckedFields,
  type Guard,
  isCount,
  isFlag,
  isNumber,
  isObject,
  isText,
  isTrue,
  kindsWith,
  listOf,
  type ObjectOf,
  objectWith,
  oneOf,
  optional,
  type TypeCheck,
} from '@/lib/json/value';
import { AUTH_STEPS } from './auth-step';
import { isPageConnection } from './batch';
import { isProfile } from './client-profile';
import { MOST_INPUTS } from './config-inputs';
import { CLIENT_GRANTS, URL_TRANSPORTS } from './connection-settings';
import { DIRECTIONS } from './frame';
import type { HoldDecision, InterceptRule } from './intercept';
import { decisionFault, rulesFault } from './intercept-checks';
import { PROTOCOL_CHOICES } from './lifecycle';
import { LIMITS } from './limits';
import { LOG_LEVELS } from './protocol-names';

/** Parses a WebSocket text message. Returns undefined if it is not a command. Never throws. */
export function parseCommand(text: string): Checked<typeof isKnown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isCommand(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Characters of a command's `ref`, which is sent back: the page counts its commands and needs far fewer. */
export const REF_CHARS = 64;
/** Characters of a root's URI or name: longer paths don't exist on most systems. */
const ROOT_CHARS = 4096;
/** Characters of the words for a trial: the longest name of an extension fits. */
const TRIAL_CHARS = 200;

/** Accepts an object with these fields and no others. */
function exactly<F extends CheckedFields>(fields: F): Guard<ObjectOf<F>> {
  const hasAll = objectWith(fields);
  return (value): value is ObjectOf<F> =>
    hasAll(value) && Object.keys(value).every((key) => Object.hasOwn(fields, key));
}

/** Accepts an object whose values all pass `check`. */
function recordOf<C extends TypeCheck>(check: C): Guard<Readonly<Record<string, Checked<C>>>> {
  return (value): value is Readonly<Record<string, Checked<C>>> => isObject(value) && Object.values(value).every(check);
}

/** Accepts a list of at most so many items. */
function listUpTo<C extends TypeCheck>(most: number, check: C): Guard<readonly Checked<C>[]> {
  const items = listOf(check);
  return (value): value is readonly Checked<C>[] => items(value) && value.length <= most;
}

const milliseconds = (value: unknown): value is number => isCount(value) && value <= LIMITS.timerMs;
const id = (value: unknown): value is string | number => isText(value) || Number.isSafeInteger(value);
/** A word of a command line: a NUL can't be in argv or env. */
const word = (value: unknown): value is string => isText(value) && !value.includes('\0');
const short = atMostChars(ROOT_CHARS);

/** Answers to each `${input:id}` in a target and in its `base`. Kept in memory only. */
const inputs = optional(
  listUpTo(MOST_INPUTS, exactly({ id: word, value: word, secret: optional(isTrue), several: optional(isTrue) })),
);
/** How mcp-inspect presents itself. Absent: as it is. */
const profile = optional(isProfile);

/** A server started as a child process. */
const stdioTarget = exactly({
  transport: oneOf('stdio'),
  /** Name of the connection. Defaults to one made from the command. */
  name: optional(isText),
  /**
   * Id of a configured server (see `GET /api/servers`) or of a connection, ended or not. Its environment values are
   * used, and the page never sees them.
   */
  base: optional(isText),
  command: (value: unknown): value is string => word(value) && value !== '',
  args: listOf(word),
  cwd: optional(word),
  /** Variables to set by name. null removes one that `base` has. */
  env: optional(recordOf(anyCheck(oneOf(null), word))),
  inputs,
  profile,
});

/** A server reached by URL. */
const urlTarget = exactly({
  transport: oneOf(...URL_TRANSPORTS),
  /** The page connects directly, without the proxy. */
  via: optional(oneOf('direct')),
  name: optional(isText),
  /** Id of a configured server. Its header values are used while the URL has the same origin. */
  base: optional(isText),
  url: isText,
  /** Headers to set by name. null removes one that `base` has. */
  headers: optional(recordOf(anyCheck(oneOf(null), isText))),
  /**
   * How we identify ourselves to the authorization server. The secret of `base` is used while client id and URL origin
   * are the same as in `base`.
   */
  client: optional(
    exactly({
      clientId: optional(isText),
      clientSecret: optional(isText),
      scope: optional(isText),
      metadataUrl: optional(isText),
      grant: optional(oneOf(...CLIENT_GRANTS)),
      keyFile: optional(word),
      tokenFile: optional(word),
      idp: optional(isText),
      idpClientId: optional(isText),
      issuer: optional(isText),
      dpop: optional(oneOf('always')),
    }),
  ),
  /** Defaults to that of `base` while the URL has the same origin. */
  tls: optional(
    exactly({
      ca: optional(listOf(word)),
      cert: optional(word),
      key: optional(word),
      passphraseEnv: optional(word),
      insecure: optional(isTrue),
    }),
  ),
  inputs,
  profile,
});

/** Accepts a server to connect to. */
export const isTarget = anyCheck(stdioTarget, urlTarget);

/** A page's own connection id. */
const pageConnection = (value: unknown): value is string => isText(value) && isPageConnection(value);
const KEY = /^[\w+/=.:-]{8,120}$/;

/** `ref`: chosen by the sender, and repeated by the answer. */
const REF = { ref: atMostChars(REF_CHARS) };
const ON = { ...REF, connection: isText };

/**
 * Browser → proxy, one JSON text message each: the fields of each command apart from `type`. A command with any other
 * field is malformed.
 */
const COMMANDS = {
  connect: {
    ...REF,
    target: isTarget,
    protocol: oneOf(...PROTOCOL_CHOICES),
    /** Id of the kept server that a person edited into this one. */
    replaces: optional(isText),
  },
  /** Sends the frames with seq > `after`, then each new frame. */
  attach: { connection: isText, after: isCount },
  /** Sends frames `from` to `to` again, at most `LIMITS.againFrames`, in marked batches; then `done`. */
  read: { ...ON, from: isCount, to: isCount },
  request: {
    ...ON,
    method: isText,
    /** JSON text, sent as it is, so big integers, duplicate keys and key order survive. */
    params: optional(isText),
    timeoutMs: optional(milliseconds),
    /** Runs the call as a task (2025-11-25). */
    task: optional(exactly({ ttl: optional(isCount) })),
  },
  notify: { ...ON, method: isText, params: optional(isText) },
  /** Sends exact text, valid or not. `terminate: false` omits the line feed. */
  'send-raw': { ...ON, text: isText, terminate: isFlag },
  /**
   * Adds a message between an app and the page, its host, to the log. `to-server` is from the app. The page does not
   * wait for an answer. `text`: JSON, as posted.
   */
  'app-message': { ...ON, direction: oneOf(...DIRECTIONS), text: isText },
  cancel: { ...ON, id },
  /**
   * Answers the server's request `id`. With `key`, gives an input that the server asked for in its answer to our
   * request `id`. `always` makes it a standing answer: mcp-inspect answers the same question like this from now on.
   */
  answer: {
    ...ON,
    /** Any number, since JSON.parse may have lost digits. */
    id: anyCheck(isText, isNumber),
    key: optional(isText),
    answer: anyCheck(
      exactly({ result: isText }),
      exactly({
        error: exactly({ code: (value: unknown): value is number => Number.isSafeInteger(value), message: isText }),
      }),
    ),
    always: optional(isTrue),
  },
  /** Changes a standing answer, if `change` is given, and asks for the list. */
  standing: {
    ...ON,
    change: optional(
      anyCheck(
        exactly({ id: REF.ref, kind: oneOf('pause'), paused: isFlag }),
        exactly({ id: REF.ref, kind: oneOf('delete') }),
      ),
    ),
  },
  /** Sets the answer to `roots/list`, and notifies the server if it supports that. */
  'set-roots': { ...ON, roots: listUpTo(LIMITS.roots, exactly({ uri: short, name: optional(short) })) },
  /**
   * Asks the server for log messages of this level and above: by `logging/setLevel` in a legacy session, and with each
   * later request in a modern one. null: requests ask for none; not possible in a legacy session.
   */
  'log-level': { ...ON, level: oneOf(null, ...LOG_LEVELS) },
  /**
   * Asks for a masked value of an http frame: the header at this index, or the URL. Works while the connection lives,
   * and only for values that the user gave or the server issued.
   */
  reveal: { ...ON, seq: isCount, field: anyCheck(oneOf('url'), isCount) },
  /** Sets the note on a frame, by its seq; '' for none. The note becomes a frame of the log. */
  note: { ...ON, on: isCount, text: atMostChars(LIMITS.noteChars), bookmark: isFlag },
  /**
   * Changes how mcp-inspect presents itself, from the next request on. A legacy server learns capabilities and client
   * name in the handshake only, so a change of these needs `restart`.
   */
  'set-profile': { ...ON, profile: isProfile },
  /**
   * Starts the server again with another profile as a further run of the entry, beside the present one, to see what
   * changes. `trial` says in a few words how the profile differs.
   */
  'try-profile': {
    ...ON,
    profile: isProfile,
    trial: (value: unknown): value is string => value !== '' && isText(value) && value.length <= TRIAL_CHARS,
  },
  /**
   * Starts the server again as the next run of the connection's entry, and ends the newest run. The old log stays. The
   * profile stays as well unless another is given.
   */
  restart: { ...ON, profile },
  /** Disconnects, with the kill ladder for a process. The log stays. */
  close: ON,
  /** Tries to reach an unreachable server now, and resets the delay between attempts. */
  retry: ON,
  /** Stops waiting for the user to sign in. Requests that wait for it fail. */
  'cancel-sign-in': ON,
  /** Deletes everything that authorization servers granted for this server. */
  'sign-out': ON,
  /** Keeps the sign-in for this server for later runs, in a file of the proxy. */
  'keep-sign-in': ON,
  /** Runs one step of authorization alone. `done` follows when it is over, which may take a person for `sign-in`. */
  'auth-step': { ...ON, step: oneOf(...AUTH_STEPS) },
  /** Probes addresses near that of a failed connection. Probes and answers become frames of its log. */
  'look-further': { ...ON, where: oneOf('paths', 'loopback', 'server-card', 'printed') },
  /**
   * Starts or resumes recording a direct connection of the page. Its frames follow as batches on this socket, and
   * `recorded` answers each. `key` identifies it across lost sockets and reloads. `begin` records it even if the proxy
   * does not know it. `done` says how many frames are recorded already.
   */
  record: {
    ...REF,
    connection: pageConnection,
    key: (value: unknown): value is string => isText(value) && KEY.test(value),
    begin: isFlag,
  },
  /** A direct connection has ended, and all its frames were sent. */
  'record-end': { ...REF, connection: pageConnection },
  /**
   * Turns re-run on save on or off for the connection's entry. Which files are watched follows from its command, or
   * from the options of the command line: a page can't name any.
   */
  watch: { ...ON, on: isFlag },
  /**
   * Replaces this page's rules of interception on a connection. They are gone with its socket, and then the messages
   * that they hold are passed on.
   */
  'set-rules': {
    ...ON,
    rules: (value: unknown): value is readonly InterceptRule[] => rulesFault(value, 'page') === undefined,
  },
  /** Asks for the text of a held message. `done` has it. */
  'read-held': { ...ON, hold: isCount },
  /** Ends a hold. */
  decide: {
    ...ON,
    hold: isCount,
    decision: (value: unknown): value is HoldDecision => decisionFault(value) === undefined,
  },
  /**
   * Sets how the client of a connection sees the tools: this page's overlay, as the text of an overlay file. It is
   * gone with the page's socket.
   */
  'set-overlay': { ...ON, overlay: isText },
  /** Removes an ended connection and its log. */
  forget: ON,
};

const isKnown = kindsWith('type', COMMANDS);

/** Accepts a command of a page. */
export function isCommand(value: unknown): value is Checked<typeof isKnown> {
  if (!isKnown(value)) return false;
  const fields = COMMANDS[value.type];
  return Object.keys(value).every((key) => key === 'type' || Object.hasOwn(fields, key));
}
