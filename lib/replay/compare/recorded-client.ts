import { canonicalJson } from '@/lib/json/canonical';
import { parseExact } from '@/lib/json/exact';
import { setMembers } from '@/lib/json/members';
import { stringEnd } from '@/lib/json/scan';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type ClientHandlers, ErrorResponse } from '@/lib/mcp/answering';
import type { ClientInfo } from '@/lib/mcp/versions';
import { LISTINGS } from '@/lib/protocol/methods';
import { LIMITS } from '@/lib/wire/limits';
import { fillSecrets, hasPlaceholder, secretDigits } from '../traffic/placeholders';
import {
  eventsOf,
  type RecordedAnswer,
  type RecordedCall,
  type RecordedTraffic,
  type ServerRequest,
} from '../traffic/recorded-traffic';
import { PlaybackPosition } from '../traffic/request-matching';
import { asksForLaterPage } from './catalogue';
import { DEFAULT_NORMALISER, OPAQUE_CHARS } from './normalise';

/** The client of a recording, as far as a server can tell: who it said it is, what it said it can, and what it answered. */
export interface RecordedClient {
  /** undefined if it didn't say. */
  readonly info: ClientInfo | undefined;
  readonly capabilities: JsonObject;
  /** None in the modern era, where answers are requests of their own. */
  readonly handlers: ClientHandlers;
}

const META = 'io.modelcontextprotocol/';

