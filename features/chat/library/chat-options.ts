import { isFlag, isObject, isText, isTextList, own } from '@/lib/json/value';
import { usageError } from '@/proxy/cli/exit-code';
import { requireKnown } from '@/proxy/library/known-options';
import { type Allowance, type CallDecision, type ChatLimits, isChatPart, USUAL_LIMITS } from '../lib/chat-frame';
import { namingProblem } from '../lib/tool-names';
import type { ChatOptions } from './chat-types';

/** Returns what is wrong with a value, after the option’s name; undefined for a valid one. */
type Fault = (value: unknown) => string | undefined;

const expected =
  (what: string, check: (value: unknown) => boolean): Fault =>
  (value) =>
    check(value) ? undefined : `must be ${what}`;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isFilled = (value: unknown): boolean => isText(value) && value !== '';

/** The options, and how each is checked. */
const OPTIONS: Readonly<Record<keyof ChatOptions, Fault>> = {
  model: expected('a text such as `ollama:mistral-small` or `scripted:FILE`', isFilled),
  modelUrl: expected('a text', isFilled),
  apiKey: expected('a text', isFilled),
  servers: expected('an object of sessions by name', isSessions),
  messages: messagesFault,
  system: expected('a text', isText),
  temperature: expected('a number from 0 to 2', (value) => isNumberIn(value, 0, 2)),
  toolMode: expected('`native` or `described`', (value) => value === 'native' || value === 'described'),
  naming: (value) => (typeof value === 'string' ? namingFault(value) : 'must be a text'),
  limits: limitsFault,
  allow: expected(
    '`read-only`, `all` or a list of names',
    (value) => value === 'read-only' || value === 'all' || isTextList(value),
  ),
  decide: expected('a function', isFunction),
  onText: expected('a function', isFunction),
  signal: expected('an AbortSignal', (value) => value instanceof AbortSignal),
  allowLinkLocal: expected('true or false', isFlag),
};
const NEEDED: ReadonlySet<string> = new Set(['model', 'messages']);

/** Throws an ExitError that names the first option that can’t be used. */
export function requireChatOptions(options: unknown): asserts options is ChatOptions {
  if (!isObject(options)) throw usageError('`chat` needs an object with at least `model` and `messages`.');
  requireKnown(options, OPTIONS, 'option');
  for (const [name, faultOf] of Object.entries(OPTIONS)) {
    const value = own(options, name);
    if (value === undefined && !NEEDED.has(name)) continue;
    const fault = value === undefined ? 'is missing' : faultOf(value);
    if (fault !== undefined) throw usageError(`\`${name}\` ${fault}.`);
  }
  if (options.modelUrl !== undefined && String(options.model).startsWith('scripted:'))
    throw usageError('`modelUrl` is for a provider, and a script has none: remove one of them.');
}

function isSessions(value: unknown): boolean {
  const isSession = (one: unknown): boolean => isObject(one) && isFunction(one.call) && isFunction(one.listTools);
  return isObject(value) && Object.entries(value).every(([name, one]) => name !== '' && isSession(one));
}

const ROLES: readonly unknown[] = ['user', 'assistant', 'tool'];

function messagesFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list with at least one message';
  const at = value.findIndex((message) => {
    if (!isObject(message) || !ROLES.includes(own(message, 'role'))) return true;
    const content = own(message, 'content');
    return !isText(content) && !(Array.isArray(content) && content.every(isChatPart));
  });
  if (at >= 0)
    return `has a message, number ${at + 1}, without a valid \`role\` (user, assistant or tool) or \`content\` (a text or parts)`;
  if (own(value[0], 'role') !== 'user') return 'must begin with a message of the role `user`';
  return own(value.at(-1), 'role') === 'user' ? undefined : 'must end with a message of the role `user`';
}

function namingFault(pattern: string): string | undefined {
  return namingProblem(pattern) === undefined ? undefined : 'must contain {tool}';
}

const LIMITS = Object.keys(USUAL_LIMITS) as readonly (keyof ChatLimits)[];

function limitsFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object';
  requireKnown(value, USUAL_LIMITS, 'limit');
  const wrong = LIMITS.find((name) => {
    const least = name === 'calls' ? 0 : 1;
    const limit = own(value, name);
    return limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) >= least);
  });
  return wrong === undefined ? undefined : `has no valid \`${wrong}\`: give a whole number`;
}

function isNumberIn(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

export function allowanceOf(allow: ChatOptions['allow']): Allowance {
  if (allow === undefined) return { mode: 'ask' };
  return typeof allow === 'string' ? { mode: allow } : { mode: 'ask', written: allow };
}

/** Reads the result of `decide`. Throws an ExitError. */
export function decisionOf(decision: unknown): CallDecision {
  if (decision === 'run' || decision === 'refuse') return { kind: decision };
  const answer = isObject(decision) ? own(decision, 'answer') : undefined;
  const isError = isObject(decision) ? own(decision, 'isError') : undefined;
  if (typeof answer === 'string' && (isError === undefined || typeof isError === 'boolean'))
    return { kind: 'answer', text: answer, ...(isError !== undefined && { isError }) };
  throw usageError('`decide` must return `run`, `refuse` or an object with the text `answer`.');
}
