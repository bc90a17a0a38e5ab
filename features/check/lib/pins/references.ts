import { skipSpace, stringEnd } from '@/lib/json/scan';

/** `${name}`, `${env:NAME}`, and `$${`, which stands for `${`. */
const REFERENCE = /\$\$\{|\$\{(env:)?([A-Za-z_]\w{0,63})\}/g;

/** A name that a text refers to. */
interface Reference {
  readonly isEnv: boolean;
  readonly name: string;
}

/** A JSON text with its values filled in. */
export interface Filled {
  readonly text: string;
  /** Names that it refers to and that are not in the environment. */
  readonly used: readonly string[];
  /** The first variable that the environment lacks. */
  readonly lacking: string | undefined;
}

/**
 * Fills values, given as JSON texts, into the strings of a JSON text. A string that is only a reference becomes the
 * value, whatever its type, unless it is the name of a member. A name that no earlier call saves stays as it is,
 * since arguments may contain `${…}`.
 */
export function fillValues(
  json: string,
  values: ReadonlyMap<string, string>,
  environment: (name: string) => string | undefined,
): Filled {
  const used: string[] = [];
  let lacking: string | undefined;
  const lookUp = (isEnv: boolean, name: string): string | undefined => {
    if (!isEnv) used.push(name);
    const value = isEnv ? environment(name) : values.get(name);
    if (isEnv && value === undefined) lacking ??= name;
    return isEnv && value !== undefined ? JSON.stringify(value) : value;
  };
  const text = mapStrings(json, (string, isName) => {
    const [only] = isName ? [] : string.matchAll(REFERENCE);
    const value = only?.[0] === string && only[2] !== undefined ? lookUp(only[1] !== undefined, only[2]) : undefined;
    if (value !== undefined) return value;
    return JSON.stringify(
      string.replace(REFERENCE, (whole, env: string | undefined, name: string | undefined) => {
        if (name === undefined) return '${';
        const inside = lookUp(env !== undefined, name);
        if (inside === undefined) return whole;
        return inside.startsWith('"') ? (JSON.parse(inside) as string) : inside;
      }),
    );
  });
  return { text, used, lacking };
}

/** Returns what the strings of a JSON text refer to, in order. */
export function referencesIn(json: string): readonly Reference[] {
  const found: Reference[] = [];
  mapStrings(json, (string) => {
    for (const [, env, name] of string.matchAll(REFERENCE)) {
      if (name !== undefined) found.push({ isEnv: env !== undefined, name });
    }
    return undefined;
  });
  return found;
}

/** Escapes what looks like a reference in the strings of a JSON text, so that {@link fillValues} gives them back. */
export function escapeReferences(json: string): string {
  return mapStrings(json, (string) => JSON.stringify(string.replaceAll('${', () => '$${')));
}

/**
 * Replaces the strings of a JSON text that contain `${` once decoded, since JSON can write each character in several
 * ways. All that looks for references uses this, so that nothing is filled in that was not named or escaped.
 * `written` returns JSON text; undefined leaves the string as it is.
 */
function mapStrings(json: string, written: (string: string, isName: boolean) => string | undefined): string {
  let made = '';
  let copied = 0;
  for (let at = json.indexOf('"'); at >= 0; ) {
    const end = stringEnd(json, at);
    if (end < 0) break;
    const quoted = json.slice(at, end);
    const string = quoted.includes('${') || quoted.includes('\\u') ? (JSON.parse(quoted) as string) : '';
    const by = string.includes('${') ? written(string, json[skipSpace(json, end)] === ':') : undefined;
    if (by !== undefined) {
      made += json.slice(copied, at) + by;
      copied = end;
    }
    at = json.indexOf('"', end);
  }
  return made + json.slice(copied);
}