/** Reads it off a session. `secrets` as for the plan: values that were taken out of its answers. */
export function recordedClient(session: RecordedTraffic, secrets: ReadonlyMap<string, string>): RecordedClient {
  const { era, handshake, sent } = session;
  const calls = sent.filter((message) => message.kind === 'call');
  const params = objectIn((handshake ?? calls[0])?.params);
  const meta = own(params, '_meta');
  const said = era === 'legacy' ? params : isObject(meta) ? meta : {};
  const prefix = era === 'legacy' ? '' : META;
  const capabilities = own(said, era === 'legacy' ? 'capabilities' : `${META}clientCapabilities`);
  return {
    info: infoOf(own(said, `${prefix}clientInfo`)),
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

/** Each question gets the answer of the recorded one that asks the same, else of the next of its method, each once. */
function handlersOf(session: RecordedTraffic, secrets: ReadonlyMap<string, string>): ClientHandlers {
  const methods = new Map<string, Answer[]>();
  const same = new Map<string, Answer[]>();
  for (const { method, params, answer } of questionsOf(session)) {
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
  // Roots are asked for whenever a server likes, and are what they are.
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
  if (!found) throw new ErrorResponse(-32603, 'The recording has no answer to this');
  const { kind, text } = found;
  if (hasPlaceholder(text)) throw new ErrorResponse(-32603, 'The answer was taken out of the recording');
  if (kind === 'result') return text;
  const error = objectIn(text);
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  throw new ErrorResponse(typeof code === 'number' ? code : -32603, typeof message === 'string' ? message : '');
}

function keyOf(method: string, params: string | undefined): string {
  return `${method} ${DEFAULT_NORMALISER.text(canonicalJson(params ?? '{}'), undefined)}`;
}

function questionsOf(session: RecordedTraffic): readonly ServerRequest[] {
  return eventsOf(session)
    .filter((event) => event.kind === 'question')
    .sort((a, b) => a.seq - b.seq);
}

function objectIn(text: string | undefined): JsonObject {
  const value = text === undefined ? undefined : JsonSource.parse(text)?.value;
  return isObject(value) ? value : {};
}

/** One thing to do when a recorded session is played to a server again. */
export type PlayStep =
  /** Send it, compare the answers. `params`: JSON text, without what the engine says in `_meta` by itself. */
  | { readonly kind: 'call'; readonly call: RecordedCall; readonly params: string | undefined }
  /** Read all pages of a list, of which this is the first. */
  | { readonly kind: 'list'; readonly call: RecordedCall }
  | { readonly kind: 'notice'; readonly method: string; readonly params: string | undefined }
  /** Leave it out, for this reason. */
  | { readonly kind: 'skip'; readonly call: RecordedCall; readonly why: string };

/** They belong to the handshake, or to what the engine does by itself. */
const ITS_OWN: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]);

const UNANSWERED = {
  cancelled: 'it was cancelled in the recording',
  timeout: 'nobody waited for its answer in the recording',
  lost: 'it has no answer in the recording',
  open: 'the recording ends before its answer',
};

/** What the client did, in order. `secrets`: values for placeholders, by their digits, as they stand within JSON strings. */
export function playPlan({ sent }: RecordedTraffic, secrets: ReadonlyMap<string, string>): readonly PlayStep[] {
  return sent.flatMap((message): readonly PlayStep[] => {
    const { method } = message;
    if (ITS_OWN.has(method)) return [];
    if (message.kind === 'notice') return [{ kind: 'notice', method, params: message.params }];
    if (LISTINGS.some(([known]) => known === method))
      return asksForLaterPage(message) ? [] : [{ kind: 'list', call: message }];
    const why = whyNot(message, secrets);
    if (why !== undefined) return [{ kind: 'skip', call: message, why }];
    return [{ kind: 'call', call: message, params: playedParams(message, secrets) }];
  });
}

/** True for the answer of a poll (2025-11-25) to a task that goes on: it says as much of the clock as of the server. */
export function isTaskRunning({ method }: Pick<RecordedCall, 'method'>, answer: string): boolean {
  if (method !== 'tasks/get') return false;
  const status = JsonSource.parse(answer)?.member('status')?.value;
  return status === 'working' || status === 'input_required';
}

function whyNot(call: RecordedCall, secrets: ReadonlyMap<string, string>): string | undefined {
  if (!call.answer) return UNANSWERED[call.unanswered?.why ?? 'open'];
  if (isTaskRunning(call, call.answer.text)) return 'the task was under way, and how far depends on when one asks';
  const asked = call.during.filter((event) => event.kind === 'question').map(({ answer }) => answer?.text ?? '');
  return (
    takenOut('a value of its arguments', [call.params ?? ''], secrets) ??
    takenOut('a value of what the client answered during it', asked, secrets)
  );
}

/** What was taken out of these texts, and is not given; undefined if nothing is. */
function takenOut(what: string, texts: readonly string[], secrets: ReadonlyMap<string, string>): string | undefined {
  const left = texts.map((text) => fillSecrets(text, secrets)).filter(hasPlaceholder);
  if (left.length === 0) return undefined;
  const given = secretDigits(left.join(' ')).map((digits) => `\`--secret ${digits}=VALUE\``);
  const why = `${what} was taken out of the recording`;
  return given.length > 0 ? `${why}: give it with ${given.join(' ')}` : why;
}

/** The engine says these anew. */
const ANEW = [
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
];

function playedParams({ params }: RecordedCall, secrets: ReadonlyMap<string, string>): string | undefined {
  if (params === undefined) return undefined;
  const text = fillSecrets(params, secrets);
  const meta = JsonSource.parse(text)?.member('_meta');
  if (meta?.kind !== 'object') return text;
  const kept = meta.children(Number.POSITIVE_INFINITY, ANEW).children;
  const members = kept.map(({ name, source }) => `${JSON.stringify(name)}:${source.text}`);
  return setMembers(text, [['_meta', `{${members.join(',')}}`]]);
}

/** Methods of lists that were read, and of which the server said later that they have changed. */
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

/**
 * What a server calls things now that it called otherwise when it was recorded: cursors, ids of sessions and tasks, UUIDs,
 * `requestState`. Learnt from answers, beside each other, and put into what is sent after them.
 */
export class RenamedIds {
  readonly #names = new Map<string, string>();

  /** Learns from two answers to the same request, as JSON texts. Never throws. */
  learn(recorded: string, live: string): void {
    try {
      this.#walk(parseExact(recorded), parseExact(live), undefined);
    } catch {
      // What is no JSON names nothing.
    }
  }

  /** JSON text with each string that is such a name replaced; what else there is stays as it was written. */
  apply(text: string): string {
    if (this.#names.size === 0) return text;
    let written = '';
    let copied = 0;
    for (let at = text.indexOf('"'); at >= 0; ) {
      const end = stringEnd(text, at);
      if (end < 0) break;
      const name =
        end - at - 2 <= OPAQUE_CHARS ? this.#names.get(JSON.parse(text.slice(at, end)) as string) : undefined;
      if (name !== undefined) {
        written += text.slice(copied, at) + JSON.stringify(name);
        copied = end;
      }
      at = text.indexOf('"', end);
    }
    return written + text.slice(copied);
  }

  #walk(recorded: unknown, live: unknown, key: string | undefined): void {
    if (typeof recorded === 'string' && typeof live === 'string') this.#strings(recorded, live, key);
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
    }
  }

  #name(recorded: string, live: string): void {
    if (this.#names.size < LIMITS.rulesMemory) this.#names.set(recorded, live);
  }
}
