import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { NEWEST_LEGACY, NEWEST_MODERN } from '@/lib/mcp/versions';
import { LISTINGS } from '@/lib/protocol/methods';
import { countOf } from '@/lib/wire/format';
import type { Era } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RpcError } from '@/lib/wire/message';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';
import type { ParsedMessage } from '../traffic/parse-messages';
import type { RecordedTraffic } from '../traffic/recorded-traffic';
import type { CallIndex } from './call-index';

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

/** Methods whose results have a time to live (2026-07-28). */
const CACHED: ReadonlySet<string> = new Set([...LISTS.keys(), 'resources/read', 'server/discover']);

/** Returns a valid, empty result of a method. */
export function emptyResult(method: string, era: Era): JsonObject {
  return withEraFields(method, era, LISTS.get(method) ?? EMPTY.get(method) ?? {});
}

/** Adds the fields that the modern era requires in every result. */
function withEraFields(method: string, era: Era, result: JsonObject): JsonObject {
  if (era === 'legacy') return result;
  return { resultType: 'complete', ...result, ...(CACHED.has(method) && { ttlMs: 0, cacheScope: 'private' }) };
}

/** Returns the output schema of a tool from the newest recorded list; undefined without one. */
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

interface Asking {
  /** All recorded methods. */
  readonly methods: readonly string[];
  /** The version that the client requests. */
  readonly requested: string;
}

/** Answer to a handshake request that was not recorded. */
type OpeningAnswer = { readonly result: JsonObject } | { readonly error: RpcError };

export const DISCOVER = 'server/discover';

/** Requests that open a connection. */
export const OPENING_METHODS: ReadonlySet<string> = new Set(['initialize', DISCOVER]);

const SERVER = { name: 'mcp-inspect replay', version: '1' };

/**
 * Answers an `initialize` or `server/discover` that was not recorded. Derives the answer from the recording in the
 * recorded era. Refuses the other era, as servers usually do.
 */
export function openingAnswer(method: string, session: RecordedTraffic, { methods, requested }: Asking): OpeningAnswer {
  const { era, version = era === 'modern' ? NEWEST_MODERN : NEWEST_LEGACY } = session;
  if (method === 'initialize') {
    if (era === 'modern') return { error: unsupported(version, requested) };
    return { result: { protocolVersion: version, capabilities: concluded(methods), serverInfo: SERVER } };
  }
  if (era === 'legacy') return { error: { code: RPC_CODE.methodNotFound, message: `Method not found: ${method}` } };
  const result = {
    supportedVersions: [version],
    capabilities: concluded(methods),
    _meta: { [META_KEY.serverInfo]: SERVER },
  };
  return { result: withEraFields(method, era, result) };
}

/** Refuses a version and names the recorded one. */
export function unsupported(version: string, requested: string): RpcError {
  const data = { supported: [version], requested };
  return { code: RPC_CODE.unsupportedVersion, message: `This recording was made with version ${version}.`, data };
}

const CAPABILITIES: readonly (readonly [RegExp, string])[] = [
  [/^tools\//, 'tools'],
  [/^prompts\//, 'prompts'],
  [/^resources\//, 'resources'],
  [/^completion\//, 'completions'],
  [/^logging\//, 'logging'],
];

/** Derives capabilities from the recorded methods. */
function concluded(methods: readonly string[]): JsonObject {
  const found = CAPABILITIES.filter(([pattern]) => methods.some((method) => pattern.test(method)));
  return Object.fromEntries(found.map(([, capability]) => [capability, {}]));
}

/** How to answer a request that was not recorded. */
export type OnMiss = 'error' | 'forward' | 'empty';

/** Error codes of replays, in the range for implementations. */
const NOT_RECORDED = -32010;
const NO_ANSWER = -32011;

/** Refuses a request that was not recorded. Names the nearest recorded one and the differences. */
export function notRecordedError(book: CallIndex, { message, params }: ParsedMessage): RpcError {
  const { method = '', name } = message;
  const asked = name === undefined ? cut(method) : `${cut(method)} ${cut(name)}`;
  const nearest = book.nearest(method, name, params?.text);
  if (!nearest) return notThere(cut(method), 'methods', book.methods);
  if (nearest.call.name !== name) return notThere(asked, 'names', book.namesOf(method));
  const { call, differences } = nearest;
  const [first] = differences;
  const there = `there ${first?.path || 'params'} is ${first?.before || 'missing'}`;
  const here = `here it is ${first?.after || 'missing'}`;
  const more = differences.length > 1 ? ` (and ${countOf(differences.length - 1, 'more difference')})` : '';
  const where = first && `: ${there}, ${here}${more}`;
  return {
    code: NOT_RECORDED,
    message: `The recording has no ${asked} with these params. The nearest call is frame ${call.seq}${where ?? ''}.`,
    data: { reason: 'not-recorded', nearest: { frame: call.seq, method: cut(method), differences } },
  };
}

/** Most methods or names that an error lists. */
const LISTED_NAMES = 50;

/** Refuses a method or name that never occurs. */
function notThere(asked: string, what: 'methods' | 'names', known: readonly string[]): RpcError {
  const shown = known.slice(0, LISTED_NAMES).map(cut);
  const more = known.length > shown.length ? `, and ${known.length - shown.length} more` : '';
  const has = shown.length === 0 ? 'It has no requests' : `It has ${shown.join(', ')}${more}`;
  return {
    code: NOT_RECORDED,
    message: `The recording has no ${asked}. ${has}.`,
    data: { reason: 'not-recorded', [what]: shown },
  };
}

/** Refuses a request that was never answered in the recording. */
export function unansweredError({
  seq,
  unanswered,
}: {
  readonly seq: number;
  readonly unanswered?: { why: string; status?: number };
}): RpcError {
  const { why, status } = unanswered ?? {};
  const reason = status === undefined ? (WHY.get(why ?? '') ?? 'none came') : `the server sent only HTTP ${status}`;
  return {
    code: NO_ANSWER,
    message: `The recording has no response to this request (frame ${seq}): ${reason}.`,
    data: { reason: 'no-answer', frame: seq },
  };
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['timeout', 'the client gave up waiting'],
  ['lost', 'the connection ended first'],
  ['open', 'the recording ends first'],
]);

function cut(text: string): string {
  return text.length > LIMITS.replayShownChars ? `${text.slice(0, LIMITS.replayShownChars)}…` : text;
}
