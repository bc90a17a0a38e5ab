// @ts-check
import { invalidParams, META } from './protocol.mjs';

/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */
/** @typedef {{ tools: boolean, resources: boolean, uris: Set<string> }} Filter */

/**
 * Sends notifications of changes. A legacy client gets all list changes, and updates of resources it subscribed to. A
 * modern client gets what its `subscriptions/listen` requests ask for.
 */
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
   * Answers `subscriptions/listen`: acknowledges the supported kinds, then stays open until the client cancels it.
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
    // Prompts never change here, so the acknowledgement leaves them out.
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
    // Removed at once, not when the promise settles: a cancelled listener must get no further notification.
    call.signal.addEventListener('abort', () => this.#listeners.delete(call.id), { once: true });
    return call.cancelled();
  }

  /**
   * @param {import('./station.mjs').Change} change
   * @param {import('./protocol.mjs').Era | undefined} era
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
