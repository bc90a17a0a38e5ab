import { isObject } from '@/lib/json/value';
import type { ListEntry, LogState } from '@/lib/store/state/state';

const FIRST = new WeakMap<object, string | undefined>();

/** Returns the key of the first tool that names an app. Looks through each list once. */
export function firstApp({ tools: { items } }: LogState): string | undefined {
  if (!FIRST.has(items)) FIRST.set(items, items.find(namesApp)?.key);
  return FIRST.get(items);
}

/** As `toolApp`, without its code, because the page starts with this. */
function namesApp({ raw: { _meta } }: ListEntry): boolean {
  return isObject(_meta) && ((isObject(_meta.ui) && 'resourceUri' in _meta.ui) || 'ui/resourceUri' in _meta);
}
