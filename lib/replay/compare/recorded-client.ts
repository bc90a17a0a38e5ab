import { canonicalJson } from '@/lib/json/canonical';
import { applyEdit } from '@/lib/json/edit';
import { parseExact } from '@/lib/json/exact';
import { setMembers } from '@/lib/json/members';
import { skipSpace, stringEnd } from '@/lib/json/scan';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type ClientHandlers, ErrorResponse } from '@/lib/mcp/answering';
import type { ClientInfo } from '@/lib/mcp/versions';
import { LISTINGS } from '@/lib/protocol/methods';
import { LIMITS } from '@/lib/wire/limits';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import { fillSecrets, hasPlaceholder, secretDigits } from '../traffic/placeholders';
import {
  eventsOf,
  type RecordedAnswer,
  type RecordedCall,
  type RecordedServerRequest,
  type RecordedTraffic,
} from '../traffic/recorded-traffic';
import { PlaybackPosition } from '../traffic/request-matching';
import { asksForLaterPage } from './catalogue';
import { DEFAULT_NORMALISER, OPAQUE_CHARS } from './normalise';

/** The client of a recording as a server sees it: its name, its capabilities, and its answers. */
interface RecordedClient {
  /** undefined if the client did not name itself. */
  readonly info: ClientInfo | undefined;
  readonly capabilities: JsonObject;
  /** Empty in the modern era, where answers are requests of their own. */
  readonly handlers: ClientHandlers;
}

/** Collects the client of a recording. `secrets` as in {@link playPlan}. */
export function recordedClient(session: RecordedTraffic, secrets: ReadonlyMap<string, string>): RecordedClient {
  const { era, handshake, sent } = session;
  const calls = sent.filter((message) => message.kind === 'call');
  const params = objectIn((handshake ?? calls[0])?.params);
  const meta = own(params, '_meta');
  const said = era === 'legacy' ? params : isObject(meta) ? meta : {};
  const capabilities = own(said, era === 'legacy' ? 'capabilities' : META_KEY.clientCapabilities);
  return {
    info: infoOf(own(said, era === 'legacy' ? 'clientInfo' : META_KEY.clientInfo)),
    capabilities: isObject(capabilities) ? capabilities : {},
    handlers: era === 'legacy' ? handlersOf(session, secrets) : new Map(),
  };
}

function infoOf(info: unknown): ClientInfo | undefined {
  if (!isObject(info)) return undefined;
  const [name, version, title] = ['name', 'version', 'title'].map((key) => own(info, key));
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  return { name, version, ...(typeof title === 'string' && { title }) };
}

type Answer = Pick<RecordedAnswer, 'kind' | 'text'>;

/**
 * Answers each server request with the recorded answer to the same request. Without such an answer, uses the next
 * recorded answer for the method. Uses each recorded answer once.
 */
function handlersOf(session: RecordedTraffic, secrets: ReadonlyMap<string, string>): ClientHandlers {
  const methods = new Map<string, Answer[]>();
  const same = new Map<string, Answer[]>();
  for (const { method, params, answer } of serverRequestsOf(session)) {
    if (!answer) continue;
    const one = { kind: answer.kind, text: fillSecrets(answer.text, secrets) };
    add(methods, method, one);
    add(same, keyOf(method, params), one);
  }
  const given = new PlaybackPosition<Answer>();
  return new Map(
    [...methods].map(([method, all]) => [
      method,
      (params) => {
        const alike = same.get(keyOf(method, JSON.stringify(params)));
        return answerText((alike && next(given, method, alike)) ?? next(given, method, all));
      },
    ]),
  );
}

function next(given: PlaybackPosition<Answer>, method: string, answers: readonly Answer[]): Answer | undefined {
  // A server may ask for roots at any time, and they stay the same.
  if (method === 'roots/list') return answers[0];
  const { item, again } = given.next(answers);
  return again ? undefined : item;
}

function add(lines: Map<string, Answer[]>, key: string, answer: Answer): void {
  const line = lines.get(key);
  if (line) line.push(answer);
  else lines.set(key, [answer]);
}

function answerText(found: Answer | undefined): string {
  if (!found) throw new ErrorResponse(RPC_CODE.internalError, 'The recording has no response to this request');
  const { kind, text } = found;
  if (hasPlaceholder(text))
    throw new ErrorResponse(RPC_CODE.internalError, 'The response was redacted in the recording');
  if (kind === 'result') return text;
  const error = objectIn(text);
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  throw new ErrorResponse(
    typeof code === 'number' ? code : RPC_CODE.internalError,
    typeof message === 'string' ? message : '',
  );
}

function keyOf(method: string, params: string | undefined): string {
  return `${method} ${DEFAULT_NORMALISER.text(canonicalJson(params ?? '{}'), undefined)}`;
}

function serverRequestsOf(session: RecordedTraffic): readonly RecordedServerRequest[] {
  const requests: RecordedServerRequest[] = [];
  for (const event of eventsOf(session)) if (event.kind === 'request') requests.push(event);
  return requests.sort((a, b) => a.seq - b.seq);
}

