import type { LifecycleEvent } from './lifecycle';
import { isObject, own } from './message';
import { anyOf, areTexts, type Check, isNumber, isText, optional, shape } from './shape';

const isNull: Check = (value) => value === null;
const isTrue: Check = (value) => value === true;
const isFlag: Check = (value) => typeof value === 'boolean';
/** One of a few that we write ourselves, of whatever version: nothing in it is too long to show, or not to be seen. */
const isWord: Check = (value) => isText(value) && /^[\w.:+-]{0,40}$/.test(value as string);
const failure = { code: isText, message: isText, advice: isText };
const asked = { id: anyOf(isText, isNumber), method: isText };
const step = { issuer: isText, scopes: areTexts };

const start = {
  at: isText,
  name: isText,
  protocol: isWord,
  placeholders: optional(areTexts),
  features: optional(areTexts),
};
const command = shape({
  ...start,
  command: isText,
  args: areTexts,
  cwd: isText,
  environment: shape({ policy: isWord, inherited: areTexts, added: areTexts }),
});
const url = shape({
  ...start,
  transport: isWord,
  url: isText,
  headerNames: areTexts,
  via: optional(isWord),
  client: optional(shape({ clientId: optional(isText), metadataUrl: optional(isText), scope: optional(isText) })),
  tls: optional(
    shape({
      ca: optional(areTexts),
      cert: optional(isText),
      key: optional(isText),
      passphraseEnv: optional(isText),
      insecure: optional(isTrue),
    }),
  ),
});

/** What is read of each event. Those that are not here are their name alone. */
const SHAPES: { readonly [E in LifecycleEvent['event']]?: Check } = {
  start: (event) => (isObject(event) && own(event, 'transport') === 'stdio' ? command(event) : url(event)),
  'look-further': shape({ where: isText }),
  fallback: shape({ transport: isWord, reason: isText }),
  'session-lost': shape({ reason: optional(isText) }),
  unreachable: shape({ ...failure, retryMs: isNumber }),
  reachable: shape({ attempts: isNumber }),
  authorization: anyOf(
    shape({ phase: (phase) => phase === 'needed', ...step, url: isText }),
    shape({ phase: (phase) => phase === 'granted', ...step, by: isWord }),
    shape({ phase: (phase) => phase === 'refused', ...failure }),
    shape({ phase: (phase) => phase === 'signed-out' }),
  ),
  spawned: shape({ pid: isNumber }),
  probe: shape({ era: isWord, reason: isText }),
  'era-remembered': shape({ era: isWord, at: isText }),
  'era-forgotten': shape({ reason: isText }),
  'probe-silent': shape({ afterMs: isNumber }),
  open: shape({ era: optional(isWord), version: optional(isWord) }),
  'handshake-failed': shape(failure),
  timeout: shape({ ...asked, afterMs: isNumber }),
  retry: shape({ ...asked, reason: isText }),
  input: anyOf(
    shape({ ...asked, phase: (phase) => phase === 'asked' }),
    shape({ ...asked, phase: (phase) => phase === 'given', key: isText }),
    shape({ ...asked, phase: (phase) => phase === 'given-up', reason: isText }),
  ),
  closing: shape({ reason: isWord }),
  rung: shape({ rung: isWord }),
  exit: shape({ code: anyOf(isNumber, isNull), signal: anyOf(isWord, isNull) }),
  'output-held': shape({ message: isText }),
  'spill-failed': shape({ message: isText }),
  'recording-failed': shape({ message: isText }),
  failed: shape(failure),
  note: shape({ on: isNumber, text: isText, bookmark: isFlag }),
  about: shape({ name: isText, text: isText }),
  missing: shape({
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
export function soundEvent(value: unknown): LifecycleEvent | undefined {
  const name = isObject(value) ? own(value, 'event') : undefined;
  if (typeof name !== 'string') return undefined;
  const known = Object.hasOwn(SHAPES, name) ? SHAPES[name as LifecycleEvent['event']] : undefined;
  return known === undefined || known(value) ? (value as LifecycleEvent) : undefined;
}
