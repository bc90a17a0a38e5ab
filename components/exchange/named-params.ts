import { compactJson } from '@/lib/schema/json';
import { type JsonObject, own } from '@/lib/wire/message';

/**
 * The params of `tools/call` or `prompts/get` as JSON text: the name as the server lists it, whatever it is, and the
 * arguments as they are written; blank text is no `arguments` at all.
 */
export function namedParams(entry: JsonObject, argumentsText: string): string {
  const name = JSON.stringify(own(entry, 'name'));
  const text = compactJson(argumentsText);
  const members = [...(name === undefined ? [] : [`"name":${name}`]), ...(text === '' ? [] : [`"arguments":${text}`])];
  return `{${members.join(',')}}`;
}
