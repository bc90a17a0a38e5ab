import type { ServerNotice, ServerQuestion } from '@/lib/session/recorded-session';
import { JsonSource } from '@/lib/wire/json-source';
import { setMembers } from '@/lib/wire/json-text';
import { oneLine } from './outlet';

const PROGRESS = 'notifications/progress';
const CANCELLED = 'notifications/cancelled';
const LOG = 'notifications/message';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** What a client said about itself that what it is told depends on. JSON texts. */
export interface Listener {
  /** Under which it wants progress; undefined: it wants none. */
  readonly progressToken: string | undefined;
  /** It wants log messages. */
  readonly logs: boolean;
  /** The present id of a question, by the recorded one. */
  questionId(recorded: string): string | undefined;
}

type Notice = Pick<ServerNotice, 'method' | 'params'>;

/** A question, under an id of ours. */
export function questionText({ method, params }: Pick<ServerQuestion, 'method' | 'params'>, id: string): string {
  return messageText(method, params, `"id":${id},`);
}

/** A notification with the client's own tokens and ids in it; undefined if this client is not to get it. */
export function noticeText({ method, params }: Notice, listener: Listener): string | undefined {
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
