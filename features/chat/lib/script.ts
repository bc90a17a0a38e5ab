// A script file of the scripted model: rules that say when to say or call what. Read once, with the place of a mistake.

import { isObject, type JsonObject, own } from '@/lib/json/value';
import { docsUrl } from '@/lib/wire/docs-url';
import type { StopReason, Usage } from './chat-frame';

/** Most rules of a script. */
const MOST_RULES = 1000;

/** A script file has a mistake. `message` is one sentence with its place. */
export class ScriptError extends Error {
  readonly code = 'bad-script';
  readonly advice = `Correct the script file. ${docsUrl('chat')} describes its format.`;
}

/** When a rule applies. All conditions must hold. */
export interface ScriptCondition {
  /** Conditions on a call's result make a rule apply after results, others after a person's message. */
  readonly isAfterResult: boolean;
  /** Words in the last message of the person, in any case. */
  readonly text?: string;
  readonly matches?: RegExp;
  /** Words in the result, in any case. */
  readonly result?: string;
  readonly resultMatches?: RegExp;
  /** The tool that was called: its name for the model, or as its server names it. */
  readonly tool?: string;
  readonly server?: string;
  readonly isError?: boolean;
  /** Number of the person's message, from 1. */
  readonly turn?: number;
}

export interface ScriptCall {
  readonly tool: string;
  readonly server?: string;
  /** A template of JSON, or text that is sent as it is, valid or not. */
  readonly arguments: unknown;
}

export interface ScriptFailure {
  readonly kind: FailureKind;
  readonly retryAfterMs?: number;
  /** How often the same request fails before the rule goes on; always unless set. */
  readonly times?: number;
}

export interface ScriptRule {
  readonly when: ScriptCondition;
  readonly think?: string;
  readonly say?: string;
  readonly calls: readonly ScriptCall[];
  readonly fail?: ScriptFailure;
  /** Characters of a streamed piece; all at once unless set. */
  readonly pieces?: number;
  /** Milliseconds before each piece. */
  readonly delay?: number;
  readonly stop?: StopReason;
  readonly usage?: Usage;
}

export interface Script {
  readonly rules: readonly ScriptRule[];
}

