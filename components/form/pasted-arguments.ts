import { tryParseJson } from '@/lib/schema/json';
import { JsonSource } from '@/lib/wire/json-source';

/**
 * The arguments in a pasted text, as they are written there: JSON itself, or the `arguments` of a request, of its params, or
 * of an object with a name. Undefined if it is no JSON.
 */
export function argumentsIn(text: string): string | undefined {
  if (!tryParseJson(text).ok) return undefined;
  const whole = JsonSource.parse(text);
  const params = whole?.member('jsonrpc') && whole.member('params');
  const named = params ?? (whole?.member('name') && whole.children(3).count <= 3 ? whole : undefined);
  return named?.member('arguments')?.text ?? text.trim();
}
