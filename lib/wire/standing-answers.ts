import { canonicalJson } from '@/lib/json/canonical';
import { isJson } from '@/lib/json/parse';
import { isObject, isText, type JsonObject, own } from '@/lib/json/value';
import type { QuestionAnswer } from './message';
import { asksForSecret } from './secret-questions';

/** Standing answers of all servers, and uses of them on one connection. A server could ask in an endless loop. */
export const STANDING_ANSWERS = 100;
export const STANDING_USES = 1000;
/** Characters of one answer, and of the part of a question that it is bound to. */
export const STANDING_ANSWER_CHARS = 20_000;
export const STANDING_BOUND_CHARS = 20_000;
/** Characters of the texts that describe it. */
const ABOUT_CHARS = 300;

/** An answer that mcp-inspect sends by itself when a server repeats a question. */
export interface StandingAnswer {
  /** Unique in its list. */
  readonly id: string;
  /** Digest of the server's command and folder, or of its URL. */
  readonly server: string;
  /** The command line or URL as people may see it. */
  readonly title: string;
  readonly method: string;
  /** The part of the question that must be identical, see {@link boundPart}. */
  readonly bound: string;
  /** Start of the question that it was made for. */
  readonly about: string;
  readonly answer: QuestionAnswer;
  readonly paused?: true;
}

/** A change to a standing answer. */
export type StandingChange = { readonly id: string } & (
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'delete' }
);

/** The standing answers that a connection's host keeps. */
export interface StandingReply {
  /** Digest of the connection's server. */
  readonly server: string;
  /** All servers' answers, oldest first. */
  readonly answers: readonly StandingAnswer[];
  /** `page`: they are lost when the page is reloaded. */
  readonly place: 'folder' | 'page';
}

/**
 * Returns the part of a question that must be identical for a standing answer to be used, as canonical JSON. Returns
 * undefined for questions that only a person may answer: opening a URL, forms with a message or fields that look
 * secret, and anything malformed or too long. A sampling request is bound to its system prompt and tools. A form is
 * bound to its schema, and a form without fields also to its message, which is then the whole question.
 */
export function boundPart(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const part = BOUND.get(method)?.(params);
  const text = part && canonicalJson(JSON.stringify({ method, ...part }));
  return text !== undefined && text.length <= STANDING_BOUND_CHARS ? text : undefined;
}

const BOUND: ReadonlyMap<string, (params: JsonObject) => JsonObject | undefined> = new Map([
  ['elicitation/create', boundForm],
  ['sampling/createMessage', boundSampling],
]);

function boundForm(params: JsonObject): JsonObject | undefined {
  const [mode, requestedSchema] = [own(params, 'mode'), own(params, 'requestedSchema')];
  if ((mode !== undefined && mode !== 'form') || !isObject(requestedSchema)) return undefined;
  if (asksForSecret(params)) return undefined;
  const properties = own(requestedSchema, 'properties');
  const hasFields = isObject(properties) && Object.keys(properties).length > 0;
  return { requestedSchema, ...(!hasFields && { message: own(params, 'message') }) };
}

function boundSampling(params: JsonObject): JsonObject {
  return Object.fromEntries(['systemPrompt', 'tools', 'toolChoice'].map((name) => [name, own(params, name)]));
}

/** Returns the start of a question as one line, for lists. */
export function aboutQuestion(params: unknown): string {
  const message = isObject(params) ? (own(params, 'message') ?? own(params, 'systemPrompt')) : undefined;
  return typeof message === 'string' ? message.slice(0, ABOUT_CHARS).toWellFormed() : '';
}

/** Reads stored standing answers and leaves out invalid ones. */
export function readStandingAnswers(value: unknown): readonly StandingAnswer[] {
  return (Array.isArray(value) ? value : []).filter(isStandingAnswer).slice(0, STANDING_ANSWERS);
}

function isStandingAnswer(value: unknown): value is StandingAnswer {
  if (!isObject(value)) return false;
  const short = (name: string, most: number): boolean => {
    const text = own(value, name);
    return isText(text) && (text as string).length <= most;
  };
  const [answer, paused] = [own(value, 'answer'), own(value, 'paused')];
  return (
    short('id', 20) &&
    short('server', 100) &&
    short('title', 10_000) &&
    short('method', 100) &&
    short('bound', STANDING_BOUND_CHARS) &&
    short('about', ABOUT_CHARS) &&
    (paused === undefined || paused === true) &&
    isAnswer(answer)
  );
}

function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [result, error] = [own(value, 'result'), own(value, 'error')];
  if (error !== undefined) return isObject(error) && Number.isSafeInteger(error.code) && isText(error.message);
  return isText(result) && (result as string).length <= STANDING_ANSWER_CHARS && isJson(result as string);
}
