import { LIMITS } from '@/lib/wire/limits';
import type { TabKey } from '@/lib/wire/worker-message';

/** What is used of this tab's storage; every call may throw where the user forbids storage. */
type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

const TAB_KEY = 'mcp-inspect.direct';

/** The key of this tab, if it ever made one: then something may have been kept. */
export function readTabKey(storage: () => TabStorage): TabKey | undefined {
  try {
    const held = JSON.parse(storage().getItem(TAB_KEY) ?? 'null') as TabKey | null;
    return held ?? undefined;
  } catch {
    return undefined;
  }
}

/** The key of this tab, made on first use. It goes when the tab is closed. undefined if nothing can be stored. */
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

/** So many random bytes, base64. Unlike a UUID the browser makes it on any host. */
export function randomText(bytes: number): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
}

const SETTLED_KEY = 'mcp-inspect.settled-recordings';

/** Keys of recordings of which it is settled whether they begin: over reloads, and gone with the tab. Of very many the newest. */
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

  /** Where nothing can be stored it is so until the next reload. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    try {
      this.#storage().setItem(SETTLED_KEY, JSON.stringify([...this.#keys].slice(-LIMITS.pageRecordings)));
    } catch {
      // Then the proxy still knows those that it records.
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
