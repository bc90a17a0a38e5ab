import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import type { RecordedServerRequest, ServerNotification } from '../traffic/recorded-traffic';
import type { ResumableStream } from '../traffic/resumable-streams';

/** Receives the messages that belong to one client request, or to none. Each text is one line. */
export interface ResponseSink {
  /** Sends a message other than the answer. */
  sendMessage(text: string): void;
  /** Sends the answer, the last message. `status`: recorded HTTP status. */
  sendAnswer(text: string, status?: number): void;
  /** Ends without an answer. */
  dropAnswer(): void;
  /** Answers with an HTTP status and body instead of a message. Absent without HTTP. */
  refuseByHttp?(status: number, body: string): void;
  /** Turns the response into an event stream that the client can resume. Absent where that is impossible. */
  makeResumable?(stream: ResumableStream): void;
  /** Breaks the stream off. Later messages wait for the client to resume it. */
  cutStream?(): void;
}

/** Puts JSON on one line. JSON has line breaks only between tokens, where a space means the same. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

/** Writes the answer to request `id`. All parts are JSON. */
export function answerText(id: string, kind: 'result' | 'error', json: string): string {
  return `{"jsonrpc":"2.0","id":${id},"${kind}":${oneLine(json)}}`;
}

/** Writes an error answer. `data` is a value, or absent. */
export function errorAnswerText(id: string, code: number, message: string, data?: unknown): string {
  return answerText(id, 'error', JSON.stringify({ code, message, ...(data !== undefined && { data }) }));
}

/** Collects the answers of a batch (2025-03-26) into one message. */
export function batchSinks(count: number, sink: ResponseSink): () => ResponseSink {
  const answers: string[] = [];
  let left = count;
  const done = (): void => {
    left--;
    if (left > 0) return;
    if (answers.length > 0) sink.sendAnswer(`[${answers.join(',')}]`);
    else sink.dropAnswer();
  };
  return () => ({
    sendMessage: (text) => sink.sendMessage(text),
    sendAnswer: (text) => {
      answers.push(text);
      done();
    },
    dropAnswer: done,
  });
}

/** A client’s own statements about the messages that it wants. Tokens and ids are JSON texts. */
export interface ClientPreferences {
  /** The client’s progress token; undefined if it wants no progress. */
  readonly progressToken: string | undefined;
  /** True if the client wants log messages. */
  readonly logs: boolean;
  /** Returns the current id of a server request by its recorded id. */
  serverRequestId(recorded: string): string | undefined;
}

type Notice = Pick<ServerNotification, 'method' | 'params'>;

/** Writes a server request under a new id. */
export function serverRequestText(
  { method, params }: Pick<RecordedServerRequest, 'method' | 'params'>,
  id: string,
): string {
  return messageText(method, params, `"id":${id},`);
}

/** Writes a notification with the client’s own tokens and ids; undefined if this client must not get it. */
export function notificationText({ method, params }: Notice, client: ClientPreferences): string | undefined {
  if (method === METHOD.log && !client.logs) return undefined;
  if (method === METHOD.progress) return withMember(method, params, 'progressToken', client.progressToken);
  if (method !== METHOD.cancelled) return messageText(method, params);
  const recorded = JsonSource.parse(params ?? '')?.member('requestId')?.text;
  return withMember(method, params, 'requestId', recorded && client.serverRequestId(recorded));
}

/** Writes a notification for a subscription, whose id is that of the client’s own request. */
export function streamText({ method, params }: Notice, subscription: string): string {
  return messageText(method, withSubscription(params ?? '{}', subscription));
}

/** Replaces the subscription id in params or a result, if there is one. */
export function withSubscription(json: string, subscription: string): string {
  const meta = JsonSource.parse(json)?.member('_meta');
  if (meta?.kind !== 'object' || !meta.member(META_KEY.subscriptionId)) return json;
  return setMembers(json, [['_meta', setMembers(meta.text, [[META_KEY.subscriptionId, subscription]])]]);
}

function withMember(method: string, params: string | undefined, key: string, value: string | undefined) {
  if (value === undefined || JsonSource.parse(params ?? '')?.kind !== 'object') return undefined;
  return messageText(method, setMembers(params!, [[key, value]]));
}

function messageText(method: string, params: string | undefined, id = ''): string {
  const written = params === undefined ? '' : `,"params":${oneLine(params)}`;
  return `{"jsonrpc":"2.0",${id}"method":${JSON.stringify(method)}${written}}`;
}
