import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { NEWEST_LEGACY, NEWEST_MODERN, SERVER_INFO_KEY, UNSUPPORTED_VERSION } from '@/lib/mcp/versions';
import { LISTINGS } from '@/lib/protocol/methods';
import type { Era } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { ParsedMessage } from '../traffic/parse-messages';
import type { RecordedTraffic } from '../traffic/recorded-traffic';
import type { CallIndex } from './call-index';

const REPLAY_NAMES = 50;

const LISTS: ReadonlyMap<string, JsonObject> = new Map(
  LISTINGS.map(([method, { items }]) => [method, { [items]: [] }]),
);

const EMPTY: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['tools/call', { content: [] }],
  ['prompts/get', { messages: [] }],
  ['resources/read', { contents: [] }],
  ['completion/complete', { completion: { values: [] } }],
  ['tasks/list', { tasks: [] }],
]);

/** Their results say how long they may be kept (2026-07-28). */
const CACHED: ReadonlySet<string> = new Set([...LISTS.keys(), 'resources/read', 'server/discover']);

/** A result of this method that is valid and says nothing. */
export function emptyResult(method: string, era: Era): JsonObject {
  return withEraFields(method, era, LISTS.get(method) ?? EMPTY.get(method) ?? {});
}

/** A result with what the modern era wants of every one. */
function withEraFields(method: string, era: Era, result: JsonObject): JsonObject {
  if (era === 'legacy') return result;
  return { resultType: 'complete', ...result, ...(CACHED.has(method) && { ttlMs: 0, cacheScope: 'private' }) };
}

/** The schema, a value, that a tool's results have to fit, as the newest recorded list has it; undefined if it has none. */
export function outputSchemaOf({ sent }: RecordedTraffic, tool: string | undefined): unknown {
  if (tool === undefined) return undefined;
  for (const message of sent.toReversed()) {
    if (message.kind !== 'call' || message.method !== 'tools/list' || message.answer?.kind !== 'result') continue;
    const found = toolsIn(message.answer.text).find((each) => own(each, 'name') === tool);
    if (found) return own(found, 'outputSchema');
  }
  return undefined;
}

function toolsIn(text: string) {
  try {
    const result = parseBounded(text);
    const tools = isObject(result) ? own(result, 'tools') : undefined;
    return Array.isArray(tools) ? tools.filter(isObject) : [];
  } catch {
    return [];
  }
}

/** A refusal, as its members. */
export interface Refused {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

interface Asking {
  /** Everything that was recorded. */
  readonly methods: readonly string[];
  /** The version that the client asks for. */
  readonly requested: string;
}

/** What stands in for a part of the opening that was not recorded. */
export type OpeningAnswer = { readonly result: JsonObject } | { readonly error: Refused };

export const DISCOVER = 'server/discover';

/** Requests that begin a connection. */
export const OPENING_METHODS: ReadonlySet<string> = new Set(['initialize', DISCOVER]);

const METHOD_NOT_FOUND = -32601;

const SERVER = { name: 'mcp-inspect replay', version: '1' };

/**
 * The answer to `initialize` or `server/discover` that is not in the recording: in its own era what can be concluded from what is,
 * in the other era the refusal that a server of one era gives.
 */
export function openingAnswer(method: string, session: RecordedTraffic, { methods, requested }: Asking): OpeningAnswer {
  const { era, version = era === 'modern' ? NEWEST_MODERN : NEWEST_LEGACY } = session;
  if (method === 'initialize') {
    if (era === 'modern') return { error: unsupported(version, requested) };
    return { result: { protocolVersion: version, capabilities: concluded(methods), serverInfo: SERVER } };
  }
  if (era === 'legacy') return { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
  const result = {
    supportedVersions: [version],
    capabilities: concluded(methods),
    _meta: { [SERVER_INFO_KEY]: SERVER },
  };
  return { result: withEraFields(method, era, result) };
}

/** The refusal of a version, with the one that does. */
export function unsupported(version: string, requested: string): Refused {
  const data = { supported: [version], requested };
  return { code: UNSUPPORTED_VERSION, message: `This recording was made with version ${version}.`, data };
}

const CAPABILITIES: readonly (readonly [RegExp, string])[] = [
  [/^tools\//, 'tools'],
  [/^prompts\//, 'prompts'],
  [/^resources\//, 'resources'],
  [/^completion\//, 'completions'],
  [/^logging\//, 'logging'],
];

/** The capabilities that a server must have had to be asked this. */
function concluded(methods: readonly string[]): JsonObject {
  const found = CAPABILITIES.filter(([pattern]) => methods.some((method) => pattern.test(method)));
  return Object.fromEntries(found.map(([, capability]) => [capability, {}]));
}

/** What answers a request that the recording does not have. */
export type OnMiss = 'error' | 'forward' | 'empty';

/** Codes of replay's own errors, in the range that belongs to implementations. */
const NOT_RECORDED = -32010;
const NO_ANSWER = -32011;

/** The refusal of a request that was not recorded: what is nearest to it, and where that differs. */
export function notRecordedError(book: CallIndex, { message, params }: ParsedMessage): Refused {
  const { method = '', name } = message;
  const asked = name === undefined ? cut(method) : `${cut(method)} ${cut(name)}`;
  const nearest = book.nearest(method, name, params?.text);
  if (!nearest) return notThere(cut(method), 'methods', book.methods);
  if (nearest.call.name !== name) return notThere(asked, 'names', book.namesOf(method));
  const { call, differences } = nearest;
  const [first] = differences;
  const there = first?.before === '' ? 'is not there' : `is ${first?.before} there`;
  const here = first?.after === '' ? 'missing here' : `${first?.after} here`;
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : '';
  const where = first && `: ${first.path || 'the params'} ${there} and ${here}${more}`;
  return {
    code: NOT_RECORDED,
    message: `The recording has no ${asked} with these params. The nearest is frame ${call.seq}${where ?? ''}.`,
    data: { reason: 'not-recorded', nearest: { frame: call.seq, method: cut(method), differences } },
  };
}

/** The refusal of a method, or of a tool or the like, that does not occur at all. */
function notThere(asked: string, what: 'methods' | 'names', known: readonly string[]): Refused {
  const shown = known.slice(0, REPLAY_NAMES).map(cut);
  const more = known.length > shown.length ? `, and ${known.length - shown.length} more` : '';
  const has = shown.length === 0 ? 'There is no request in it' : `It has ${shown.join(', ')}${more}`;
  return {
    code: NOT_RECORDED,
    message: `The recording has no ${asked}. ${has}.`,
    data: { reason: 'not-recorded', [what]: shown },
  };
}

/** The refusal of a request that nobody answered when it was recorded. */
export function unansweredError({
  seq,
  unanswered,
}: {
  readonly seq: number;
  readonly unanswered?: { why: string; status?: number };
}): Refused {
  const why = WHY.get(unanswered?.why ?? '') ?? 'it has none';
  const status = unanswered?.status === undefined ? '' : `, with HTTP ${unanswered.status}`;
  return {
    code: NO_ANSWER,
    message: `The recording has no answer to this request (frame ${seq}): ${why}${status}.`,
    data: { reason: 'no-answer', frame: seq },
  };
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['timeout', 'the client gave up waiting for one'],
  ['lost', 'the server went without one'],
  ['open', 'it ends before there was one'],
]);

function cut(text: string): string {
  return text.length > LIMITS.replayShownChars ? `${text.slice(0, LIMITS.replayShownChars)}…` : text;
}
