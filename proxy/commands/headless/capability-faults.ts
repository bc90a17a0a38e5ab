import { typeWords } from '@/lib/json/type-words';
import { isObject, own } from '@/lib/json/value';
import type { Negotiated } from '@/lib/mcp/handshake';
import { LISTINGS } from '@/lib/protocol/methods';
import { declares, mayHaveLists } from '@/lib/wire/declares';
import { EXTENSION } from '@/lib/wire/protocol-names';

/** Returns a sentence for each capability with a list that is not an object, or for all capabilities together. */
export function capabilityFaults({ capabilities, invalidCapabilities }: Negotiated): readonly string[] {
  if (invalidCapabilities !== undefined) return [faultOf('`capabilities`', invalidCapabilities)];
  const names = new Set(LISTINGS.map(([, { capability }]) => capability));
  return [...names].flatMap((name) => {
    const value = own(capabilities, name);
    const isValid = value === undefined || value === false || isObject(value);
    return isValid ? [] : [faultOf(`The capability \`${name}\``, value)];
  });
}

function faultOf(what: string, value: unknown): string {
  return `${what} is ${typeWords(value)}, expected an object. Some clients then read no list.`;
}

/** The capability that a method needs. Others of a group need that of their first word. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'resources/subscribe': ['resources', 'subscribe'],
  'resources/directory/read': ['extensions', EXTENSION.skills],
  'completion/complete': ['completions'],
  'skills/list': ['extensions', EXTENSION.skills],
  'skills/get': ['extensions', EXTENSION.skills],
};
const GROUPS: ReadonlySet<string> = new Set(['tools', 'prompts', 'resources', 'tasks']);

/** Returns the capability that a request needs and the server does not declare; undefined if it does. */
export function undeclaredFor(method: string, negotiated: Negotiated): string | undefined {
  const path = neededBy(method, negotiated);
  if (path === undefined) return undefined;
  const [first] = path as [string];
  const isDeclared = path.length === 1 ? mayHaveLists(negotiated, first) : declares(negotiated.capabilities, path);
  return isDeclared ? undefined : path.filter((name) => name !== 'extensions').join('.');
}

function neededBy(method: string, { era, version }: Negotiated): readonly string[] | undefined {
  const [first = ''] = method.split('/');
  // Before, there was no capability for it.
  if (first === 'completion' && version < '2025-03-26') return undefined;
  if (first === 'tasks' && era === 'modern') return ['extensions', EXTENSION.tasks];
  return NEEDED[method] ?? (GROUPS.has(first) ? [first] : undefined);
}
