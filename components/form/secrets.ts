import { isRecord } from '@/lib/json/edit';

/** Names, as {@link wordsIn} writes them. Where a list goes on is a token that anybody may see. */
const NAMES = [
  'passwords?|passwd|pwd|passphrase|passcode|secrets?|credentials?|authorization|bearer|cookie|jwt',
  '(?<!(?:page|next|continuation|cursor|sync)_?)token|(?:access|api|auth|bearer|refresh|session)_?tokens',
  '(?:access|api|auth|encryption|private|secret|signing|ssh)_?keys?',
  '(?:^|_)(?:t?otp|pin|ssn|cvv|cvc|dsn|(?:credit_?)?card_?number)',
  'connection_?string|(?:database|db|mongo(?:db)?|mysql|postgres(?:ql)?|redis)_?ur[il]',
].join('|');
const SECRET = new RegExp(`(?:${NAMES})(?:_?(?:id|pem|value|again|repeat|confirm(?:ation)?))?_?\\d*$`);

/** Longest end of a name that is looked at. */
const LONGEST_NAME = 200;
/** Longest text that is no JSON and is looked through. */
const LONGEST_TORN = 100_000;

/** True for a name of something secret, by the looks of it. */
export function looksSecret(name: string): boolean {
  return SECRET.test(wordsIn(name.slice(-LONGEST_NAME)));
}

/** A copy of a document without the values whose names look secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !looksSecret(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  );
}

/**
 * True if a name in the text looks secret: in JSON any name, those that a later one of the same object hides too; in text that
 * does not parse (`parses` false) any word.
 */
export function hasSecrets(text: string, parses: boolean): boolean {
  if (!parses) {
    const words = text.length > LONGEST_TORN ? undefined : unescaped(text).match(/[\w-]+/g);
    return words === undefined || (words?.some(looksSecret) ?? false);
  }
  for (const [, name, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)) {
    if (colon !== undefined && looksSecret(unescaped(name!))) return true;
  }
  return false;
}

/** `apiKey`, `API-KEY` → `api_key`. */
function wordsIn(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}

function unescaped(text: string): string {
  return text.replace(/\\u([\dA-Fa-f]{4})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}
