import { type ClientHandlers, Refusal } from '@/lib/mcp/client-handler';
import type { ClientInfo } from '@/lib/mcp/modern-meta';
import { canonicalJson } from '@/lib/session/canonical-json';
import { eventsOf } from '@/lib/session/events-of';
import { Playhead } from '@/lib/session/playhead';
import type { RecordedAnswer, RecordedSession, ServerQuestion } from '@/lib/session/recorded-session';
import { JsonSource } from '@/lib/wire/json-source';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { USUAL } from './normalise';
import { filledIn, hasPlaceholder } from './placeholders';

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
export function recordedClient(session: RecordedSession, secrets: ReadonlyMap<string, string>): RecordedClient {
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
function handlersOf(session: RecordedSession, secrets: ReadonlyMap<string, string>): ClientHandlers {
  const methods = new Map<string, Answer[]>();
  const same = new Map<string, Answer[]>();
  for (const { method, params, answer } of questionsOf(session)) {
    if (!answer) continue;
    const one = { kind: answer.kind, text: filledIn(answer.text, secrets) };
    add(methods, method, one);
    add(same, keyOf(method, params), one);
  }
  const given = new Playhead<Answer>();
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

function next(given: Playhead<Answer>, method: string, answers: readonly Answer[]): Answer | undefined {
  // Roots are asked for whenever a server likes, and are what they are.
  if (method === 'roots/list') return answers[0];
  const { item, again } = given.take(answers);
  return again ? undefined : item;
}

function add(lines: Map<string, Answer[]>, key: string, answer: Answer): void {
  const line = lines.get(key);
  if (line) line.push(answer);
  else lines.set(key, [answer]);
}

function answerText(found: Answer | undefined): string {
  if (!found) throw new Refusal(-32603, 'The recording has no answer to this');
  const { kind, text } = found;
  if (hasPlaceholder(text)) throw new Refusal(-32603, 'The answer was taken out of the recording');
  if (kind === 'result') return text;
  const error = objectIn(text);
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  throw new Refusal(typeof code === 'number' ? code : -32603, typeof message === 'string' ? message : '');
}

function keyOf(method: string, params: string | undefined): string {
  return `${method} ${USUAL.text(canonicalJson(params ?? '{}'), undefined)}`;
}

function questionsOf(session: RecordedSession): readonly ServerQuestion[] {
  return eventsOf(session)
    .filter((event) => event.kind === 'question')
    .sort((a, b) => a.seq - b.seq);
}

function objectIn(text: string | undefined): JsonObject {
  const value = text === undefined ? undefined : JsonSource.parse(text)?.value;
  return isObject(value) ? value : {};
}
