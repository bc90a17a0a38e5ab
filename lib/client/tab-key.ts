import type { TabKey } from '@/lib/wire/worker-message';

/** What is used of this tab's storage; every call may throw where the user forbids storage. */
type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'mcp-inspect.direct';

/** The key of this tab, if it ever made one: then something may have been kept. */
export function readTabKey(storage: () => TabStorage): TabKey | undefined {
  try {
    const held = JSON.parse(storage().getItem(KEY) ?? 'null') as TabKey | null;
    return held ?? undefined;
  } catch {
    return undefined;
  }
}

/** The key of this tab, made on first use. It goes when the tab is closed. undefined if nothing can be stored. */
export function takeTabKey(storage: () => TabStorage): TabKey | undefined {
  const held = readTabKey(storage);
  if (held) return held;
  const made = { tab: randomText(12), key: randomText(32) };
  try {
    storage().setItem(KEY, JSON.stringify(made));
    return made;
  } catch {
    return undefined;
  }
}

/** So many random bytes, base64. Unlike a UUID the browser makes it on any host. */
export function randomText(bytes: number): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
}
