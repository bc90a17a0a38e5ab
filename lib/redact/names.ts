import { readableText } from './byte-text';
import { NAMES, type NamePlace, type SecretName } from './name-rows';

/** Longer names are judged by this many characters at their end. */
const MOST_CHARACTERS = 64;

/** Results by place and name, because the same names occur again and again. */
const judged: Readonly<Record<NamePlace, Map<string, SecretName | undefined>>> = {
  ...{ member: new Map(), header: new Map(), query: new Map(), text: new Map(), flag: new Map(), variable: new Map() },
};
/** Judged names kept per kind of place. */
const MOST_JUDGED = 2000;

/**
 * Returns the kind of secret that a name stands for; undefined for other names. `whole` is byte text. A very long name
 * is judged by its end.
 */
export function secretName(whole: string, place: NamePlace): SecretName | undefined {
  if (whole.length < 2 && place !== 'flag') return undefined;
  const key = whole.length > MOST_CHARACTERS ? whole.slice(-MOST_CHARACTERS) : whole;
  const known = judged[place];
  const same = known.get(key);
  if (same !== undefined || known.has(key)) return same;
  const words = wordsOf(key);
  const found = NAMES.find(({ places, name }) => (places === undefined || places.includes(place)) && name.test(words));
  const secret = found?.rule === undefined ? undefined : found;
  if (known.size >= MOST_JUDGED) known.clear();
  known.set(key, secret);
  return secret;
}

/** Endings that number or qualify a value. They are cut off before a name is judged. */
const VARIANT =
  /-?v?\d{1,4}$|-(?:prod|production|dev|development|test|testing|staging|local|live|old|new|current|prev|previous|backup|default|primary|secondary|value|field|input|confirm|confirmation|repeat|again|plain|raw|string|b64|base64|hex|enc|encoded|encrypted|hash|hashed|eu|us|ro|rw|read|write|main)$/;

/** Splits `apiKey`, `API_KEY`, `x-api-key` and `Api.Key2` into lower-case words joined by hyphens. */
function wordsOf(name: string): string {
  const text = /[^\0-\x7f]/.test(name) ? readableText(name) : name;
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[\s_.:/'’-]+/g, '-')
    .replace(/^-|-$|\[\]$/g, '')
    .toLowerCase()
    .replace(VARIANT, '')
    .replace(VARIANT, '');
}

/** Absolute paths, in byte text. A password that starts with a slash rarely has only these characters. */
const ABSOLUTE_PATH = /^(?:[A-Za-z]:[\\/]|\/)[\w.@+~ /\\\x80-\xff-]*$/;

/**
 * Returns true for the POSIX variable `PWD`, where a shell keeps its working directory. Any other value of that name is
 * a password.
 */
export function isWorkingDirectory(name: string, value: string): boolean {
  return /^(?:OLD)?PWD$/.test(name) && ABSOLUTE_PATH.test(value);
}