function objectIn(text: string | undefined): JsonObject {
  const value = text === undefined ? undefined : JsonSource.parse(text)?.value;
  return isObject(value) ? value : {};
}

/** One step of playing a recorded client to a server again. */
export type PlayStep =
  /**
   * Sends a call and compares the answers. `params`: JSON text without the members of `_meta` that the engine writes.
   */
  | { readonly kind: 'call'; readonly call: RecordedCall; readonly params: string | undefined }
  /** Reads all pages of a list. `call` is the recorded request for the first page. */
  | { readonly kind: 'list'; readonly call: RecordedCall }
  | { readonly kind: 'notification'; readonly method: string; readonly params: string | undefined }
  /** Skips a call, with the reason. */
  | { readonly kind: 'skip'; readonly call: RecordedCall; readonly why: string };

/** Messages of the handshake, and messages that the engine sends by itself. */
const ITS_OWN: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  METHOD.listen,
  METHOD.initialized,
  METHOD.cancelled,
  METHOD.progress,
]);

const UNANSWERED = {
  cancelled: 'it was cancelled in the recording',
  timeout: 'the client gave up waiting in the recording',
  lost: 'it has no response in the recording',
  open: 'the recording ends before its response',
};

/**
 * Lists the steps of the recorded client, in order. `secrets`: values by the digits of their placeholders, escaped for
 * JSON strings. `withUnanswered`: also sends calls that the server did not answer.
 */
export function playPlan(
  { sent }: RecordedTraffic,
  secrets: ReadonlyMap<string, string>,
  withUnanswered = false,
): readonly PlayStep[] {
  return sent.flatMap((message): readonly PlayStep[] => {
    const { method } = message;
    if (ITS_OWN.has(method)) return [];
    if (message.kind === 'notification') return [{ kind: 'notification', method, params: message.params }];
    if (LISTINGS.some(([known]) => known === method))
      return asksForLaterPage(message) ? [] : [{ kind: 'list', call: message }];
    const why = whyNot(message, secrets, withUnanswered);
    if (why !== undefined) return [{ kind: 'skip', call: message, why }];
    return [new PlayedCall(message, secrets)];
  });
}

/** A call to send. Its params are read again when they are asked for, because a recording can have a million calls. */
class PlayedCall {
  readonly kind = 'call';
  readonly call: RecordedCall;
  readonly #secrets: ReadonlyMap<string, string>;

  constructor(call: RecordedCall, secrets: ReadonlyMap<string, string>) {
    this.call = call;
    this.#secrets = secrets;
  }

