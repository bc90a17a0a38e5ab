// The scripted model answers from the rules of a script file. It needs no network and no key, and gives the same
// answers each time, so tests and evals use it.
import { isObject, own, textOrJson } from '@/lib/json/value';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { docsUrl } from '@/lib/wire/docs-url';
import { textHash } from '@/lib/wire/text-hash';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { firstMatch, groupsOf, oneBudget, SlowPattern } from './bounded-pattern';
import type { ChatMessage, ChatPart, OfferedTool, StopReason, ToolResultPart } from './chat-frame';
import { type Model, ModelError, type ModelEvent, type ModelRequest } from './model';
import type { FailureKind, Script, ScriptCall, ScriptCondition, ScriptFailure, ScriptRule } from './script';
import { pauseOrAbort } from './time-budget';
import { toolWritten, writtenNames } from './tool-names';

/** The values that templates of a rule may use. */
interface Facts {
  readonly text: string;
  readonly turn: number;
  readonly result: ToolResultPart | undefined;
  /** All results since the person's last message, oldest first. */
  readonly results: readonly ToolResultPart[];
  readonly tools: readonly OfferedTool[];
  readonly groups: ReadonlyMap<string, string>;
}

/** The surroundings of a scripted model. */
interface ScriptDeps {
  /** Bounds the patterns of rules. */
  readonly within: TimeLimit;
  readonly clock?: Clock;
}

/** Returns a model that follows a script. `id` is its name, such as `scripted:rules.yaml`. */
export function scriptedModel(id: string, script: Script, { within, clock = systemClock }: ScriptDeps): Model {
  const failures = new Map<string, number>();
  return {
    id,
    toolMode: 'native',
    ask: (request, signal) => answer(script, request, failures, { within, clock }, signal),
  };
}

async function* answer(
  script: Script,
  request: ModelRequest,
  failures: Map<string, number>,
  { within, clock }: Required<ScriptDeps>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { undescribed, ...sent } = request;
  // Rules are about tools and results, however these reach the model.
  const asked = { ...sent, ...undescribed };
  const { tools } = asked;
  const shown = sent.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const body = JSON.stringify({ ...sent, tools: shown });
  yield { type: 'request', body, losses: [] };
  const found = findRule(script, asked, oneBudget(within, clock));
  if (found === undefined) {
    const text = noRule(asked);
    yield { type: 'text', text };
    yield { type: 'end', reason: 'stop', body: JSON.stringify({ rule: null, say: text }) };
    return;
  }
  const { rule, number, facts } = found;
  const say = rule.say === undefined ? '' : filled(rule.say, facts);
  const failure =
    rule.fail !== undefined && isDue(rule.fail, `${number} ${textHash(body)}`, failures) ? rule.fail : undefined;
  if (failure !== undefined && failure.kind !== 'broken-stream') await fail(failure, signal);
  if (rule.think !== undefined) yield* inPieces('reasoning', filled(rule.think, facts), rule, clock, signal);
  // A broken stream breaks off in the middle.
  const whole = failure === undefined ? say : say.slice(0, Math.ceil(say.length / 2));
  yield* inPieces('text', whole, rule, clock, signal);
  if (failure !== undefined) await fail(failure, signal);
  const calls = rule.calls.map((call, at) => {
    const tool = toolOf(call, tools);
    return {
      id: `s${asked.messages.length}-${at + 1}`,
      name: tool?.name ?? call.tool,
      arguments: argumentsText(call, tool, facts),
    };
  });
  for (const call of calls) {
    if (undescribed)
      yield { type: 'text', text: `\n{"tool":${JSON.stringify(call.name)},"arguments":${call.arguments}}\n` };
    else yield { type: 'call', call };
  }
  const reason: StopReason = rule.stop ?? (calls.length > 0 && !undescribed ? 'calls' : 'stop');
  const answered = { rule: number, ...(say !== '' && { say }), ...(calls.length > 0 && { calls }), stop: reason };
  yield { type: 'end', reason, body: JSON.stringify(answered), ...(rule.usage && { usage: rule.usage }) };
}

