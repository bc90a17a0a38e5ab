import { isObject, own } from '@/lib/json/value';
import { METHOD } from './protocol-names';

/** A request's method and its params. */
type SubscribingRequest = readonly [method: string, params: object];

/** Returns the request that subscribes to a resource. In the modern era, each subscription can be ended alone. */
export function subscribingRequest(isModern: boolean, uri: string): SubscribingRequest {
  return isModern
    ? [METHOD.listen, { notifications: { resourceSubscriptions: [uri] } }]
    : ['resources/subscribe', { uri }];
}

/** Returns the resources in the filter of a `subscriptions/listen` (2026-07-28). Anything can be such a filter. */
export function subscribedUris(filter: unknown): readonly string[] {
  const uris = isObject(filter) ? own(filter, 'resourceSubscriptions') : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
