import { LIMITS } from '@/lib/wire/limits';
import type { TabKey } from '@/lib/wire/worker-message';

/** The used part of this tab's storage. Every call may throw. */
type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

const TAB_KEY = 'mcp-inspect.direct';

/** Returns the tab's key; undefined if it has none. A tab with a key may have kept logs. */
export function readTabKey(storage: () => TabStorage): TabKey | undefined {
  try {
    const held = JSON.parse(storage().getItem(TAB_KEY) ?? 'null') as TabKey | null;
    return held ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns the tab's key, made on first use and gone with the tab. undefined if nothing can be stored. */
export function makeTabKey(storage: () => TabStorage): TabKey | undefined {
  const held = readTabKey(storage);
  if (held) return held;
  const made = { tab: randomText(12), key: randomText(32) };
  try {
    storage().setItem(TAB_KEY, JSON.stringify(made));
    return made;
  } catch {
    return undefined;
  }
}

/** Returns random bytes as base64. Unlike a UUID, it works on plain http hosts too. */
export function randomText(bytes: number): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
}

const SETTLED_KEY = 'mcp-inspect.settled-recordings';

/**
 * Keys of recordings that have begun or were refused. They survive a reload, and are gone with the tab. Only the newest
 * are kept.
 */
export class DecidedRecordings {
  readonly #storage: () => TabStorage;
  readonly #keys: Set<string>;

  constructor(storage: () => TabStorage) {
    this.#storage = storage;
    this.#keys = new Set(read(storage));
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Without storage, the decision lasts until the reload. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    try {
      this.#storage().setItem(SETTLED_KEY, JSON.stringify([...this.#keys].slice(-LIMITS.pageRecordings)));
    } catch {
      // The proxy still knows the recordings that have begun.
    }
  }
}

function read(storage: () => TabStorage): readonly string[] {
  try {
    const held: unknown = JSON.parse(storage().getItem(SETTLED_KEY) ?? '[]');
    return Array.isArray(held) ? held.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
