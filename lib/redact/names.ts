import { decodedText } from './byte-text';
import { MEANING, NAMES, type NamePlace, type SecretName, TOGETHER, VARIANT } from './name-rows';

/** Longer names are judged by this many characters at their end. */
const MOST_CHARACTERS = 64;

/** Results by place and name, because the same names occur again and again. */
const judged: Readonly<Record<NamePlace, Map<string, (typeof NAMES)[number] | undefined>>> = {
  member: new Map(),
  header: new Map(),
  query: new Map(),
  text: new Map(),
  flag: new Map(),
  variable: new Map(),
};
/** Judged names kept per kind of place. */
const MOST_JUDGED = 2000;

/**
 * Returns the kind of secret that a name stands for; undefined for other names. `whole` is byte text. A very long name
 * is judged by its end.
 */
export function secretName(whole: string, place: NamePlace): SecretName | undefined {
  const row = rowOf(whole, place);
  return row?.rule === undefined ? undefined : row;
}

/** Returns true for a name that only sounds like a secret's, such as `idempotency-key`. */
export function isHarmlessName(whole: string, place: NamePlace): boolean {
  const row = rowOf(whole, place);
  return row !== undefined && row.rule === undefined;
}

/** Returns the row that decides about a name; undefined for a name of no row. */
function rowOf(whole: string, place: NamePlace): (typeof NAMES)[number] | undefined {
  if (whole.length < 2 && place !== 'flag') return undefined;
  const key = whole.length > MOST_CHARACTERS ? whole.slice(-MOST_CHARACTERS) : whole;
  const known = judged[place];
  const same = known.get(key);
  if (same !== undefined || known.has(key)) return same;
  const words = wordsOf(key);
  const found = NAMES.find(({ places, name }) => (places === undefined || places.includes(place)) && name.test(words));
  if (known.size >= MOST_JUDGED) known.clear();
  known.set(key, found);
  return found;
}

/** Splits `apiKey`, `API_KEY`, `x-api-key` and `Api.Key2` into lower-case words joined by hyphens, one a meaning. */
function wordsOf(name: string): string {
  const text = /[^\0-\x7f]/.test(name) ? decodedText(name) : name;
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[\s_.:/'’-]+/g, '-')
    .replace(/^-|-$|\[\]$/g, '')
    .toLowerCase()
    .replace(VARIANT, '')
    .replace(VARIANT, '')
    .replace(TOGETHER, (_, owner = '', noun = '', plural = '', end = '') => `${owner}-${noun}${plural}${end}`)
    .split('-')
    .map((word) => MEANING.get(word) ?? word)
    .join('-');
}
