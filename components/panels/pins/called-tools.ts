import type { JsonObject } from '@/lib/json/value';
import type { PinEntry } from '@/lib/wire/api';

/** Tools that pinned calls call. */
interface CalledTools {
  /** Tools as listed. */
  readonly listed: readonly JsonObject[];
  /** Names that are not in the list, so that nobody knows what they do. */
  readonly unlisted: readonly string[];
}

/** Looks up the tools that pinned calls call. A name with `${…}` is known only when it is sent. */
export function calledTools(
  pins: readonly Pick<PinEntry, 'method' | 'target'>[],
  items: readonly { readonly name: string; readonly raw: JsonObject }[],
): CalledTools {
  const called = pins.filter(({ method }) => method === 'tools/call');
  const names = new Set(called.map(({ target = '' }) => target));
  const isKnown = (name: string) => !name.includes('${') && items.some((item) => item.name === name);
  return {
    listed: items.filter(({ name }) => names.has(name)).map(({ raw }) => raw),
    unlisted: [...names].filter((name) => !isKnown(name)),
  };
}