function findRule(
  { rules }: Script,
  request: ModelRequest,
  within: TimeLimit,
): { rule: ScriptRule; number: number; facts: Facts } | undefined {
  const { messages, tools } = request;
  const last = messages.at(-1);
  const isAfterResult = last?.role === 'tool';
  const since = messages.findLastIndex(({ role }) => role === 'user');
  const base = {
    text: messages[since] === undefined ? '' : textOf(messages[since].parts),
    turn: messages.filter(({ role }) => role === 'user').length,
    results: messages.slice(since + 1).flatMap(({ parts }) => parts.filter((part) => part.type === 'result')),
    tools,
  };
  // Any of the last results may match.
  const candidates = isAfterResult ? resultsOf(last) : [undefined];
  for (const [at, rule] of rules.entries()) {
    if (rule.when.isAfterResult !== isAfterResult) continue;
    for (const result of candidates) {
      const groups = matched(rule.when, { ...base, result, groups: NO_GROUPS }, within);
      if (groups !== undefined) return { rule, number: at + 1, facts: { ...base, result, groups } };
    }
  }
  return undefined;
}

const NO_GROUPS: ReadonlyMap<string, string> = new Map();

function resultsOf(message: ChatMessage): ToolResultPart[] {
  return message.parts.filter((part) => part.type === 'result');
}

/** Returns the groups of the patterns if all conditions hold. Those of the result's pattern win. */
function matched(
  when: ScriptCondition,
  { text, turn, result, tools }: Facts,
  within: TimeLimit,
): ReadonlyMap<string, string> | undefined {
  if (when.turn !== undefined && when.turn !== turn) return undefined;
  if (when.text !== undefined && !hasWords(text, when.text)) return undefined;
  const groups = new Map<string, string>();
  for (const [pattern, where] of [
    [when.matches, text],
    [when.resultMatches, result === undefined ? '' : textOf(result.parts)],
  ] as const) {
    if (pattern === undefined) continue;
    const found = boundedMatch(pattern, where, within);
    if (found === undefined) return undefined;
    for (const [name, value] of groupsOf(found)) groups.set(name, value);
  }
  if (result === undefined) return groups;
  const tool = tools.find(({ name }) => name === result.name);
  if (when.result !== undefined && !hasWords(textOf(result.parts), when.result)) return undefined;
  if (when.tool !== undefined && ![result.name, ...(tool ? writtenNames(tool) : [])].includes(when.tool))
    return undefined;
  if (when.server !== undefined && when.server !== tool?.server) return undefined;
  if (when.isError !== undefined && when.isError !== result.isError) return undefined;
  return groups;
}

/** Throws a ModelError for a pattern that takes too long. */
function boundedMatch(pattern: RegExp, text: string, within: TimeLimit): RegExpExecArray | undefined {
  try {
    return firstMatch(pattern, text, within);
  } catch (error) {
    if (!(error instanceof SlowPattern)) throw error;
    throw new ModelError(
      'bad-script',
      error.message,
      `Write it without repetitions in repetitions. ${docsUrl('chat')}`,
    );
  }
}

function hasWords(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}

