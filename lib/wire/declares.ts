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

/** The capabilities of a server after its handshake. `invalidCapabilities`: as sent, if they are not an object. */
interface ServerCapabilities {
  readonly capabilities: unknown;
  readonly invalidCapabilities?: unknown;
}

/**
 * Returns true if the lists of a capability are to be read: it is declared, also as null, or the capabilities are not
 * an object, so that they may mean anything.
 */
export function mayHaveLists({ capabilities, invalidCapabilities }: ServerCapabilities, capability: string): boolean {
  const isNull = isObject(capabilities) && own(capabilities, capability) === null;
  return isNull || invalidCapabilities !== undefined || declares(capabilities, [capability]);
}
