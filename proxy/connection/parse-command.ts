import { isObject, own } from '@/lib/json/value';
import { AUTH_STEPS } from '@/lib/wire/auth-step';
import { isPageConnection } from '@/lib/wire/batch';
import { isProfile } from '@/lib/wire/client-profile';
import type { Command, Target } from '@/lib/wire/command';
import { MOST_INPUTS } from '@/lib/wire/config-inputs';
import { CLIENT_GRANTS } from '@/lib/wire/connection-settings';
import { DIRECTIONS } from '@/lib/wire/frame';
import { decisionFault, rulesFault } from '@/lib/wire/intercept-checks';
import { PROTOCOL_CHOICES } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { LOG_LEVELS } from '@/lib/wire/protocol-names';

/** Parses a WebSocket text message. Returns undefined if it is not a command. Never throws. */
export function parseCommand(text: string): Command | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const type = own(value, 'type');
  const isCommand = typeof type === 'string' ? CHECKS.get(type) : undefined;
  return isCommand?.(value) ? (value as unknown as Command) : undefined;
}

/** Characters of a command's `ref`, which is sent back: the page counts its commands and needs far fewer. */
export const REF_CHARS = 64;
/** Characters of a root's URI or name: longer paths don't exist on most systems. */
const ROOT_CHARS = 4096;

/** Returns true for a valid value. */
type Check = (value: unknown) => boolean;