/** Failures that a rule can have. `hang` never answers. */
export const FAILURE_KINDS = [
  'unauthorized',
  'rate-limited',
  'overloaded',
  'server-error',
  'unreachable',
  'broken-stream',
  'bad-request',
  'hang',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

const STOPS: readonly StopReason[] = ['stop', 'length', 'refusal'];

/** Reads a parsed script file. Throws {@link ScriptError}. */
export function readScript(value: unknown): Script {
  const script = objectAt(value, 'The script', ['rules', 'name', 'description']);
  const rules = own(script, 'rules');
  if (!Array.isArray(rules)) throw new ScriptError('The script has no list "rules".');
  if (rules.length > MOST_RULES) throw new ScriptError(`The script has more than ${MOST_RULES} rules.`);
  return { rules: rules.map((rule, at) => readRule(rule, `rules[${at}]`)) };
}

function readRule(value: unknown, at: string): ScriptRule {
  const members = ['name', 'when', 'think', 'say', 'call', 'fail', 'pieces', 'delay', 'stop', 'usage'];
  const rule = objectAt(value, at, members);
  const call = own(rule, 'call');
  const calls = call === undefined ? [] : Array.isArray(call) ? call : [call];
  const fail = own(rule, 'fail');
  const stop = own(rule, 'stop');
  if (stop !== undefined && !STOPS.includes(stop as StopReason)) throw wrong(`${at}.stop`, oneOf(STOPS));
  const read: ScriptRule = {
    when: readCondition(own(rule, 'when') ?? {}, `${at}.when`),
    ...texts(rule, at, ['think', 'say']),
    calls: calls.map((one, index) => readCall(one, Array.isArray(call) ? `${at}.call[${index}]` : `${at}.call`)),
    ...(fail !== undefined && { fail: readFailure(fail, `${at}.fail`) }),
    ...counts(rule, at, ['pieces'], 1),
    ...counts(rule, at, ['delay'], 0),
    ...(stop !== undefined && { stop: stop as StopReason }),
    ...(own(rule, 'usage') !== undefined && { usage: readUsage(own(rule, 'usage'), `${at}.usage`) }),
  };
  if (read.say === undefined && read.calls.length === 0 && read.fail === undefined && read.stop === undefined) {
    throw new ScriptError(`${at} does nothing: it needs "say", "call", "fail" or "stop".`);
  }
  return read;
}

function readCondition(value: unknown, at: string): ScriptCondition {
  const members = ['text', 'matches', 'result', 'resultMatches', 'tool', 'server', 'error', 'turn'];
  const condition = objectAt(value, at, members);
  const error = own(condition, 'error');
  if (error !== undefined && typeof error !== 'boolean') throw wrong(`${at}.error`, 'true or false');
  const ofResult = ['result', 'resultMatches', 'tool', 'server', 'error'];
  return {
    isAfterResult: ofResult.some((name) => own(condition, name) !== undefined),
    ...texts(condition, at, ['text', 'result', 'tool', 'server']),
    ...patterns(condition, at, ['matches', 'resultMatches']),
    ...(error !== undefined && { isError: error }),
    ...counts(condition, at, ['turn'], 1),
  };
}

function readCall(value: unknown, at: string): ScriptCall {
  const call = objectAt(value, at, ['tool', 'server', 'arguments']);
  const { tool, server } = texts(call, at, ['tool', 'server']);
  if (tool === undefined) throw new ScriptError(`${at}.tool is missing.`);
  const args = own(call, 'arguments') ?? {};
  if (typeof args !== 'string' && !isObject(args))
    throw wrong(`${at}.arguments`, 'an object, or text to send as it is');
  return { tool, ...(server !== undefined && { server }), arguments: args };
}

function readFailure(value: unknown, at: string): ScriptFailure {
  const failure = typeof value === 'string' ? { kind: value } : objectAt(value, at, ['kind', 'retryAfterMs', 'times']);
  const kind = own(failure, 'kind');
  const known = FAILURE_KINDS.find((one) => one === kind);
  if (known === undefined) throw wrong(typeof value === 'string' ? at : `${at}.kind`, oneOf(FAILURE_KINDS));
  return { kind: known, ...counts(failure, at, ['retryAfterMs'], 0), ...counts(failure, at, ['times'], 1) };
}

function readUsage(value: unknown, at: string): Usage {
  const members = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;
  return counts(objectAt(value, at, members), at, members, 0);
}

function objectAt(value: unknown, at: string, members: readonly string[]): JsonObject {
  if (!isObject(value)) throw wrong(at, 'an object');
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined) {
    throw new ScriptError(`${at} has an unknown member ${JSON.stringify(unknown)}. Known are ${members.join(', ')}.`);
  }
  return value;
}

function texts<K extends string>(object: JsonObject, at: string, names: readonly K[]): { readonly [N in K]?: string } {
  return members(object, at, names, (value) => (typeof value === 'string' ? value : undefined), 'text');
}

function counts<K extends string>(
  object: JsonObject,
  at: string,
  names: readonly K[],
  least: number,
): { readonly [N in K]?: number } {
  const read = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= least ? (value as number) : undefined;
  return members(object, at, names, read, `a whole number of at least ${least}`);
}

function patterns<K extends string>(
  object: JsonObject,
  at: string,
  names: readonly K[],
): { readonly [N in K]?: RegExp } {
  const read = (value: unknown, place: string) => {
    if (typeof value !== 'string') return undefined;
    try {
      return new RegExp(value, 'i');
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new ScriptError(`${place} is not a valid pattern: ${error.message}.`);
    }
  };
  return members(object, at, names, read, 'text');
}

/** Reads members that may be missing. `read` returns undefined for a wrong one. */
function members<K extends string, T>(
  object: JsonObject,
  at: string,
  names: readonly K[],
  read: (value: unknown, place: string) => T | undefined,
  expected: string,
): { readonly [N in K]?: T } {
  const found: { [N in K]?: T } = {};
  for (const name of names) {
    const value = own(object, name);
    if (value === undefined || value === null) continue;
    const place = `${at}.${name}`;
    const known = read(value, place);
    if (known === undefined) throw wrong(place, expected);
    found[name] = known;
  }
  return found;
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`;
}

function wrong(at: string, expected: string): ScriptError {
  return new ScriptError(`${at} is not valid, expected ${expected}.`);
}
