import { isRecord } from '@/lib/json/edit';
import { isSecretName } from '@/lib/wire/secret-names';

/** Characters. Longer text that is not JSON counts as secret without a search. */
const LONGEST_TORN = 100_000;

/** Returns a copy of a document without values whose names look secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isSecretName(name, 'argument'))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  );
}

/**
 * True if a name in the text looks secret. JSON is searched for member names, including those that a later duplicate
 * overrides. Text that does not parse (`parses` is false) is searched for words.
 */
export function hasSecrets(text: string, parses: boolean): boolean {
  if (!parses) {
    const words = text.length > LONGEST_TORN ? undefined : unescaped(text).match(/[\w-]+/g);
    return words === undefined || (words?.some((word) => isSecretName(word, 'argument')) ?? false);
  }
  for (const [, name, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)) {
    if (colon !== undefined && isSecretName(unescaped(name!), 'argument')) return true;
  }
  return false;
}

function unescaped(text: string): string {
  return text.replace(/\\u([\dA-Fa-f]{4})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}
