import { text } from 'node:stream/consumers';
import { withoutBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import { usageError } from '@/proxy/cli/exit-code';
import type { ParsedOptions } from '@/proxy/cli/grammar';
import { readNamedFile } from '@/proxy/files/user-files';

/** The arguments of a tool or prompt: all at once as JSON text, or one by one. */
interface CallArguments {
  readonly whole?: string;
  readonly each: readonly Argument[];
}

/** Reads `--args` or each `--arg`. Throws an ExitError. */
export async function readCallArguments(given: ParsedOptions): Promise<CallArguments> {
  const [inputs, words] = [given.get('args') ?? [], given.get('arg') ?? []];
  if (inputs.length + Math.min(words.length, 1) > 1) {
    throw usageError('The arguments are given twice: use either `--arg` for each, or `--args` once for all.');
  }
  const [input] = inputs;
  return { each: readArguments(words), ...(input !== undefined && { whole: await readInput(input) }) };
}

/** Reads JSON text as {@link readText} does. Throws an ExitError for invalid JSON. */
export async function readInput(word: string): Promise<string> {
  const bare = withoutBom(await readText(word));
  requireJson(bare, word === '-' ? 'The text on stdin' : `\`${shorten(word)}\``);
  return bare.trim();
}

/** Reads any text: the word itself, the content of `@FILE`, or stdin for `-`. Throws an ExitError. */
export async function readText(word: string): Promise<string> {
  return word === '-'
    ? await text(process.stdin)
    : word.startsWith('@')
      ? readFileArgument(word.slice(1), 'after `@`')
      : word;
}

/** Throws an ExitError about `what` unless the text is JSON. */
function requireJson(text: string, what: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw usageError(`${what} is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}.`);
  }
}

/** Largest file whose text becomes a message, in bytes. */
const FILE_BYTES = 64 * 1024 * 1024;

/** Reads a file that the command line names. `where` is the part that named it. Throws an ExitError. */
export async function readFileArgument(path: string, where: string): Promise<string> {
  const { text: content, wrong = 'It does not exist.' } = await readNamedFile(path, { most: FILE_BYTES });
  if (content !== undefined) return content;
  throw usageError(`Could not read \`${path}\`. ${wrong} Check the path ${where}.`);
}

function shorten(word: string): string {
  return word.length > 60 ? `${word.slice(0, 59)}…` : word;
}

/** Types of JSON values as schemas name them. */
type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * Collects the types that a schema names by `type`, `const`, `enum`, unions and local references; may be empty.
 * References start at `root`. Stops after a bounded number of steps, so circular schemas are fine.
 */
function allowedTypes(schema: unknown, root: unknown): ReadonlySet<JsonType> {
  const found = new Set<JsonType>();
  const waiting = [schema];
  for (let steps = 0; waiting.length > 0 && steps < LIMITS.schemaSteps; steps++) {
    const next = waiting.pop();
    if (!isObject(next)) continue;
    for (const type of [own(next, 'type')].flat()) if (isType(type)) found.add(type);
    const values = own(next, 'enum');
    if (Array.isArray(values)) for (const value of values) found.add(typeOf(value));
    if (Object.hasOwn(next, 'const')) found.add(typeOf(next.const));
    for (const union of UNIONS) {
      const members = own(next, union);
      if (Array.isArray(members)) waiting.push(...members.slice(0, LIMITS.schemaSteps));
    }
    const ref = own(next, '$ref');
    if (typeof ref === 'string') waiting.push(resolve(ref, root));
  }
  return found;
}

function isType(type: unknown): type is JsonType {
  return typeof type === 'string' && TYPES.includes(type);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return isType(type) ? type : 'object';
}

/** Follows a reference into the same schema; undefined for any other reference, since nothing is fetched. */
function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  return ref
    .slice(1)
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (isObject(value) ? own(value, part) : undefined), root);
}

/** One `--arg`. */
export interface Argument {
  readonly key: string;
  readonly value: string;
  /** Written `key:=value`, so the value is JSON whatever the schema says. */
  readonly json: boolean;
}

/** Reads each `key=value` or `key:=json`. Throws an ExitError. */
export function readArguments(words: readonly string[]): readonly Argument[] {
  const seen = new Set<string>();
  return words.map((word) => {
    const [, key, colon, value] = /^([^=]*?)(:?)=(.*)$/s.exec(word) ?? [];
    if (!key || value === undefined) {
      throw usageError(`\`--arg ${word}\` is not an argument: write \`--arg name=value\`, or \`--arg name:=json\`.`);
    }
    if (seen.has(key))
      throw usageError(`\`--arg ${key}\` is given twice: give it once, a list as \`${key}:=["a","b"]\`.`);
    seen.add(key);
    if (colon) requireJson(value, `The value of \`${key}:=\``);
    return { key, value, json: colon === ':' };
  });
}

/**
 * Writes the arguments as one JSON object. A value is a string if the schema allows one there, else JSON as it was
 * typed. Throws an ExitError if that is not JSON.
 */
export function argumentsText(given: readonly Argument[], inputSchema?: unknown): string {
  const written = given.map(({ key, value, json }) => {
    const types = json ? undefined : typesOf(key, inputSchema);
    const asString = !json && (types === undefined || types.size === 0 || types.has('string'));
    if (types && !asString) requireTyped(key, value, types);
    return `${JSON.stringify(key)}:${asString ? JSON.stringify(value) : value.trim()}`;
  });
  return `{${written.join(',')}}`;
}

function typesOf(key: string, schema: unknown): ReadonlySet<JsonType> {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const declared = isObject(properties) ? own(properties, key) : undefined;
  return allowedTypes(declared ?? (isObject(schema) ? own(schema, 'additionalProperties') : undefined), schema);
}

function requireTyped(key: string, value: string, types: ReadonlySet<JsonType>): void {
  try {
    JSON.parse(value);
  } catch {
    const wanted = [...types].map(withArticle).join(' or ');
    throw usageError(
      `The tool expects ${wanted} in \`${key}\`, but \`--arg ${key}=${value}\` is not JSON: correct it, or send a string with \`--arg '${key}:=${JSON.stringify(value)}'\`.`,
    );
  }
}

function withArticle(type: JsonType): string {
  return type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}
