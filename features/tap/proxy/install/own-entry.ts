import { isDeepStrictEqual } from 'node:util';
import { removeAt, setAt, valueAt } from '@/lib/json/edit';
import { isObject, own } from '@/lib/json/value';
import { type NamedValue, type Splice, spliced } from './config-places';
import {
  type ChangedPart,
  type ConfigText,
  configPlaces,
  literalOf,
  type Refusal,
  readConfigText,
  UNSAFE,
} from './edit-entry';

/** Name of the entry of `mcp-inspect mcp`. */
export const OWN_NAME = 'mcp-inspect';

/** A config with or without the entry, and the text that was added or removed. */
type OwnEdited =
  | { readonly config: ConfigText; readonly parts: readonly ChangedPart[]; readonly added: string }
  | Refusal;

/** Returns the names that lead to the servers of a config. VS Code also writes keys with a dot. */
export function keyIn({ value }: ConfigText, key: readonly string[]): readonly string[] {
  const isDotted = key.length > 1 && isObject(value) && own(value, key.join('.')) !== undefined;
  return isDotted ? [key.join('.')] : key;
}

/** Adds the entry at a path, as a host writes entries. Everything else stays byte for byte. */
export async function addOwn(
  config: ConfigText,
  path: readonly string[],
  host: string,
  words: readonly string[],
): Promise<OwnEdited> {
  const entry = entryOf(host, words);
  const present = valueAt(config.value, path);
  if (isDeepStrictEqual(present, entry)) return { wrong: 'mcp-inspect is already in this config.', isDone: true };
  if (present !== undefined) return { wrong: OTHER_ENTRY };
  const splice = config.format === 'toml' ? appended(config, path, entry) : await inserted(config, path, entry);
  if (!splice) return UNSAFE;
  const read = await readConfigText(spliced(config.text, [splice]), config.format);
  if ('wrong' in read || !isDeepStrictEqual(read.value, setAt(config.value, path, entry))) return UNSAFE;
  return { config: read, parts: [{ before: '', after: shownText(splice.text) }], added: splice.text };
}

const OTHER_ENTRY = `The config already has a server called \`${OWN_NAME}\`, which starts something else or another version. Remove it first with \`mcp-inspect mcp remove HOST\`.`;

/** Removes the entry: the text that was `added` if it is still there, otherwise its member. */
export async function removeOwn(
  config: ConfigText,
  path: readonly string[],
  added: string | undefined,
): Promise<OwnEdited> {
  if (valueAt(config.value, path) === undefined) return { wrong: `The config has no server called \`${OWN_NAME}\`.` };
  const places = await configPlaces(config);
  const value = places.find(path);
  const splices = [added === undefined ? undefined : exactSplice(config, added), value && places.removed(value)];
  for (const splice of splices) {
    if (!splice) continue;
    const text = config.text.slice(splice.start, splice.end);
    const read = await readConfigText(spliced(config.text, [splice]), config.format);
    if ('wrong' in read || !isWithout(config.value, read.value, path)) continue;
    return { config: read, parts: [{ before: shownText(text), after: '' }], added: text };
  }
  return UNSAFE;
}

/** True if `after` lacks the entry, and perhaps keys that lead to nothing else. */
function isWithout(before: unknown, after: unknown, path: readonly string[]): boolean {
  for (let length = path.length; length > 0; length--) {
    if (isDeepStrictEqual(after, removeAt(before, path.slice(0, length)))) return true;
    const parent = valueAt(before, path.slice(0, length - 1));
    if (!isObject(parent) || Object.keys(parent).length !== 1) return false;
  }
  return false;
}

function exactSplice({ text }: ConfigText, added: string): Splice | undefined {
  const start = text.indexOf(added);
  if (start < 0 || text.indexOf(added, start + 1) >= 0) return undefined;
  return { start, end: start + added.length, text: '' };
}

/** Returns the entry in the form of a host. */
function entryOf(host: string, [command, ...args]: readonly string[]): Record<string, unknown> {
  if (host === 'opencode') return { type: 'local', command: [command, ...args] };
  if (host === 'zed') return { source: 'custom', command, args };
  return host === 'vscode' ? { type: 'stdio', command, args } : { command, args };
}

function textOf(entry: Record<string, unknown>): string {
  const members = Object.entries(entry).map(([name, value]) => {
    const written = Array.isArray(value) ? `[${value.map(literalOf).join(', ')}]` : literalOf(String(value));
    return `${JSON.stringify(name)}: ${written}`;
  });
  return `{ ${members.join(', ')} }`;
}

/** Adds a table at the end of a TOML file. */
function appended({ text }: ConfigText, path: readonly string[], entry: Record<string, unknown>): Splice {
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const lines = Object.entries(entry).map(([name, value]) =>
    Array.isArray(value) ? `${name} = [${value.map(literalOf).join(', ')}]` : `${name} = ${literalOf(String(value))}`,
  );
  const gap = text === '' || text.endsWith(`${end}${end}`) ? '' : text.endsWith('\n') ? end : end + end;
  const keys = path.map((key) => (/^[\w-]+$/.test(key) ? key : literalOf(key)));
  const table = [`[${keys.join('.')}]`, ...lines, ''].join(end);
  return { start: text.length, end: text.length, text: gap + table };
}

/** Adds a member to the deepest object of the path that exists. */
async function inserted(
  config: ConfigText,
  path: readonly string[],
  entry: Record<string, unknown>,
): Promise<Splice | undefined> {
  const places = await configPlaces(config);
  let depth = path.length - 1;
  while (depth > 0 && valueAt(config.value, path.slice(0, depth)) === undefined) depth--;
  const parent = valueAt(config.value, path.slice(0, depth));
  if (!isObject(parent)) return undefined;
  const value = path
    .slice(depth + 1)
    .reduceRight((inner, name) => `{ ${JSON.stringify(name)}: ${inner} }`, textOf(entry));
  const name = path[depth]!;
  const members = Object.keys(parent).map((key) => places.find([...path.slice(0, depth), key]));
  const last = members.reduce<NamedValue | undefined>(
    (found, one) => (one && (!found || one.end > found.end) ? one : found),
    undefined,
  );
  if (last) return places.added(last, name, value);
  const object = places.find(path.slice(0, depth));
  if (!object) return undefined;
  return { start: object.start + 1, end: object.start + 1, text: `${JSON.stringify(name)}: ${value}` };
}

/** Returns added text without the comma and the spaces around it. */
function shownText(text: string): string {
  return text.replace(/^[,\s]+/, '').trimEnd();
}
