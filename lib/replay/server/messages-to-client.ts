import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import type { ServerNotification, ServerRequest } from '../traffic/recorded-traffic';
import type { ResumableStream } from '../traffic/resumable-streams';

/** Where the messages about one request of the client's go, or, beside all requests, those about none. Texts are one line. */
export interface ResponseSink {
  /** Something besides the answer. */
  sendMessage(text: string): void;
  /** The answer, the last thing. `status`: of the HTTP response, as it was recorded. */
  sendAnswer(text: string, status?: number): void;
  /** There will be no answer. */
  dropAnswer(): void;
  /** HTTP answers instead; absent where there is no HTTP. */
  refuseByHttp?(status: number, body: string): void;
  /** All of it is to be an event stream that its client can come back to; absent where there is none. */
  makeResumable?(stream: ResumableStream): void;
  /** Ends that stream as if it broke off: what is still to come waits for the client to come back. */
  cutStream?(): void;
}

/** JSON has line breaks between tokens only, where a space is the same, and a message is one line. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

/** The text of an answer to request `id`, all JSON. */
export function answerText(id: string, kind: 'result' | 'error', json: string): string {
  return `{"jsonrpc":"2.0","id":${id},"${kind}":${oneLine(json)}}`;
}

/** The answer of a request that we refuse. `data` is a value, or absent. */
export function errorText(id: string, code: number, message: string, data?: unknown): string {
  return answerText(id, 'error', JSON.stringify({ code, message, ...(data !== undefined && { data }) }));
}

/** Collects the answers of a batch (2025-03-26), and hands them on as one. */
export function batchSinks(count: number, outlet: ResponseSink): () => ResponseSink {
  const answers: string[] = [];
  let left = count;
  const done = (): void => {
    left--;
    if (left > 0) return;
    if (answers.length > 0) outlet.sendAnswer(`[${answers.join(',')}]`);
    else outlet.dropAnswer();
  };
  return () => ({
    sendMessage: (text) => outlet.sendMessage(text),
    sendAnswer: (text) => {
      answers.push(text);
      done();
    },
    dropAnswer: done,
  });
}

const PROGRESS = 'notifications/progress';
const CANCELLED = 'notifications/cancelled';
const LOG = 'notifications/message';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** What a client said about itself that what it is told depends on. JSON texts. */
export interface ClientPreferences {
  /** Under which it wants progress; undefined: it wants none. */
  readonly progressToken: string | undefined;
  /** It wants log messages. */
  readonly logs: boolean;
  /** The present id of a question, by the recorded one. */
  questionId(recorded: string): string | undefined;
}

type Notice = Pick<ServerNotification, 'method' | 'params'>;

/** A question, under an id of ours. */
export function questionText({ method, params }: Pick<ServerRequest, 'method' | 'params'>, id: string): string {
  return messageText(method, params, `"id":${id},`);
}

/** A notification with the client's own tokens and ids in it; undefined if this client is not to get it. */
export function noticeText({ method, params }: Notice, listener: ClientPreferences): string | undefined {
  if (method === LOG && !listener.logs) return undefined;
  if (method === PROGRESS) return withMember(method, params, 'progressToken', listener.progressToken);
  if (method !== CANCELLED) return messageText(method, params);
  const recorded = JsonSource.parse(params ?? '')?.member('requestId')?.text;
  return withMember(method, params, 'requestId', recorded && listener.questionId(recorded));
}

/** A notification on the stream of a subscription, whose id is that of the client's own request. */
export function streamText({ method, params }: Notice, subscription: string): string {
  return messageText(method, withSubscription(params ?? '{}', subscription));
}

/** Params or a result that name a subscription, with this one instead. */
export function withSubscription(json: string, subscription: string): string {
  const meta = JsonSource.parse(json)?.member('_meta');
  if (meta?.kind !== 'object' || !meta.member(SUBSCRIPTION)) return json;
  return setMembers(json, [['_meta', setMembers(meta.text, [[SUBSCRIPTION, subscription]])]]);
}

function withMember(method: string, params: string | undefined, key: string, value: string | undefined) {
  if (value === undefined || JsonSource.parse(params ?? '')?.kind !== 'object') return undefined;
  return messageText(method, setMembers(params!, [[key, value]]));
}

function messageText(method: string, params: string | undefined, id = ''): string {
  const written = params === undefined ? '' : `,"params":${oneLine(params)}`;
  return `{"jsonrpc":"2.0",${id}"method":${JSON.stringify(method)}${written}}`;
}
