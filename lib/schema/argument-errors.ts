import { isRecord, type JsonPath } from '@/lib/json/edit';
import { isObject, own } from '@/lib/json/value';

/** A server's error about one argument. */
export interface ArgumentError {
  readonly path: JsonPath;
  readonly text: string;
}

/** An error with its place as the server names it. */
interface Found {
  readonly keys: readonly string[];
  readonly text: string;
}

/** Matches an error about the server's own result, as the official SDKs write it. Its paths are not of arguments. */
const OF_RESULT = /\b(?:invalid (?:tools\/call )?result|output validation error|invalid structured content)\b/i;

/** Characters of the longest text that is searched. A longer text is an answer, not an error. */
const LONGEST = 20_000;
/** Most errors read from one answer. */
const MOST = 100;

/** Words at the start of a server's path that are not arguments. */
const PREFIXES = new Set(['arguments', 'args', 'params', 'input', 'data', 'body', 'instance', '$', 'root']);

type Reader = (text: string) => readonly Found[];

/** Error formats of common libraries. The first that matches wins. */
const READERS: readonly Reader[] = [issuesWithin, zodPretty, pydantic, goSchema, pathThenWords, quotedName];

/**
 * Finds the arguments that a failed call names, in its texts (an error's message, the text of an `isError` result) and
 * its data. A place must start with a name in `names` or in the arguments, so that prose is not mistaken for a path.
 */
export function argumentErrorsIn(
  texts: readonly string[],
  data: unknown,
  args: unknown,
  names: readonly string[],
): ArgumentError[] {
  const known = new Set([...names, ...(isRecord(args) ? Object.keys(args) : [])]);
  const believed = (found: readonly Found[]) =>
    found
      .map(({ keys, text }) => ({ keys: withoutPrefix(keys, known), text }))
      .filter(({ keys }) => known.has(keys[0] ?? ''));
  let found = believed(issuesOf(data, 0));
  for (const text of texts) {
    for (const read of READERS) {
      if (found.length > 0 || text.length > LONGEST || OF_RESULT.test(text)) break;
      found = believed(read(text));
    }
  }
  return found.slice(0, MOST).map(({ keys, text }) => ({ path: resolve(keys, args), text: text.trim().slice(0, 300) }));
}

function withoutPrefix(keys: readonly string[], known: ReadonlySet<string>): readonly string[] {
  let rest = keys;
  while (rest.length > 1 && !known.has(rest[0]!) && (PREFIXES.has(rest[0]!) || known.has(rest[1]!)))
    rest = rest.slice(1);
  return rest;
}

/** Converts keys to a path. Numbers become indexes where the arguments have an array. */
function resolve(keys: readonly string[], args: unknown): JsonPath {
  const path: (string | number)[] = [];
  let at = args;
  for (const key of keys) {
    const item = Array.isArray(at) && /^\d+$/.test(key);
    path.push(item ? Number(key) : key);
    if (item) at = (at as unknown[])[Number(key)];
    else at = isRecord(at) ? own(at, key) : undefined;
  }
  return path;
}

/** Reads issues as zod, pydantic, ajv and others write them in JSON: `path`, `loc` or `instancePath`, and a message. */
function issuesOf(data: unknown, depth: number): Found[] {
  if (depth > 4) return [];
  if (Array.isArray(data)) return data.slice(0, MOST).flatMap((each) => issuesOf(each, depth + 1));
  if (!isObject(data)) return [];
  const place = ['path', 'loc', 'instancePath', 'dataPath', 'field', 'pointer']
    .map((key) => own(data, key))
    .find(isPlace);
  const text = ['message', 'msg', 'detail', 'error']
    .map((key) => own(data, key))
    .find((each) => typeof each === 'string');
  if (place !== undefined && text !== undefined) {
    const keys = Array.isArray(place) ? place.map(String) : keysOf(String(place));
    return [{ keys, text: String(text) }];
  }
  return ['issues', 'errors', 'details', 'violations'].flatMap((key) => issuesOf(own(data, key), depth + 1));
}

function isPlace(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (Array.isArray(value) && value.length > 0);
}

/** Splits `a.b[0].c` or `/a/b/0/c` into keys. */
function keysOf(text: string): string[] {
  if (text.startsWith('/'))
    return text
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return text
    .split(/[.[\]/]+/)
    .filter((key) => key !== '')
    .map((key) => key.replace(/^["'](.*)["']$/, '$1'));
}

/** Reads issues from JSON within a text. The SDK writes zod's issues after a sentence. */
function issuesWithin(text: string): Found[] {
  for (const open of ['[', '{']) {
    const start = text.indexOf(open);
    const end = text.lastIndexOf(open === '[' ? ']' : '}');
    if (start < 0 || end < start) continue;
    try {
      const found = issuesOf(JSON.parse(text.slice(start, end + 1)), 0);
      if (found.length > 0) return found;
    } catch {
      // Not JSON.
    }
  }
  return [];
}

/** Reads `✖ Invalid input: expected string\n  → at a.b`. */
function zodPretty(text: string): Found[] {
  return [...text.matchAll(/✖ ([^\n]+)\n\s*→ at ([^\n]+)/g)].map((match) => ({
    keys: keysOf(match[2]!),
    text: match[1]!,
  }));
}

/** Reads `a.b\n  Field required [type=missing, …]`. */
function pydantic(text: string): Found[] {
  return [...text.matchAll(/^(\S[^\n]*)\n {2}([^\n]+?) \[type=/gm)].map((match) => ({
    keys: keysOf(match[1]!),
    text: match[2]!,
  }));
}

/** Reads `validating /properties/a/properties/b: type: 1 has type "integer"` and `missing properties: ["a"]`. */
function goSchema(text: string): Found[] {
  const places = [...text.matchAll(/validating (\/properties\/[^:\s]+): ([^\n]+)/g)].map((match) => ({
    keys: keysOf(match[1]!).filter((key) => key !== 'properties' && key !== 'items'),
    text: match[2]!,
  }));
  if (places.length > 0) return places;
  const missing = /missing propert(?:y|ies):? \[?([^\]\n]+)/i.exec(text)?.[1];
  return (missing?.match(/["'`]([^"'`]+)["'`]/g) ?? []).map((name) => ({ keys: [name.slice(1, -1)], text: 'missing' }));
}

/** Reads `data/a/b must be string`, `a.b: is required` and `at "a.b": …`. */
function pathThenWords(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(
    /(?:^|[\s"'`(])((?:\/?[\w$-]+)(?:[./][\w$-]+|\[\d+\])*)["'`]?(?::\s+|\s+(?=must |should |is |has |cannot |requires?))([^\n,;]{3,200})/g,
  )) {
    found.push({ keys: keysOf(match[1]!), text: match[2]! });
  }
  return found;
}

/** Reads a quoted name, such as `Missing required argument: 'a'`. The sentence around it is the error. */
function quotedName(text: string): Found[] {
  const sentence = text.split('\n')[0]!;
  return [...text.matchAll(/["'`]([\w$.[\]-]{1,100})["'`]/g)].map((match) => ({
    keys: keysOf(match[1]!),
    text: sentence,
  }));
}