const string: Check = (value) => typeof value === 'string';
const boolean: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const atMost =
  (most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
const count = atMost(Number.MAX_SAFE_INTEGER);
const milliseconds = atMost(LIMITS.timerMs);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const record =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const shape = (fields: Readonly<Record<string, Check>>): Check => {
  const checks = new Map(Object.entries(fields));
  return (value) => {
    if (!isObject(value)) return false;
    for (const key of Object.keys(value)) if (!checks.has(key)) return false;
    for (const [key, check] of checks) if (!check(own(value, key))) return false;
    return true;
  };
};
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const ref: Check = (value) => typeof value === 'string' && value.length <= REF_CHARS;
const id: Check = (value) => typeof value === 'string' || Number.isSafeInteger(value);
/** A word of a command line: a NUL can't be in argv or env. */
const word: Check = (value) => typeof value === 'string' && !value.includes('\0');

/** A server's request id: any number, since JSON.parse may have lost digits. */
const theirId: Check = (value) => typeof value === 'string' || typeof value === 'number';
/** Characters of the words for a trial: the longest name of an extension fits. */
const TRIAL_CHARS = 200;
const name: Check = (value) => string(value) && value !== '' && (value as string).length <= TRIAL_CHARS;
const short: Check = (value) => string(value) && (value as string).length <= ROOT_CHARS;

const inputs: Check = (value) =>
  list(shape({ id: word, value: word, secret: optional(oneOf(true)), several: optional(oneOf(true)) }))(value) &&
  (value as readonly unknown[]).length <= MOST_INPUTS;

const stdioTarget = shape({
  transport: oneOf('stdio'),
  name: optional(string),
  base: optional(string),
  command: (value) => word(value) && value !== '',
  args: list(word),
  cwd: optional(word),
  env: optional(record((value) => value === null || word(value))),
  inputs: optional(inputs),
  profile: optional(isProfile),
});

const urlTarget = shape({
  transport: oneOf('auto', 'http', 'sse'),
  via: optional(oneOf('direct')),
  name: optional(string),
  base: optional(string),
  url: string,
  headers: optional(record((value) => value === null || string(value))),
  client: optional(
    shape({
      clientId: optional(string),
      clientSecret: optional(string),
      scope: optional(string),
      metadataUrl: optional(string),
      grant: optional(oneOf(...CLIENT_GRANTS)),
      keyFile: optional(word),
      tokenFile: optional(word),
      idp: optional(string),
      idpClientId: optional(string),
      issuer: optional(string),
      dpop: optional(oneOf('always')),
    }),
  ),
  tls: optional(
    shape({
      ca: optional(list(word)),
      cert: optional(word),
      key: optional(word),
      passphraseEnv: optional(word),
      insecure: optional(oneOf(true)),
    }),
  ),
  inputs: optional(inputs),
  profile: optional(isProfile),
});

/** Returns true for a valid target. */
export function isTarget(value: unknown): value is Target {
  return stdioTarget(value) || urlTarget(value);
}

/** A page's own connection id, and its name for the recording. */
const pageConnection: Check = (value) => string(value) && isPageConnection(value as string);
const KEY = /^[\w+/=.:-]{8,120}$/;

const answer = shape({ result: string });
const refusal = shape({ error: shape({ code: Number.isSafeInteger, message: string }) });
const pausing = shape({ id: ref, kind: oneOf('pause'), paused: boolean });
const deletion = shape({ id: ref, kind: oneOf('delete') });
const root = shape({ uri: short, name: optional(short) });

/** The fields of each command apart from `type`. A command with any other field is malformed. */
const FIELDS: { readonly [T in Command['type']]: Readonly<Record<string, Check>> } = {
  connect: {
    ref,
    target: isTarget,
    protocol: oneOf(...PROTOCOL_CHOICES),
    replaces: optional(string),
  },
  attach: { connection: string, after: count },
  read: { ref, connection: string, from: count, to: count },
  request: {
    ref,
    connection: string,
    method: string,
    params: optional(string),
    timeoutMs: optional(milliseconds),
    task: optional(shape({ ttl: optional(count) })),
  },
  notify: { ref, connection: string, method: string, params: optional(string) },
  'send-raw': { ref, connection: string, text: string, terminate: boolean },
  'app-message': { ref, connection: string, direction: oneOf(...DIRECTIONS), text: string },
  cancel: { ref, connection: string, id },
  answer: {
    ref,
    connection: string,
    id: theirId,
    key: optional(string),
    answer: (value) => answer(value) || refusal(value),
    always: optional(oneOf(true)),
  },
  standing: { ref, connection: string, change: optional((value) => pausing(value) || deletion(value)) },
  'set-roots': {
    ref,
    connection: string,
    roots: (value) => list(root)(value) && (value as readonly unknown[]).length <= LIMITS.roots,
  },
  'log-level': { ref, connection: string, level: oneOf(null, ...LOG_LEVELS) },
  reveal: { ref, connection: string, seq: count, field: (value) => value === 'url' || count(value) },
  note: {
    ref,
    connection: string,
    on: count,
    text: (value) => string(value) && (value as string).length <= LIMITS.noteChars,
    bookmark: boolean,
  },
  'set-profile': { ref, connection: string, profile: isProfile },
  'try-profile': { ref, connection: string, profile: isProfile, trial: name },
  restart: { ref, connection: string, profile: optional(isProfile) },
  close: { ref, connection: string },
  retry: { ref, connection: string },
  'cancel-sign-in': { ref, connection: string },
  'sign-out': { ref, connection: string },
  'keep-sign-in': { ref, connection: string },
  'auth-step': { ref, connection: string, step: oneOf(...AUTH_STEPS) },
  'look-further': { ref, connection: string, where: oneOf('paths', 'loopback', 'server-card', 'printed') },
  record: {
    ref,
    connection: pageConnection,
    key: (value) => string(value) && KEY.test(value as string),
    begin: boolean,
  },
  'record-end': { ref, connection: pageConnection },
  watch: { ref, connection: string, on: boolean },
  'set-rules': { ref, connection: string, rules: (value) => rulesFault(value, 'page') === undefined },
  'read-held': { ref, connection: string, hold: count },
  decide: { ref, connection: string, hold: count, decision: (value) => decisionFault(value) === undefined },
  'set-overlay': { ref, connection: string, overlay: string },
  forget: { ref, connection: string },
};

/** The check of each command, by its type. */
const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [type, shape({ type: string, ...fields })]),
);
