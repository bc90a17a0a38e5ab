import { jsonIn } from '@/lib/json/parse';
import { LIMITS } from '@/lib/wire/limits';
import { applyCallChange, type CallChange, type CallsReply, readKeptCalls } from '@/lib/wire/saved-calls';
import type { Api } from './api';

/**
 * Storage for saved calls and recent arguments. `key` names a server and a tool. Both methods reject with a Failure.
 */
export interface CallStore {
  read(key: string, signal?: AbortSignal): Promise<CallsReply>;
  /** Resolves to the calls after the change. */
  change(key: string, change: CallChange): Promise<CallsReply>;
}

/** The used part of a Storage. Every call may throw. */
export type CallStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'calls:';
const OFF = 'calls-off';

/**
 * Calls in this browser, for pages without a proxy. `storage` is called each time, since even reading the property may
 * throw.
 */
export class BrowserCalls implements CallStore {
  readonly #storage: () => CallStorage;

  constructor(storage: () => CallStorage) {
    this.#storage = storage;
  }

  async read(key: string): Promise<CallsReply> {
    try {
      const storage = this.#storage();
      const kept = readKeptCalls(jsonIn(storage.getItem(PREFIX + key) ?? 'null'));
      return { ...kept, remembers: storage.getItem(OFF) === null };
    } catch {
      throw FORBIDDEN;
    }
  }

  async change(key: string, change: CallChange): Promise<CallsReply> {
    const after = applyCallChange(await this.read(key), change);
    const { saved, recent, remembers } = after;
    try {
      const storage = this.#storage();
      if (remembers) storage.removeItem(OFF);
      else storage.setItem(OFF, 'off');
      if (saved.length + recent.length === 0) storage.removeItem(PREFIX + key);
      else storage.setItem(PREFIX + key, JSON.stringify({ saved, recent }));
    } catch {
      throw FORBIDDEN;
    }
    return after;
  }

  /** Keys with saved or recent calls; none if storage is forbidden. */
  get keys(): readonly string[] {
    try {
      const storage = this.#storage();
      const names = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '');
      return names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
    } catch {
      return [];
    }
  }
}

const FORBIDDEN = {
  code: 'calls-not-kept',
  message: 'The browser refuses to store saved calls.',
  advice: 'Allow storage for this page, or remove some saved calls if it is full.',
};

/**
 * Calls in the data folder, which all mcp-inspect processes of this user share. Moves calls there that older versions
 * kept in `browser`.
 */
export class FolderCalls implements CallStore {
  readonly #api: Pick<Api, 'calls' | 'changeCalls'>;
  readonly #browser: BrowserCalls;
  #moved: Promise<void> | undefined;

  constructor(api: Pick<Api, 'calls' | 'changeCalls'>, browser: BrowserCalls) {
    this.#api = api;
    this.#browser = browser;
  }

  async read(key: string, signal?: AbortSignal): Promise<CallsReply> {
    // Calls that can't be moved now stay in the browser until the next page load.
    this.#moved ??= this.#move(key).catch(() => {});
    await this.#moved;
    return this.#api.calls(key, signal);
  }

  change(key: string, change: CallChange): Promise<CallsReply> {
    return this.#api.changeCalls(key, change);
  }

  async #move(anyKey: string): Promise<void> {
    for (const old of this.#browser.keys) {
      const { saved, recent } = await this.#browser.read(old);
      const key = old.slice(0, LIMITS.callKeyChars);
      const there = await this.#api.calls(key);
      // A proxy that remembers nothing would refuse the recent arguments.
      if (there.off) return;
      for (const { name, text } of saved) {
        const taken = there.saved.find((call) => call.name === name);
        if (taken?.text === text) continue;
        await this.#api.changeCalls(key, { kind: 'save', name: taken ? `${name} (from the browser)` : name, text });
      }
      for (const text of recent.filter((each) => !there.recent.includes(each)).reverse()) {
        await this.#api.changeCalls(key, { kind: 'remember', text });
      }
      for (const call of saved) await this.#browser.change(old, { kind: 'remove', name: call.name });
      await this.#browser.change(old, { kind: 'forget' });
    }
    // Move the setting last, since "off" makes the folder refuse recent arguments.
    if ((await this.#browser.read(anyKey)).remembers) return;
    await this.#api.changeCalls(anyKey, { kind: 'remembers', on: false });
    await this.#browser.change(anyKey, { kind: 'remembers', on: true });
  }
}
