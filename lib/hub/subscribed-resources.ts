import { isObject, own } from '@/lib/json/value';
import type { RequestOutcome } from '@/lib/mcp/requests';
import { METHOD } from '@/lib/wire/protocol-names';
import { subscribedUris } from '@/lib/wire/resource-subscriptions';

const SUBSCRIBE = 'resources/subscribe';
const UNSUBSCRIBE = 'resources/unsubscribe';
/** Most resources that the next run subscribes to again. */
const MOST_URIS = 100;

/** The resources that a person is subscribed to, so that the next run of the server can subscribe again. */
export class SubscribedResources {
  /** By subscription: a URI in the legacy era, a request in the modern one, where the stream is the subscription. */
  readonly #uris = new Map<unknown, readonly string[]>();

  /** The URIs of the subscriptions that are active now. */
  get uris(): readonly string[] {
    return [...new Set([...this.#uris.values()].flat())].slice(0, MOST_URIS);
  }

  /** Learns from a request that was sent, and from how it ends. */
  note(method: string, params: string | undefined, outcome: Promise<RequestOutcome>): void {
    if (method === METHOD.listen) {
      const uris = subscribedUris(memberOf(params, 'notifications'));
      if (uris.length === 0) return;
      this.#uris.set(outcome, uris);
      // A stream that was lost is one to ask for again.
      void outcome.then(({ kind }) => kind !== 'lost' && this.#uris.delete(outcome));
      return;
    }
    if (method !== SUBSCRIBE && method !== UNSUBSCRIBE) return;
    const uri = memberOf(params, 'uri');
    if (typeof uri !== 'string') return;
    if (method === SUBSCRIBE) this.#uris.set(uri, [uri]);
    const ends = method === SUBSCRIBE ? 'error' : 'result';
    void outcome.then(({ kind }) => kind === ends && this.#uris.delete(uri));
  }
}

/** `params` was sent, so it is valid JSON. */
function memberOf(params: string | undefined, key: string): unknown {
  const parsed: unknown = params === undefined ? undefined : JSON.parse(params);
  return isObject(parsed) ? own(parsed, key) : undefined;
}
