// @ts-check
import { META } from './eras.mjs';
import { invalidParams } from './errors.mjs';

/** @typedef {import('./eras.mjs').JsonObject} JsonObject */
/** @typedef {{ tools: boolean, resources: boolean, uris: Set<string> }} Filter */

/** Who wants to hear of changes: in the legacy era everybody, of resources by subscription; in the modern era listeners. */
export class Subscriptions {
  /** @type {Set<string>} URIs of `resources/subscribe`. */
  #uris = new Set();
  /** @type {Map<string | number, Filter>} Open `subscriptions/listen` requests. */
  #listeners = new Map();
  #notify;

  /** @param {(method: string, params: object) => void} notify */
  constructor(notify) {
    this.#notify = notify;
  }

  /** @param {string} uri */
  subscribe(uri) {
    this.#uris.add(uri);
  }

  /** @param {string} uri */
  unsubscribe(uri) {
    this.#uris.delete(uri);
  }

  /**
   * `subscriptions/listen`: acknowledges what we can tell, then stays open until the client cancels it.
   *
   * @param {JsonObject} params
   * @param {import('./call.mjs').Call} call
   * @returns {Promise<never>}
   */
  listen(params, call) {
    const wanted = /** @type {JsonObject | undefined} */ (params.notifications);
    if (typeof wanted !== 'object' || wanted === null) throw invalidParams('notifications must be an object');
    const uris = Array.isArray(wanted.resourceSubscriptions) ? wanted.resourceSubscriptions.map(String) : [];
    const filter = {
      tools: wanted.toolsListChanged === true,
      resources: wanted.resourcesListChanged === true,
      uris: new Set(uris),
    };
    // Prompts never change here, so that wish is left out of the acknowledgement.
    const granted = {
      ...(filter.tools ? { toolsListChanged: true } : {}),
      ...(filter.resources ? { resourcesListChanged: true } : {}),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
    this.#notify('notifications/subscriptions/acknowledged', {
      _meta: { [META.subscription]: call.id },
      notifications: granted,
    });
    this.#listeners.set(call.id, filter);
    // At once, not when the promise has settled: what happens next is already none of this listener's business.
    call.signal.addEventListener('abort', () => this.#listeners.delete(call.id), { once: true });
    return call.cancelled();
  }

  /**
   * @param {import('./station.mjs').Change} change
   * @param {import('./eras.mjs').Era | undefined} era
   */
  announce(change, era) {
    const method =
      change.kind === 'updated' ? 'notifications/resources/updated' : `notifications/${change.kind}/list_changed`;
    const params = change.kind === 'updated' ? { uri: change.uri } : {};
    if (era === 'legacy') {
      if (change.kind !== 'updated' || this.#uris.has(change.uri)) this.#notify(method, params);
      return;
    }
    for (const [id, filter] of this.#listeners) {
      const wants = change.kind === 'updated' ? filter.uris.has(change.uri) : filter[change.kind];
      if (wants) this.#notify(method, { ...params, _meta: { [META.subscription]: id } });
    }
  }
}