function textOf(parts: readonly ChatPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function noRule({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  const what =
    last?.role === 'tool'
      ? resultsOf(last)
          .map(({ name }) => name)
          .join(', ')
      : textOf(last?.parts ?? []);
  const where = last?.role === 'tool' ? 'the result of ' : '';
  return `No rule of the script matches ${where}${JSON.stringify(what.slice(0, 200))}.`;
}

/** Counts how often a request has failed, and starts again when it goes on, so that each run is the same. */
function isDue({ times }: ScriptFailure, key: string, failures: Map<string, number>): boolean {
  if (times === undefined) return true;
  const before = failures.get(key) ?? 0;
  if (before < times) failures.set(key, before + 1);
  else failures.delete(key);
  return before < times;
}

interface FailureForm {
  readonly status?: number;
  readonly message: string;
  readonly advice: string;
  readonly retry: boolean;
}

const FAILURES: Readonly<Record<Exclude<FailureKind, 'hang'>, FailureForm>> = {
  unauthorized: { status: 401, message: 'The model refused the key.', advice: 'Enter another key.', retry: false },
  'rate-limited': {
    status: 429,
    message: 'The model gets too many requests.',
    advice: 'Try again later.',
    retry: true,
  },
  overloaded: { status: 529, message: 'The model is overloaded.', advice: 'Try again later.', retry: true },
  'server-error': { status: 500, message: 'The model failed inside.', advice: 'Try again later.', retry: true },
  unreachable: { message: 'The model could not be reached.', advice: 'Check its address.', retry: true },
  'broken-stream': { status: 200, message: 'The answer broke off.', advice: 'Try again.', retry: true },
  'bad-request': {
    status: 400,
    message: 'The model refused the request.',
    advice: 'Change the request.',
    retry: false,
  },
};

async function fail({ kind, retryAfterMs }: ScriptFailure, signal: AbortSignal): Promise<never> {
  if (kind === 'hang') {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    throw signal.reason;
  }
  const { status, message, advice, retry } = FAILURES[kind];
  throw new ModelError(kind, message, advice, {
    retry,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    body: JSON.stringify({ fail: kind }),
  });
}

async function* inPieces(
  type: 'text' | 'reasoning',
  text: string,
  { pieces, delay }: ScriptRule,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const size = pieces ?? Math.max(1, text.length);
  for (let at = 0; at < text.length; at += size) {
    if (delay !== undefined) await pauseOrAbort(clock, delay, signal);
    yield { type, text: text.slice(at, at + size) };
  }
}

/** Finds a tool: a script may name it as its server does, whatever the naming of the chat is. */
function toolOf({ tool, server }: ScriptCall, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const ofServer = tools.filter((one) => server === undefined || one.server === server);
  return toolWritten(ofServer, tool);
}

function argumentsText(call: ScriptCall, tool: OfferedTool | undefined, facts: Facts): string {
  const args = call.arguments;
  if (!isObject(args)) return textOrJson(args);
  const properties = tool && own(tool.inputSchema, 'properties');
  const filledArgs = Object.entries(args).map(([name, value]) => {
    const filledOne = filledValue(value, facts);
    const isTemplate = typeof value === 'string' && ONLY_TEMPLATE.test(value);
    return [name, isTemplate && isObject(properties) ? ofSchema(filledOne, own(properties, name)) : filledOne];
  });
  return JSON.stringify(Object.fromEntries(filledArgs));
}

/** A group of a pattern is text. Returns it as the number or boolean that a tool’s schema wants, if it is one. */
function ofSchema(value: unknown, schema: unknown): unknown {
  const type = isObject(schema) ? own(schema, 'type') : undefined;
  if (typeof value !== 'string' || typeof type !== 'string') return value;
  return JSON_VALUES.get(type)?.test(value) ? JSON.parse(value) : value;
}

/** Texts that are values of a type of JSON Schema. */
const JSON_VALUES: ReadonlyMap<string, RegExp> = new Map([
  // More digits would be rounded.
  ['integer', /^-?(?:0|[1-9]\d{0,14})$/],
  ['number', /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/],
  ['boolean', /^(?:true|false)$/],
]);

const TEMPLATE = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g;
const ONLY_TEMPLATE = /^\{\{\s*([^{}]{1,200}?)\s*\}\}$/;

/** Fills the templates in all texts of a value. A text that is only a template becomes its value, with its type. */
function filledValue(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') {
    const [, name] = ONLY_TEMPLATE.exec(value) ?? [];
    return name === undefined ? filled(value, facts) : (factNamed(name, facts) ?? value);
  }
  if (Array.isArray(value)) return value.map((item) => filledValue(item, facts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledValue(inner, facts)]));
}

/** Fills the templates in a text. An unknown one stays as it is, so that the mistake is visible. */
function filled(text: string, facts: Facts): string {
  return text.replace(TEMPLATE, (whole, name: string) => {
    const value = factNamed(name, facts);
    return value === undefined ? whole : textOrJson(value);
  });
}

function factNamed(name: string, facts: Facts): unknown {
  const group = facts.groups.get(name);
  if (group !== undefined) return group;
  if (name === 'text') return facts.text;
  const [head = '', ...path] = name.split('.');
  if (head === 'result') return inResult(facts.result ?? facts.results.at(-1), path);
  if (head !== 'results') return undefined;
  const [tool, ...rest] = path;
  const isOf = (result: ToolResultPart) =>
    result.name === tool || facts.tools.some((one) => one.name === result.name && writtenNames(one).includes(tool!));
  return inResult(facts.results.findLast(isOf), rest);
}

/** Returns a result's text, or a value in its JSON. */
function inResult(result: ToolResultPart | undefined, path: readonly string[]): unknown {
  if (result === undefined) return undefined;
  const text = textOf(result.parts);
  if (path.length === 0) return text;
  let at: unknown;
  try {
    at = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of path) at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined;
  return at;
}
