import { parseJson, stringifyJson, tryParseJson } from '@/lib/schema/json';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import type { SavedCall } from '@/lib/wire/saved-calls';
import { hasSecrets, withoutSecrets } from './secrets';

/**
 * Arguments to keep: without values whose names look secret, otherwise unchanged. Undefined if too long or not JSON.
 */
export function keptText(text: string): string | undefined {
  if (text.length > LIMITS.keptCallChars) return undefined;
  if (text.trim() === '') return '';
  const parsed = tryParseJson(text);
  if (!parsed.ok) return undefined;
  const kept = hasSecrets(text, true) ? stringifyJson(withoutSecrets(parsed.value), 2) : text;
  return kept.length > LIMITS.keptCallChars ? undefined : kept;
}

/** Saved calls as a file: names and arguments. */
export function callsFile(saved: readonly SavedCall[]): string {
  const calls = saved.map(({ name, text }) => ({
    name,
    arguments: text.trim() === '' ? undefined : parseJson(text),
  }));
  return stringifyJson({ format: 'mcp-inspect calls', version: 1, calls }, 2);
}

/** The calls in such a file that can be kept; undefined if it is not such a file. */
export function callsInFile(file: string): readonly SavedCall[] | undefined {
  const parsed = tryParseJson(file);
  const calls = parsed.ok && isObject(parsed.value) ? own(parsed.value, 'calls') : undefined;
  if (!Array.isArray(calls)) return undefined;
  return calls.flatMap((call) => {
    const name = isObject(call) ? own(call, 'name') : undefined;
    if (!isObject(call) || typeof name !== 'string' || name === '') return [];
    const text = keptText(Object.hasOwn(call, 'arguments') ? stringifyJson(call.arguments, 2) : '');
    return text === undefined ? [] : [{ name: name.slice(0, LIMITS.savedCallNameChars), text }];
  });
}
