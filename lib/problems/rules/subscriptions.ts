import { isObject, type JsonObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import { headerOf } from '@/lib/transports/http-link';
import { idKey } from '@/lib/wire/message';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { percentDecoded } from '@/lib/wire/url';
import { metaOf, type ProtocolState, type SeenMessage, type TrackedRequest } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';

/** Notifications that need a subscription, and the member of its filter that asks for them. */
const FILTERS: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  [METHOD.updated, 'resourceSubscriptions'],
  [METHOD.taskChanged, 'taskIds'],
]);

/** Returns the modern subscription that a notification from the server names, ended or not. */
function listenOf(seen: SeenMessage, state: ProtocolState): TrackedRequest | undefined {
  if (seen.direction !== 'to-client' || !state.modern) return undefined;
  const listen = state.findRequest('to-server', metaOf(seen, META_KEY.subscriptionId));
  return listen?.method === METHOD.listen ? listen : undefined;
}

/** The URIs of each subscription, as a set. */
const SUBSCRIBED = new WeakMap<JsonObject, ReadonlySet<string>>();

function urisIn(filter: JsonObject): ReadonlySet<string> {
  const known = SUBSCRIBED.get(filter);
  if (known) return known;
  const uris = own(filter, 'resourceSubscriptions');
  const made = new Set(Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string').map(normalUri) : []);
  SUBSCRIBED.set(filter, made);
  return made;
}

/** URIs longer than this always count as subscribed to. */
const URI_CHARS = 2000;

/** Returns a text that is the same for URIs that servers may treat as equal. */
function normalUri(uri: string): string {
  return percentDecoded(uri).toLowerCase();
}

/** Returns true if a URI, or one that it is a part of, has a subscription. */
function isCovered(given: string, subscribed: { has(uri: string): boolean }): boolean {
  if (given.length > URI_CHARS) return true;
  const uri = normalUri(given);
  if (subscribed.has(uri)) return true;
  for (const { index } of uri.matchAll(/[/?#:.]/g)) {
    if (subscribed.has(uri.slice(0, index)) || subscribed.has(uri.slice(0, index + 1))) return true;
  }
  return false;
}

/** Returns true if a filter asks for a notification that is covered by this member of it. */
function asksFor(filter: JsonObject, member: string, params: JsonObject): boolean {
  const wanted = own(filter, member);
  return member === 'taskIds' ? Array.isArray(wanted) && wanted.includes(own(params, 'taskId')) : wanted === true;
}

/** Returns true if a filter names a URI, or one that it is a part of, or the id of a task. */
function isNamed(filter: JsonObject, member: string, name: string): boolean {
  if (member !== 'taskIds') return isCovered(name, urisIn(filter));
  const wanted = own(filter, member);
  return Array.isArray(wanted) && wanted.includes(name);
}

/** Rules about subscriptions of both eras. */
export const SUBSCRIPTION_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'notification-off-stream',
      kinds: ['notification'],
      severity: 'error',
      title: 'Change notification outside a subscription',
      topic: 'subscriptions',
      advice: 'Send it on the subscriptions/listen stream, with that request’s id as subscriptionId.',
    },
    (seen, state, report) => {
      const { direction, method } = seen;
      if (direction !== 'to-client' || !state.modern || !FILTERS.has(method) || listenOf(seen, state)) return;
      const id = metaOf(seen, META_KEY.subscriptionId);
      report({
        message:
          id === undefined ? `${quote(method)} has no subscriptionId.` : `No subscription has the id ${quote(id)}.`,
        path: ['params', '_meta', META_KEY.subscriptionId],
      });
    },
  ),
  {
    id: 'listen-not-acknowledged',
    severity: 'error',
    title: 'Subscription not acknowledged first',
    topic: 'subscriptions',
    advice: 'Send notifications/subscriptions/acknowledged before anything else on the stream.',
    checks: () => {
      const acknowledged = new RecentMap<string, true>();
      return {
        kinds: ['notification'],
        message: (seen, state, report) => {
          const { method } = seen;
          const listen = listenOf(seen, state);
          if (!listen) return;
          const key = idKey(listen.id);
          if (method === METHOD.acknowledged) acknowledged.set(key, true);
          else if (FILTERS.has(method) && !acknowledged.has(key)) {
            acknowledged.set(key, true);
            report({ message: `${quote(method)} was sent before the acknowledgement.`, seqs: [listen.seq] });
          }
        },
      };
    },
  },
  messageRule(
    {
      id: 'acknowledged-not-asked-for',
      kinds: ['notification'],
      severity: 'warning',
      title: 'Acknowledgement of more than the subscription asks for',
      topic: 'subscriptions',
      advice: 'Acknowledge only what the filter of subscriptions/listen asks for, or less.',
    },
    (seen, state, report) => {
      const listen = seen.method === METHOD.acknowledged ? listenOf(seen, state) : undefined;
      const [asked, granted] = [listen && own(listen.params, 'notifications'), own(seen.params, 'notifications')];
      if (!listen || !isObject(asked) || !isObject(granted)) return;
      for (const member of FILTERS.values()) {
        const value = own(granted, member);
        const path = ['params', 'notifications', member];
        if (value === true && own(asked, member) !== true) {
          report({ message: `The subscription does not ask for ${member}.`, path, seqs: [listen.seq] });
        }
        const names = Array.isArray(value) ? value : [];
        const extra = names.findIndex((name) => typeof name === 'string' && !isNamed(asked, member, name));
        if (extra < 0) continue;
        report({
          message: `The subscription does not ask for updates of ${quote(names[extra])}.`,
          path: [...path, extra],
          seqs: [listen.seq],
        });
      }
    },
  ),
  messageRule(
    {
      id: 'notification-not-asked-for',
      kinds: ['notification'],
      severity: 'error',
      title: 'Notification that the subscription does not ask for',
      topic: 'subscriptions',
      advice: 'Send only the notifications that the filter of subscriptions/listen asks for.',
    },
    (seen, state, report) => {
      const { method, params } = seen;
      const member = FILTERS.get(method);
      const listen = member === undefined ? undefined : listenOf(seen, state);
      const filter = listen && own(listen.params, 'notifications');
      if (!isObject(filter)) return;
      const uri = own(params, 'uri');
      const isUpdate = method === METHOD.updated;
      if (isUpdate ? typeof uri !== 'string' || isCovered(uri, urisIn(filter)) : asksFor(filter, member!, params))
        return;
      report({
        message: isUpdate
          ? `The subscription does not ask for updates of ${quote(uri)}.`
          : `The subscription does not ask for ${quote(method)}.`,
        path: isUpdate ? ['params', 'uri'] : ['method'],
        seqs: [listen!.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'listen-result-id',
      kinds: ['response'],
      severity: 'error',
      title: 'End of a subscription that names another one',
      topic: 'subscriptions',
      advice: 'Repeat the id of subscriptions/listen as subscriptionId.',
    },
    ({ body, request }, state, report) => {
      const result = own(body, 'result');
      const meta = isObject(result) ? own(result, '_meta') : undefined;
      const id = isObject(meta) ? own(meta, META_KEY.subscriptionId) : undefined;
      if (!state.modern || request?.method !== METHOD.listen || id === undefined || id === request.id) return;
      report({
        message: `subscriptionId is ${quote(id)}, but the request has the id ${quote(request.id)}.`,
        path: ['result', '_meta', META_KEY.subscriptionId],
        seqs: [request.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'request-notification-on-listen',
      kinds: ['notification'],
      severity: 'error',
      title: 'Notification of a request in a subscription',
      topic: 'http-receive',
      advice: 'Send progress and log messages on the stream of their own request, without a subscriptionId.',
    },
    (seen, state, report) => {
      const { method, direction, exchange } = seen;
      if (direction !== 'to-client' || !state.modern || (method !== METHOD.progress && method !== METHOD.log)) return;
      const carrier = exchange === undefined ? undefined : state.exchanges.get(exchange)?.request;
      const onListen = carrier && headerOf(carrier.headers, 'mcp-method') === METHOD.listen;
      if (!onListen && metaOf(seen, META_KEY.subscriptionId) === undefined) return;
      report({ message: `${quote(method)} was sent in a subscription.`, path: ['method'] });
    },
  ),
  {
    id: 'update-not-subscribed',
    severity: 'warning',
    title: 'Update of a resource without a subscription',
    topic: 'resources',
    advice: 'Send notifications/resources/updated only for resources that the client has subscribed to.',
    checks: () => {
      // Kept after resources/unsubscribe, because updates may still be on their way.
      const subscribed = new RecentMap<string, true>();
      return {
        kinds: ['request', 'notification'],
        message: ({ kind, direction, method, params }, state, report) => {
          const uri = own(params, 'uri');
          if (state.modern || state.version === undefined || typeof uri !== 'string') return;
          if (kind === 'request') {
            if (method === 'resources/subscribe' && uri.length <= URI_CHARS) subscribed.set(normalUri(uri), true);
          } else if (method === METHOD.updated && direction === 'to-client' && !isCovered(uri, subscribed)) {
            report({ message: `The client has not subscribed to ${quote(uri)}.`, path: ['params', 'uri'] });
          }
        },
      };
    },
  },
];
