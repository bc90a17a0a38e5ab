import { isTakenOut } from './placeholder';
import { isProtocolWord } from './protocol-words';
import { isSeedPhrase } from './seed-phrase';
import { isRandom } from './weak-shapes';

/** What stands where a value would, in examples, types and templates. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|nil|string|number|boolean|object|array|required|optional|yes|no|redacted|hidden|masked|[*x.-]+|<[^>\d]*>|<[^>\s]*\s[^>]*>|<[^>]{0,11}>|\$[A-Z_]+|\{\{.*\}\}|%[sd])$/i;

/** True for what can be a secret's value at all: no example, template, or place where one was taken out. */
export function isValue(text: string): boolean {
  return text.length > 0 && !NO_VALUE.test(text) && !isVariable(text) && !isTakenOut(text);
}

/** `${NAME}`, unless what is within is no name of anything. */
function isVariable(text: string): boolean {
  const [, name] = /^\$\{([^}]*)\}$/.exec(text) ?? [];
  return name !== undefined && !isRandom(name) && !/^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/.test(name);
}

/** At most this long without a digit or a sign that words have not, a value may be words. */
export const WORDS_CHARS = 24;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/;

/**
 * True for a value that is unlikely to be a word of any language or protocol: it can be looked for by itself, and where a
 * name or a scheme alone does not prove it a secret.
 */
export function isTelling(text: string): boolean {
  if (text.length < 8 || !isValue(text) || DATE.test(text) || isProtocolWord(text)) return false;
  if (text.length < WORDS_CHARS) return /[^A-Za-z/_.:, -]/.test(text);
  return !/\s/.test(text) || /\d/.test(text) || isSeedPhrase(text);
}
