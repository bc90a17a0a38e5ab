import { isObject, own } from '@/lib/json/value';

/** Characters parsed to recognise a result. Takes a few milliseconds. */
const MOST_CHARS = 1024 * 1024;

/** A member that only the result of one method has, and its type. Log lines have neither. */
const MEMBERS: readonly (readonly [name: string, method: string, isValue: (value: unknown) => boolean])[] = [
  ['protocolVersion', 'initialize', isText],
  ['supportedVersions', 'server/discover', Array.isArray],
  ['tools', 'tools/list', Array.isArray],
  ['content', 'tools/call', Array.isArray],
  ['prompts', 'prompts/list', Array.isArray],
  ['messages', 'prompts/get', Array.isArray],
  ['resources', 'resources/list', Array.isArray],
  ['resourceTemplates', 'resources/templates/list', Array.isArray],
  ['contents', 'resources/read', Array.isArray],
  ['completion', 'completion/complete', isObject],
];

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Returns the method whose result a text is, without the JSON-RPC message around it. `names`: its members. */
export function methodOfBareResult(text: string, names: ReadonlySet<string>): string | undefined {
  if (text.length > MOST_CHARS || names.has('jsonrpc') || names.has('id')) return undefined;
  const rows = MEMBERS.filter(([name]) => names.has(name));
  if (rows.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return rows.find(([name, , isValue]) => isObject(value) && isValue(own(value, name)))?.[1];
  } catch {
    return undefined;
  }
}
