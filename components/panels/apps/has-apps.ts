import { isObject } from '@/lib/json/value';
import type { LogState } from '@/lib/store/state/state';

const WITH_APPS = new WeakMap<object, boolean>();

/** True if a tool has an app. Looks through each list once. */
export function hasApps({ tools: { items } }: LogState): boolean {
  const known =
    WITH_APPS.get(items) ??
    items.some(({ raw: { _meta } }) => isObject(_meta) && ('ui' in _meta || 'ui/resourceUri' in _meta));
  WITH_APPS.set(items, known);
  return known;
}
