import { idKey, isObject, own } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import { RecentMap } from '@/lib/store/columns/collections';
import type { SeenMessage } from '../protocol-state';
import { messageRule, quote, type Rule } from '../rule';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
/** Kinds of results; the last one is of the tasks extension. */
const RESULT_TYPES: readonly unknown[] = ['complete', 'input_required', 'task'];
/** Notifications that travel on a stream that was asked for. */
const LISTENED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
]);

function metaOf({ params }: SeenMessage, key: string): unknown {
  const meta = own(params, '_meta');
  return isObject(meta) ? own(meta, key) : undefined;
}

/** What is different since 2026-07-28. */
export const MODERN_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'result-type-unknown',
      kinds: ['response'],
      severity: 'error',
      title: 'A resultType that does not exist',
      topic: 'messages',
      advice: 'Use complete, or input_required where it is allowed.',
    },
    ({ kind, body, modern, ask }, _session, report) => {
      const result = own(body, 'result');
      if (kind !== 'response' || !modern || !isObject(result)) return;
      const type = own(result, 'resultType');
      if (typeof type !== 'string' || RESULT_TYPES.includes(type)) return;
      report({
        message: `resultType is ${quote(type)}.`,
        path: ['result', 'resultType'],
        ...(ask && { seqs: [ask.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'input-required-not-allowed',
      kinds: ['response'],
      severity: 'error',
      title: 'Input asked for where none may be',
      topic: 'input',
      advice: 'Ask for input only in answer to tools/call, prompts/get and resources/read.',
    },
    ({ kind, body, modern, ask }, _session, report) => {
      const result = own(body, 'result');
      if (kind !== 'response' || !modern || !ask || !isObject(result)) return;
      if (own(result, 'resultType') !== 'input_required' || METHODS.get(ask.method)?.asks) return;
      report({
        message: `${quote(ask.method)} was answered by asking for input.`,
        path: ['result', 'resultType'],
        seqs: [ask.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'input-required-empty',
      kinds: ['response'],
      severity: 'error',
      title: 'Input required, and none asked for',
      topic: 'input',
      advice: 'Send inputRequests, requestState or both.',
    },
    ({ kind, body, modern, ask }, _session, report) => {
      const result = own(body, 'result');
      if (kind !== 'response' || !modern || !isObject(result) || own(result, 'resultType') !== 'input_required') return;
      if (own(result, 'inputRequests') !== undefined || own(result, 'requestState') !== undefined) return;
      report({
        message: 'There are neither inputRequests nor a requestState.',
        path: ['result'],
        ...(ask && { seqs: [ask.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'server-request',
      kinds: ['request'],
      severity: 'error',
      title: 'A request of the server',
      topic: 'input',
      advice: 'Ask for input in a result instead: since 2026-07-28 servers send no requests.',
    },
    ({ kind, direction, method }, session, report) => {
      if (kind !== 'request' || direction !== 'to-client' || !session.modern) return;
      report({ message: `The server asked for ${quote(method)}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'client-answer',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'An answer of the client',
      topic: 'input',
      advice: 'Put it into inputResponses of the request when it is sent again.',
    },
    ({ kind, direction }, session, report) => {
      if ((kind !== 'response' && kind !== 'error') || direction !== 'to-server' || !session.modern) return;
      report({ message: 'Since 2026-07-28 clients send no answers.' });
    },
  ),
  messageRule(
    {
      id: 'notification-off-stream',
      kinds: ['notification'],
      severity: 'error',
      title: 'A change told outside a subscription',
      topic: 'subscriptions',
      advice: 'Send it on the stream of subscriptions/listen, with that request’s id as subscriptionId.',
    },
    (seen, session, report) => {
      const { kind, direction, method } = seen;
      if (kind !== 'notification' || direction !== 'to-client' || !session.modern || !LISTENED.has(method)) return;
      const id = metaOf(seen, SUBSCRIPTION);
      const listen = session.findRequest('to-server', id);
      if (listen?.method === 'subscriptions/listen') return;
      report({
        message:
          id === undefined ? `${quote(method)} names no subscription.` : `There is no subscription ${quote(id)}.`,
        path: ['params', '_meta', SUBSCRIPTION],
      });
    },
  ),
  {
    id: 'listen-not-acknowledged',
    severity: 'error',
    title: 'A subscription that was not acknowledged first',
    topic: 'subscriptions',
    advice: 'Send notifications/subscriptions/acknowledged before anything else on the stream.',
    checks: () => {
      const acknowledged = new RecentMap<string, true>();
      return {
        kinds: ['notification'],
        message: (seen, session, report) => {
          const { kind, direction, method } = seen;
          if (kind !== 'notification' || direction !== 'to-client' || !session.modern) return;
          const id = metaOf(seen, SUBSCRIPTION);
          const listen = session.findRequest('to-server', id);
          if (listen?.method !== 'subscriptions/listen') return;
          const key = idKey(id);
          if (method === 'notifications/subscriptions/acknowledged') acknowledged.set(key, true);
          else if (LISTENED.has(method) && !acknowledged.has(key)) {
            acknowledged.set(key, true);
            report({ message: `${quote(method)} came first.`, seqs: [listen.seq] });
          }
        },
      };
    },
  },
  {
    id: 'log-not-asked-for',
    severity: 'error',
    title: 'A log message that nobody asked for',
    topic: 'logging',
    advice: 'Send log messages only for requests whose _meta has a logLevel.',
    checks: () => {
      let asked = false;
      return {
        kinds: ['request', 'notification'],
        message: (seen, session, report) => {
          if (seen.kind === 'request' && seen.direction === 'to-server')
            asked ||= metaOf(seen, LOG_LEVEL) !== undefined;
          if (seen.kind !== 'notification' || seen.method !== 'notifications/message' || !session.modern || asked)
            return;
          report({ message: 'No request so far had a logLevel.', path: ['method'] });
        },
      };
    },
  },
];