  get params(): string | undefined {
    const { params } = this.call;
    return params && paramsToSend(fillSecrets(params, this.#secrets));
  }
}

/** True for an answer to `tasks/get` (2025-11-25) about a running task. Such an answer depends on timing. */
export function isTaskAnswerUnfinished({ method }: Pick<RecordedCall, 'method'>, answer: string): boolean {
  if (method !== 'tasks/get') return false;
  const status = JsonSource.parse(answer)?.member('status')?.value;
  return status === 'working' || status === 'input_required';
}

function whyNot(call: RecordedCall, secrets: ReadonlyMap<string, string>, withUnanswered: boolean): string | undefined {
  const unanswered = call.answer ? undefined : (call.unanswered?.why ?? 'open');
  if (unanswered && !(withUnanswered && unanswered !== 'cancelled')) return UNANSWERED[unanswered];
  if (isTaskAnswerUnfinished(call, call.answer?.text ?? ''))
    return 'the task was still running, and its progress depends on timing';
  const asked = call.during.filter((event) => event.kind === 'request').map(({ answer }) => answer?.text ?? '');
  return (
    redactedReason('one of its arguments', [call.params ?? ''], secrets) ??
    redactedReason('a response of the client during the call', asked, secrets)
  );
}

/** Describes the redacted values in these texts that `secrets` lacks; undefined if there are none. */
function redactedReason(
  what: string,
  texts: readonly string[],
  secrets: ReadonlyMap<string, string>,
): string | undefined {
  const left = texts.map((text) => fillSecrets(text, secrets)).filter(hasPlaceholder);
  if (left.length === 0) return undefined;
  const given = secretDigits(left.join(' ')).map((digits) => `\`--secret ${digits}=VALUE\``);
  const why = `${what} was redacted in the recording`;
  return given.length > 0 ? `${why}: give it with ${given.join(' ')}` : why;
}

/** Members of `_meta` that the engine writes itself. */
const ENGINE_META = [
  'progressToken',
  'traceparent',
  META_KEY.protocolVersion,
  META_KEY.clientInfo,
  META_KEY.clientCapabilities,
];

/** Returns recorded params without the members of `_meta` that the engine writes itself. */
export function paramsToSend(params: string): string {
  const meta = JsonSource.parse(params)?.member('_meta');
  if (meta?.kind !== 'object') return params;
  const kept = meta.children(Number.POSITIVE_INFINITY, ENGINE_META).children;
  if (kept.length === 0) return applyEdit({ text: params, value: undefined }, { type: 'remove', path: ['_meta'] }).text;
  const members = kept.map(({ name, source }) => `${JSON.stringify(name)}:${source.text}`);
  return setMembers(params, [['_meta', `{${members.join(',')}}`]]);
}

/** Returns the methods of lists that changed after the client last requested them. */
export function staleLists(session: RecordedTraffic): ReadonlySet<string> {
  const [asked, changed] = [new Map<string, number>(), new Map<string, number>()];
  for (const { method, seq } of session.sent) asked.set(method, seq);
  for (const { method, seq } of eventsOf(session)) changed.set(method, Math.max(seq, changed.get(method) ?? 0));
  const stale = LISTINGS.filter(([method, listing]) => {
    const [read, said] = [asked.get(method), changed.get(listing.changed)];
    return read !== undefined && said !== undefined && said > read;
  });
  return new Set(stale.map(([method]) => method));
}

/** Members that hold an id: `id`, `noteId`, `order_ref`, `session-key` … */
const ID_KEY =
  /(?:^|[_-])(?:id|uid|uuid|key|ref|handle|token|slug)s?$|[a-z\d](?:Id|ID|Uid|Uuid|UUID|Key|Ref|Handle|Token|Slug)s?$/;
/** The start of a string, or a number. */
const TOKEN = /"|-?\d[\d.eE+-]*/g;

/**
 * Replaces names from the recording with the names that the server uses now: cursors, ids of sessions and tasks, UUIDs,
 * `requestState`, and values of members that are called like ids. Learns the new names by comparing answers.
 */
export class RenamedIds {
  /** New names, wherever the recorded one stands. */
  readonly #names = new Map<string, string>();
  /** New values of ids, as JSON. They replace the recorded value only where a member is called like an id, too. */
  readonly #ids = new Map<string, string>();

  /** Learns from two answers to the same request, as JSON texts. Never throws. */
  learn(recorded: string, live: string): void {
    try {
      this.#walk(parseExact(recorded), parseExact(live), undefined);
    } catch {
      // Invalid JSON holds no names.
    }
  }

  /**
   * Replaces each string or number that is a recorded name. The rest of the JSON text stays exactly as it was.
   * `written` gets each new value as JSON text, and returns what to write.
   */
  apply(text: string, written = (value: string): string => value): string {
    if (this.#names.size + this.#ids.size === 0) return text;
    let [made, copied, key] = ['', 0, ''];
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
      const { index } = found;
      const isString = found[0] === '"';
      const end = isString ? stringEnd(text, index) : TOKEN.lastIndex;
      if (end < 0) break;
      TOKEN.lastIndex = end;
      const token = text.slice(index, end);
      const name = isString && token.length <= OPAQUE_CHARS ? (JSON.parse(token) as string) : undefined;
      const isKey = isString && text[skipSpace(text, end)] === ':';
      if (isKey) key = name ?? '';
      const renamed = name === undefined ? undefined : this.#names.get(name);
      const shown =
        renamed !== undefined ? JSON.stringify(renamed) : isKey || !ID_KEY.test(key) ? undefined : this.#ids.get(token);
      if (shown === undefined) continue;
      made += text.slice(copied, index) + written(shown);
      copied = end;
    }
    return made + text.slice(copied);
  }

  #walk(recorded: unknown, live: unknown, key: string | undefined): void {
    if (typeof recorded === 'string' && typeof live === 'string') this.#strings(recorded, live, key);
    else if (typeof recorded === 'number' && typeof live === 'number') this.#id(recorded, live, key);
    else if (Array.isArray(recorded) && Array.isArray(live)) {
      for (const [at, item] of recorded.entries()) this.#walk(item, live[at], key);
    } else if (isObject(recorded) && isObject(live)) {
      for (const [name, member] of Object.entries(recorded)) {
        if (Object.hasOwn(live, name)) this.#walk(member, live[name], name);
      }
    }
  }

  #strings(recorded: string, live: string, key: string | undefined): void {
    if (recorded === live) return;
    if (/^\s*[{[]/.test(recorded) && /^\s*[{[]/.test(live)) this.learn(recorded, live);
    else if (DEFAULT_NORMALISER.isOpaque(recorded, key) && DEFAULT_NORMALISER.isOpaque(live, key))
      this.#name(recorded, live);
    else if (DEFAULT_NORMALISER.text(recorded, key) === DEFAULT_NORMALISER.text(live, key)) {
      const [were, are] = [DEFAULT_NORMALISER.opaqueParts(recorded), DEFAULT_NORMALISER.opaqueParts(live)];
      for (const [at, was] of were.entries()) if (are[at] !== undefined) this.#name(was, are[at]);
    } else this.#id(recorded, live, key);
  }

  #name(recorded: string, live: string): void {
    if (this.#names.size < LIMITS.rulesMemory) this.#names.set(recorded, live);
  }

  #id(recorded: string | number, live: string | number, key: string | undefined): void {
    if (recorded === live || key === undefined || !ID_KEY.test(key) || this.#ids.size >= LIMITS.rulesMemory) return;
    if (String(recorded).length <= OPAQUE_CHARS) this.#ids.set(JSON.stringify(recorded), JSON.stringify(live));
  }
}
