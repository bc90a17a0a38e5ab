import { isObject, own } from '@/lib/json/value';

/**
 * Returns true if capabilities declare the one at `path`. Any value counts, except null and false: a capability is an
 * object, but PHP writes an empty one as `[]`, and some servers send `true`.
 */
export function declares(capabilities: unknown, path: readonly string[]): boolean {
  let at = capabilities;
  for (const key of path) at = isObject(at) ? own(at, key) : undefined;
  return at !== undefined && at !== null && at !== false;
}
